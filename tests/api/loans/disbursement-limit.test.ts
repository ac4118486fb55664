import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom, makeLending, terms, type Lending, type Row } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
})
afterAll(() => lending.world.app.close())

const name = 'disbursementsOneApprovesUpTo'
async function setLimit(limit: number | null, of: Lending = lending): Promise<void> {
  const chosen = await of.world.as.admin.put(`/api/settings/${of.world.company.id}`, { [name]: limit })
  expect(chosen.status, chosen.text).toBe(200)
}
/** A payout that the administrator asks for; somebody else opened its loan. */
const asked = async (principal: string, of: Lending = lending, currency = 'KES'): Promise<Row> =>
  of.disbursement((await of.loan({ principal, terms: { currency } })).Id, 'admin')
const approve = async ({ Id }: Row, of: Lending = lending) => {
  const { status, body } = await of.move(Id, 'approve')
  return [status, status === 200 ? (body.data as { disbursement: Row }).disbursement['status'] : body.message]
}
const refused = [403, 'Another person has to decide: you made this disbursement.']
const mayDecide = async ({ Id }: Row, who: 'admin' | 'manager' = 'admin') =>
  (await as[who].get<{ waiting: { mayDecide: boolean } | null }>(`/api/disbursements/${Id}/timeline`)).body.data.waiting?.mayDecide

describe('the limit up to which one person asks for money and approves it', () => {
  it('is none until the company has set one: another person approves, whatever the amount', async () => {
    expect((await as.foreign.put(`/api/settings/${lending.world.stranger.id}`, { [name]: 1_000_000 })).status).toBe(200)
    const small = await asked('1')
    expect([small['needsSecond'], await mayDecide(small)]).toEqual([true, false])
    expect(await approve(small)).toEqual(refused)
    expect((await lending.move(small.Id, 'approve', {}, 'manager')).status).toBe(200)
  })

  it('holds to the cent: exactly the limit is one person’s, a cent above is not', async () => {
    await setLimit(1000)
    const [at, above] = [await asked('1000'), await asked('1000.01')]
    expect([at['needsSecond'], above['needsSecond']]).toEqual([false, true])
    expect([await mayDecide(at), await mayDecide(above), await mayDecide(above, 'manager')]).toEqual([true, false, true])
    expect(await approve(at)).toEqual([200, 'Approved'])
    expect(await approve(above)).toEqual(refused)
  })

  it('lets the button be pressed where it holds, and hides it from the maker where it does not', async () => {
    await setLimit(1000)
    const { text } = await as.admin.get('/api/console/screens/disbursements')
    expect(text).toContain(JSON.stringify({ not: { and: [{ eq: ['isOwnWork', true] }, { not: { eq: ['needsSecond', false] } }] } }))
  })

  it('is asked again when the money is approved: lowered meanwhile it needs another person, raised it still does', async () => {
    await setLimit(1000)
    const [below, above] = [await asked('900'), await asked('1500')]
    await setLimit(800)
    expect(await approve(below)).toEqual(refused)
    await setLimit(2000)
    expect(await approve(above)).toEqual(refused)
    expect(await approve(below)).toEqual([200, 'Approved'])
  })

  it('approves once when one person says so five times at once', async () => {
    await setLimit(1000)
    const { Id } = await asked('500')
    const all = await Promise.all(Array.from({ length: 5 }, () => lending.move(Id, 'approve')))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  })

  it('gives a verdict on each in bulk', async () => {
    await setLimit(1000)
    const [below, above] = [await asked('1000'), await asked('1001')]
    const { body } = await as.admin.post<{ results: { Id: string; isDone: boolean }[] }>('/api/disbursements/move', {
      ids: [below.Id, above.Id],
      move: 'approve',
    })
    expect(body.data.results.map(({ isDone }) => isDone)).toEqual([true, false])
  })

  it('does not let anybody approve the payout of a loan that they opened without an application', async () => {
    await setLimit(1000)
    const clientId = await lending.client()
    const { loan } = (await as.admin.post<{ loan: Row }>('/api/loans', { clientId, principal: '900', terms })).body.data
    expect(await approve(await lending.disbursement(loan.Id, 'admin'))).toEqual([
      409,
      'Another person has to decide: you opened this loan.',
    ])
  })

  it('counts refunds of one loan together: money does not leave in parts below it', async () => {
    await setLimit(500)
    const { Id: loanId } = await lending.running(dayFrom(-10))
    await lending.pay(loanId, 1272 + 900, dayFrom(0))
    const refund = async (amount: number) =>
      (await as.admin.post<{ disbursement: Row }>('/api/disbursements', { loanId, kind: 'refund', amount, channel: 'cash' })).body.data
        .disbursement
    const first = await refund(400)
    expect(first['needsSecond']).toBe(false)
    const second = await refund(400)
    expect(second['needsSecond']).toBe(true)
    expect([await approve(first), await approve(second)]).toEqual([refused, refused])
    expect((await lending.move(second.Id, 'reject', { reason: 'Too much' })).status).toBe(200)
    expect(await approve(first)).toEqual([200, 'Approved'])
  })
})

describe('in another currency', () => {
  let uganda: Lending
  beforeAll(async () => {
    uganda = await makeLending()
    await uganda.rows(`update tenant set "currency" = 'UGX' where id = $1`, uganda.world.company.id)
  })
  afterAll(() => uganda.world.app.close())

  it('is an amount of the company’s money', async () => {
    await setLimit(500_000, uganda)
    const [at, above] = [await asked('500000', uganda, 'UGX'), await asked('500001', uganda, 'UGX')]
    expect([at['needsSecond'], above['needsSecond']]).toEqual([false, true])
    expect([await approve(at, uganda), await approve(above, uganda)]).toEqual([[200, 'Approved'], refused])
  })
})
