import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayFrom, makeLending, type Lending, type Row } from '../loans/lending.ts'
import { fieldsOf } from '../world.ts'

let lending: Lending
let as: Lending['world']['as']
beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
})
afterAll(() => lending.world.app.close())
type Who = keyof Lending['world']['as']

const take = (body: object, who: Who = 'manager') =>
  as[who].post<{ complaint: Row }>('/api/complaints', {
    subject: 'Charged twice',
    category: 'Other',
    channel: 'Phone',
    severity: 'Low',
    ...body,
  })
const ofLoan = async (loanId: string, who: Who) => {
  const filter = encodeURIComponent(JSON.stringify([{ field: 'loanId', op: 'eq', value: loanId }]))
  return (await as[who].get<{ complaints: Row[] }>(`/api/complaints?filter=${filter}`)).body.data.complaints.map(({ Id }) => Id)
}
const named = async (name: string, over: Parameters<Lending['running']>[1] = {}) => {
  const loan = await lending.running(dayFrom(-5), over)
  await lending.rows(`update loan set "productName" = $2 where id = $1`, loan.Id, name)
  return loan
}

it('a complaint names the loan it is about: client and product are those of the loan', async () => {
  const loan = await named('Boda loan')
  const clientId = String(loan['clientId'])
  const made = await take({ loanId: loan.Id, product: 'Typed by hand' })
  expect(made.status, made.text).toBe(200)
  const { complaint } = made.body.data
  expect(complaint).toMatchObject({ loanId: loan.Id, loanIdLabel: loan['loanNumber'], clientId, product: 'Boda loan' })
  expect(await ofLoan(loan.Id, 'manager')).toEqual([complaint.Id])
  const { view } = (await as.manager.get<{ view: { panels: { title: string }[] } }>('/api/console/screens/loans-accounts-id-view')).body
    .data
  expect(view.panels.map(({ title }) => title)).toContain('Complaints')

  const other = await named('Shop loan')
  const change = (body: object) => as.manager.put<{ complaint: Row }>(`/api/complaints/${complaint.Id}`, body)
  expect(fieldsOf(await change({ loanId: other.Id }))).toEqual(['loanId'])
  expect(fieldsOf(await change({ clientId: String(other['clientId']) }))).toEqual(['loanId'])
  const moved = await change({ loanId: other.Id, clientId: String(other['clientId']) })
  expect(moved.body.data.complaint).toMatchObject({ clientId: other['clientId'], product: 'Shop loan' })
  // Without a loan it is typed, as before.
  expect((await change({ loanId: null, product: 'Savings' })).body.data.complaint).toMatchObject({ loanId: null, product: 'Savings' })
  expect((await change({ severity: 'High' })).status).toBe(200)
})

it('names no loan of another client, branch or company', async () => {
  const [mine, other] = [await named('A'), await named('B')]
  expect(fieldsOf(await take({ clientId: mine['clientId'], loanId: other.Id }))).toEqual(['loanId'])
  const far = await named('C', { clientId: await lending.client(lending.world.other) })
  for (const body of [
    { loanId: far.Id, complainantName: 'X' },
    { loanId: far.Id, clientId: mine['clientId'] },
  ]) {
    const refused = await take(body)
    expect([refused.status, fieldsOf(refused), refused.text.includes('does not exist')]).toEqual([422, ['loanId'], true])
  }
  expect(fieldsOf(await take({ loanId: mine.Id, complainantName: 'X' }, 'foreign'))).toEqual(['loanId'])
  expect((await take({ loanId: far.Id }, 'admin')).status).toBe(200)
})

it('is in no tab, filter or report of whom it is about', async () => {
  const loan = await named('Zanzibarquartz')
  const { complaint } = (await take({ loanId: loan.Id, accusedUserId: lending.world.people.officer.id })).body.data
  expect([await ofLoan(loan.Id, 'manager'), await ofLoan(loan.Id, 'officer')]).toEqual([[complaint.Id], []])
  const register = { report: 'complaintRegister', parameters: {} }
  expect((await as.admin.post('/api/reports/preview', register)).text).toContain(String(loan['loanNumber']))
})
