import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNightly } from '../../../apps/server/src/areas/loans/loan.nightly.ts'
import { dayFrom, makeLending, type Lending, type Row } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
})
afterAll(() => lending.world.app.close())

const balances = ['owed', 'principalOwed', 'interestOwed', 'feesOwed', 'penaltiesOwed', 'overpaid'] as const
type Who = keyof Lending['world']['as']

/** The terms under which each balance of the loan page opens its lines, as the page says them. */
async function opened(id: string): Promise<Record<string, string>> {
  const screen = 'loans-accounts-id-view'
  const { fields } = (await as.officer.get<{ view: { fields: { key: string; opens?: string }[] } }>(`/api/console/screens/${screen}`)).body
    .data.view
  return Object.fromEntries(
    fields.flatMap(({ key, opens }) => (opens ? [[key, opens.replace(':Id', id).replace('/loans/balances?filter=', '')] as const] : [])),
  )
}

async function linesBehind(terms: string, who: Who = 'officer'): Promise<Row[]> {
  const answer = await as[who].get<{ loanBalanceLines: Row[] }>(`/api/loan-balances?filter=${encodeURIComponent(terms)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.loanBalanceLines
}
const cents = (rows: readonly Row[]) => rows.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)

/** Each balance beside the sum of the lines it opens, in cents; gives the lines of all. */
async function compare(id: string): Promise<Record<string, Row[]>> {
  const [loan, terms] = [await lending.read(id), await opened(id)]
  expect(Object.keys(terms).toSorted()).toEqual([...balances].toSorted())
  const found: Record<string, Row[]> = {}
  for (const key of balances) {
    found[key] = await linesBehind(terms[key] ?? '')
    expect([key, cents(found[key])]).toEqual([key, Math.round(Number(loan[key]) * 100)])
  }
  return found
}

const dear = {
  fees: [
    { name: 'Service', kind: 'flat', amount: '10', due: 'perInstalment' },
    { name: 'Opening', kind: 'percentOfPrincipal', amount: '2.5', due: 'financed' },
  ],
  insurance: { kind: 'percentOfPrincipal', rate: '1' },
  penalty: { kind: 'flat', amount: '50', per: 'month', graceDays: 3 },
} as const

describe('a balance of a loan', () => {
  it('opens the lines that add up to it to the cent, whatever was done to the loan', async () => {
    const program = await lending.program()
    const { Id } = await lending.running(dayFrom(-75), { terms: { ...dear, fees: [...dear.fees] } })
    await compare(Id)
    await runNightly(program)
    expect((await compare(Id))['penaltiesOwed']).not.toHaveLength(0)
    await lending.pay(Id, 333.33, dayFrom(-5))
    const wrong = await lending.pay(Id, 200.2, dayFrom(-4))
    expect((await as.admin.post(`/api/payments/${wrong.Id}/reverse`, { reason: 'Typed twice' })).status).toBe(200)
    // Captured late: a penalty that was charged is not due any more.
    await lending.pay(Id, 470, dayFrom(-60))
    const lines = await compare(Id)
    expect(new Set(lines['owed']?.map(({ kind }) => kind))).toEqual(new Set(['schedule', 'disbursement', 'payment', 'penalty', 'reversal']))
    expect(lines['feesOwed']?.map(({ part }) => part)).toContain('insurance')
    const written = await as.admin.post(`/api/loans/${Id}/move`, { move: 'writeOff', reason: 'Moved abroad' })
    expect(written.status, written.text).toBe(200)
    const after = await compare(Id)
    expect(after['owed']?.filter(({ kind }) => kind === 'writeOff').length).toBeGreaterThan(2)
    await lending.pay(Id, 5_000, dayFrom(0))
    expect(Number((await lending.read(Id))['overpaid'])).toBeGreaterThan(0)
    await compare(Id)
  })

  it('adds up after a restructure, a settlement ahead of time and money beyond', async () => {
    const { Id } = await lending.running(dayFrom(-45), { terms: { ...dear, fees: [...dear.fees] } })
    await lending.pay(Id, 450, dayFrom(-10))
    const asked = await as.manager.post<{ loanChange: Row }>('/api/loan-changes', {
      loanId: Id,
      kind: 'restructure',
      instalments: 6,
      reason: 'Lost a job',
    })
    expect(asked.status, asked.text).toBe(200)
    const { Id: changeId } = asked.body.data.loanChange
    const done = await as.admin.post(`/api/loan-changes/${changeId}/move`, { move: 'approve' })
    expect(done.status, done.text).toBe(200)
    await compare(Id)
    await lending.pay(Id, 9_000, dayFrom(0))
    expect((await compare(Id))['overpaid']).toHaveLength(1)
  })

  it('is opened by whoever may see the loan, and by nobody else', async () => {
    const { Id } = await lending.running(dayFrom(-45))
    const terms = JSON.stringify([{ field: 'loanId', op: 'eq', value: Id }])
    expect(await linesBehind(terms, 'foreign')).toEqual([])
    const elsewhere = await lending.running(dayFrom(-45), { clientId: await lending.client(lending.world.other) })
    const far = JSON.stringify([{ field: 'loanId', op: 'eq', value: elsewhere.Id }])
    expect(await linesBehind(far)).toEqual([])
    expect(await linesBehind(far, 'admin')).not.toEqual([])
    // After a transfer its lines are where it is.
    await lending.rows(`update loan set "tenantId" = $2 where id = $1`, elsewhere.Id, lending.world.team.id)
    expect(await linesBehind(far)).not.toEqual([])
  })
})
