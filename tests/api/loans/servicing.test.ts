import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reversePayment } from '../../../apps/server/src/areas/loans/payments/payment.moves.ts'
import { reconcile } from '../../../apps/server/src/areas/reconciliation/reconcile.ts'
import { draftVersion, makeProduct } from '../products/fixture.ts'
import { fieldsOf } from '../world.ts'
import { dayFrom, makeLending, type Lending, type Row } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']
type Who = keyof Lending['world']['as']

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
})
afterAll(() => lending.world.app.close())

const schedule = async (id: string) =>
  (await as.admin.get<{ instalments: (Record<string, number> & { dueOn: string; state: string })[] }>(`/api/loans/${id}/schedule`)).body
    .data.instalments
const ask = (loanId: string, over: object = {}, who: Who = 'manager') =>
  as[who].post<{ loanChange: Row }>('/api/loan-changes', { loanId, kind: 'restructure', reason: 'Drought', ...over })
const decide = (id: string, move: string, who: Who = 'admin', asked: object = {}) =>
  as[who].post<{ loanChange: Row }>(`/api/loan-changes/${id}/move`, { move, ...asked })
const parAsOf = async (day: string) => {
  const answer = await as.admin.post<{ preview: { rows: { outstanding: string }[] } }>('/api/reports/preview', {
    report: 'parVarThirtyReport',
    parameters: { asOf: day, before: dayFrom(-200) },
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.preview.rows
}
/** Ledger and schedule agree on what is owed in principal. */
const expectAgreed = async (id: string) => {
  const rows = await schedule(id)
  const owed = rows.reduce((sum, { principal }) => sum + principal!, 0)
  const loan = await lending.read(id)
  expect((await lending.balances(id))['portfolio'] ?? 0).toBeCloseTo(Number(loan['principalOwed']), 6)
  return { owed, rows, loan }
}

describe('a restructure', () => {
  it('is asked for by one person and carried out by another, before and after side by side', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-45))
    await lending.pay(loanId, 424, dayFrom(-2))
    const asked = await ask(loanId, { instalments: 8, annualRate: 12 })
    expect(asked.status, asked.text).toBe(200)
    const change = asked.body.data.loanChange
    expect(change).toMatchObject({ status: 'Requested', instalmentBefore: 424, totalBefore: 848, lastAfter: expect.any(String) })
    expect(fieldsOf(await ask(loanId, { instalments: 0 }))).toEqual(['instalments'])
    expect((await ask(loanId, { instalments: 5 })).status).toBe(409)
    const compared = await as.manager.get<{ rows: { totalBefore: number | null; totalAfter: number | null }[] }>(
      `/api/loan-changes/${change.Id}/compare`,
    )
    expect(compared.body.data.rows).toHaveLength(8)
    expect(compared.body.data.rows[2]).toMatchObject({ totalBefore: null, totalAfter: 108 })
    expect((await decide(change.Id, 'approve', 'manager')).status).toBe(403)
    expect((await decide(change.Id, 'approve', 'officer')).status).toBe(403)
    expect((await decide(change.Id, 'approve', 'foreign')).status).toBe(404)
    const five = await Promise.all(Array.from({ length: 5 }, () => decide(change.Id, 'approve')))
    expect(five.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const { rows, loan } = await expectAgreed(loanId)
    expect(rows).toHaveLength(9)
    expect(rows.map(({ principal }) => principal).reduce((sum, one) => sum! + one!, 0)).toBeCloseTo(1200, 6)
    expect(rows[0]).toMatchObject({ state: 'Paid', total: 424 })
    expect(rows.slice(2).map(({ total }) => total)).toEqual(Array.from({ length: 7 }, () => 108))
    // The days of the running period are asked for with the first new instalment.
    expect(rows[1]!.total! - 108).toBeGreaterThan(8)
    expect(rows[1]!.total! - 108).toBeLessThan(16)
    expect(loan).toMatchObject({ status: 'Active', instalments: 9, instalment: 108, annualRate: '12', principalOwed: 800 })
    const after = await as.manager.get<{ rows: object[] }>(`/api/loan-changes/${change.Id}/compare`)
    expect(after.body.data.rows).toEqual(compared.body.data.rows)
    expect((await as.manager.put(`/api/loan-changes/${change.Id}`, { instalments: 30 })).status).toBe(422)
  })

  it('gives the same books whenever a payment of before it is captured, and past days keep their figures', async () => {
    const run = async (isLate: boolean) => {
      const { Id: loanId } = await lending.running(dayFrom(-70))
      const pays = () => lending.pay(loanId, 900, dayFrom(-20))
      if (!isLate) await pays()
      const change = (await ask(loanId, { instalments: 6 })).body.data.loanChange
      // Books as if the days had passed: the rows lie where the payments' days are.
      await lending.rows(`update loan_transaction set "bookedOn" = "valueOn" where "loanId" = $1`, loanId)
      const before = await parAsOf(dayFrom(-10))
      expect(Number(before[0]?.outstanding)).toBeGreaterThan(0)
      expect((await decide(change.Id, 'approve')).status).toBe(200)
      expect(await parAsOf(dayFrom(-10))).toEqual(before)
      if (isLate) await pays()
      await lending.pay(loanId, 50, dayFrom(0))
      const { rows, loan } = await expectAgreed(loanId)
      const { principalOwed, interestOwed, owed, status, unpaidSince } = loan as Record<string, unknown>
      return {
        rows: rows.map(({ Id: _, ...row }) => row),
        principalOwed,
        interestOwed,
        owed,
        status,
        unpaidSince,
        books: await lending.balances(loanId),
      }
    }
    expect(await run(true)).toEqual(await run(false))
  })

  it('as a holiday moves what is left by whole periods and charges the days', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-40), { terms: { method: 'declining', instalments: 6 } })
    const left = (await schedule(loanId)).filter(({ dueOn }) => dueOn > dayFrom(0))
    expect(fieldsOf(await ask(loanId, { kind: 'holiday' }))).toEqual(['skip'])
    const { Id } = (await ask(loanId, { kind: 'holiday', skip: 2 })).body.data.loanChange
    expect((await decide(Id, 'approve')).status).toBe(200)
    const after = (await schedule(loanId)).filter(({ dueOn }) => dueOn > dayFrom(0))
    expect(after).toHaveLength(left.length)
    expect(after[0]?.dueOn).toBe(left[2]?.dueOn)
    const interest = (rows: typeof after) => rows.reduce((sum, row) => sum + row['interest']!, 0)
    expect(interest(after)).toBeGreaterThan(interest(left) + 30)
    await expectAgreed(loanId)
    expect((await ask((await lending.loan()).Id)).status).toBe(422)
  })
})

describe('an early settlement', () => {
  const quote = (loanId: string, validUntil: string, who: Who = 'officer') =>
    as[who].post<{ settlementQuote: Row & { total: number; interest: number } }>('/api/settlement-quotes', { loanId, validUntil })
  const read = async (id: string) =>
    (await as.admin.get<{ settlementQuote: Row }>(`/api/settlement-quotes/${id}`)).body.data.settlementQuote

  it('is promised until a day and ends the loan when as much is paid by then; taken back it owes what it owed', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-40))
    const made = await quote(loanId, dayFrom(5))
    expect(made.status, made.text).toBe(200)
    const { Id, total, interest } = made.body.data.settlementQuote
    expect(total).toBeCloseTo(1200 + interest, 6)
    expect(fieldsOf(await quote(loanId, dayFrom(-1)))).toEqual(['validUntil'])
    expect((await quote(loanId, dayFrom(5), 'foreign')).status).not.toBe(200)
    const before = await lending.read(loanId)
    // Less than it asks is a payment like any other.
    const part = await lending.pay(loanId, 100, dayFrom(0))
    expect(await read(Id)).toMatchObject({ status: 'Open' })
    await as.admin.post(`/api/payments/${part.Id}/reverse`, { reason: 'x' })
    const paid = await lending.pay(loanId, total, dayFrom(0))
    expect(await lending.read(loanId)).toMatchObject({ status: 'Closed', owed: 0, overpaid: 0 })
    expect(await read(Id)).toMatchObject({ status: 'Settled', paymentId: paid.Id })
    const books = await lending.balances(loanId)
    for (const purpose of ['portfolio', 'interestReceivable', 'overpayments']) expect(books[purpose]).toBeUndefined()
    expect(books['interestIncome']).toBeCloseTo(-interest, 6)
    expect((await as.admin.post(`/api/payments/${paid.Id}/reverse`, { reason: 'No money behind it' })).status).toBe(200)
    const { dateModified: _, accruedTo: __, ...owes } = await lending.read(loanId)
    expect(owes).toMatchObject({
      status: 'Active',
      owed: before['owed'],
      interestOwed: before['interestOwed'],
      daysPastDue: before['daysPastDue'],
    })
    expect(await schedule(loanId)).toHaveLength(3)
    expect(await read(Id)).toMatchObject({ status: 'Open', paymentId: null })
    // The same promise holds for the next payment, from suspense too.
    const found = await lending.pay(null, total, dayFrom(0))
    expect((await as.admin.post(`/api/payments/${found.Id}/allocate`, { loanId })).status).toBe(200)
    expect(await lending.read(loanId)).toMatchObject({ status: 'Closed', overpaid: 0 })
  })
})

describe('money that was overpaid', () => {
  const refund = (loanId: string, over: object = {}, who: Who = 'manager') =>
    as[who].post<{ disbursement: Row }>('/api/disbursements', { loanId, kind: 'refund', channel: 'mobileMoney', ...over })

  it('goes back through the payout door, by two persons, and never twice', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-10))
    expect(fieldsOf(await refund(loanId))).toEqual(['loanId'])
    const payment = await lending.pay(loanId, 1372, dayFrom(0))
    expect(await lending.read(loanId)).toMatchObject({ status: 'Overpaid', overpaid: 100 })
    expect(fieldsOf(await refund(loanId, { amount: 100.01 }))).toEqual(['amount'])
    const five = await Promise.all(Array.from({ length: 5 }, () => refund(loanId, { amount: 60 })))
    expect(five.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422])
    const { Id } = five.find(({ status }) => status === 200)!.body.data.disbursement
    expect((await as.admin.post(`/api/payments/${payment.Id}/reverse`, { reason: 'x' })).status).toBe(409)
    expect((await lending.move(Id, 'approve', {}, 'manager')).status).toBe(403)
    for (const [name, asked] of [
      ['approve', {}],
      ['send', {}],
      ['confirm', { providerReference: 'RF1', paidOn: dayFrom(0) }],
    ] as const)
      expect((await lending.move(Id, name, asked)).status).toBe(200)
    expect(await lending.read(loanId)).toMatchObject({ status: 'Overpaid', overpaid: 40 })
    const rest = (await refund(loanId)).body.data.disbursement
    expect(rest).toMatchObject({ amount: 40 })
    for (const [name, asked] of [
      ['approve', {}],
      ['send', {}],
      ['confirm', { providerReference: 'RF2', paidOn: dayFrom(0) }],
    ] as const)
      expect((await lending.move(rest.Id, name, asked)).status).toBe(200)
    expect(await lending.read(loanId)).toMatchObject({ status: 'Closed', overpaid: 0 })
    expect((await lending.balances(loanId))['overpayments']).toBeUndefined()
  })
})

/** Pays a loan out; gives how much went out. */
async function paidOut(loanId: string, providerReference: string): Promise<number> {
  const { Id, amount } = await lending.disbursement(loanId)
  for (const [name, asked] of [
    ['approve', {}],
    ['send', {}],
    ['confirm', { providerReference, paidOn: dayFrom(0) }],
  ] as const) {
    const answer = await lending.move(Id, name, asked)
    expect(answer.status, answer.text).toBe(200)
  }
  return Number(amount)
}

describe('a top-up', () => {
  it('pays the former loan off with its payout and brings the rest', async () => {
    const { Id: former, clientId } = await lending.running(dayFrom(-40))
    expect(fieldsOf(await as.manager.post(`/api/loans/${former}/top-up`, { principal: 500 }))).toEqual(['principal'])
    expect((await as.officer.post(`/api/loans/${former}/top-up`, { principal: 3000 })).status).toBe(403)
    expect((await as.foreign.post(`/api/loans/${former}/top-up`, { principal: 3000 })).status).toBe(404)
    const opened = await as.manager.post<{ loan: Row }>(`/api/loans/${former}/top-up`, { principal: 3000, instalments: 6 })
    expect(opened.status, opened.text).toBe(200)
    const top = opened.body.data.loan
    expect(top).toMatchObject({ clientId, settlesLoanId: former, status: 'Approved', instalments: 6 })
    const amount = await paidOut(top.Id, 'TU1')
    expect(amount).toBeGreaterThan(1600)
    expect(amount).toBeLessThan(1800)
    expect(await lending.read(former)).toMatchObject({ status: 'Closed', owed: 0, overpaid: 0 })
    expect(await lending.read(top.Id)).toMatchObject({ status: 'Active', principalOwed: 3000 })
    const books = await lending.balances()
    expect(books['topUps']).toBeUndefined()
    expect((await lending.balances(top.Id))['provider']).toBeCloseTo(-amount, 6)
    expect(fieldsOf(await as.admin.post('/api/payments', { loanId: top.Id, amount: 5, paidOn: dayFrom(0), method: 'topUp' }))).toEqual([
      'method',
    ])
  })

  it('has a payment that is not taken back by itself: it would lie nowhere, and at night that is seen', async () => {
    const { Id: former } = await lending.running(dayFrom(-40))
    const top = await as.manager.post<{ loan: Row }>(`/api/loans/${former}/top-up`, { principal: 3000 })
    await paidOut(top.body.data.loan.Id, 'TU2')
    const [paid] = await lending.rows(`select id from payment where "loanId" = $1 and method = 'topUp'`, former)
    const id = String(paid?.['id'])
    for (const call of ['reverse', 'release']) {
      const alone = await as.admin.post(`/api/payments/${id}/${call}`, { reason: 'by itself' })
      expect([alone.status, String(alone.body.message)]).toEqual([409, expect.stringContaining('It stands as long as that payout does')])
    }
    expect(await lending.read(former)).toMatchObject({ status: 'Closed', owed: 0 })
    const program = await lending.program()
    const kept = async () => {
      await program.transaction(reconcile)
      return lending.rows(`select what, booked::float8 from money_difference where status = 'Open' and what like 'Kept of a top-up%'`)
    }
    expect(await kept()).toEqual([])
    await program.transaction((ctx) => reversePayment(ctx, { id, reason: 'As it was possible once' }))
    expect(await kept()).toEqual([{ what: 'Kept of a top-up and not on the loan it pays off', booked: expect.any(Number) }])
  })

  it('is paid out whole where the client paid the former loan off meanwhile', async () => {
    const { Id: former } = await lending.running(dayFrom(-40))
    const top = await as.manager.post<{ loan: Row }>(`/api/loans/${former}/top-up`, { principal: 3000 })
    await lending.pay(former, 1272, dayFrom(0))
    const { Id } = top.body.data.loan
    expect(await paidOut(Id, 'TU3')).toBe(3000)
    expect(await lending.read(Id)).toMatchObject({ status: 'Active', principalOwed: 3000 })
    expect(await lending.read(former)).toMatchObject({ status: 'Closed', overpaid: 0 })
  })

  it('is one at a time, and stays within its product', async () => {
    const { Id: former } = await lending.running(dayFrom(-10))
    const versionId = await draftVersion(as.admin, await makeProduct(as.admin, 'CASH'), {
      creditType: 'unsecured',
      method: 'flat',
      maxAmount: 4_000,
      maxInstalments: 12,
    })
    await lending.rows(`update loan set "productVersionId" = $1, "productName" = 'Cash loan' where id = $2`, versionId, former)
    const ask = (over: object) => as.manager.post<{ loan: Row }>(`/api/loans/${former}/top-up`, { principal: 3000, ...over })
    expect(fieldsOf(await ask({ principal: 4000.01 }))).toEqual(['principal'])
    expect(fieldsOf(await ask({ instalments: 13, annualRate: 24.5 }))).toEqual(['annualRate', 'instalments'])
    const five = await Promise.all(Array.from({ length: 5 }, () => ask({ annualRate: 18 })))
    expect(five.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const opened = five.find(({ status }) => status === 200)
    expect(opened?.body.data.loan).toMatchObject({ productName: 'Cash loan', productVersionId: versionId })
  })
})

describe('limits of approval', () => {
  it('hold for loans that are opened without an application, and for top-ups', async () => {
    const { Id: former } = await lending.running(dayFrom(-10))
    const clientId = await lending.client()
    const { roles } = (await as.admin.get<{ roles: { Id: string; systemRole: string; name: string }[] }>('/api/roles')).body.data
    const role = roles.find(({ name }) => /branch manager/i.test(name))
    const limit = await as.admin.post<{ approvalLimit: Row }>('/api/applications/limits', { roleId: role?.Id, amount: 2_000 })
    expect(limit.status, limit.text).toBe(200)
    const open = (principal: number) =>
      as.manager.post('/api/loans', { clientId, principal, method: 'flat', annualRate: 24, instalments: 3, unit: 'month' })
    const above = await open(2_000.01)
    expect(above.body.fields).toEqual([
      { field: 'principal', message: expect.stringMatching(/^KES\s2,000\.01 is above what your roles may approve, KES\s2,000\.00/) },
    ])
    expect(fieldsOf(await as.manager.post(`/api/loans/${former}/top-up`, { principal: 2_001 }))).toEqual(['principal'])
    expect((await open(2_000)).status).toBe(200)
    expect((await as.manager.post(`/api/loans/${former}/top-up`, { principal: 2_000 })).status).toBe(200)
    expect((await as.admin.post('/api/applications/limits/delete', { ids: [limit.body.data.approvalLimit.Id] })).status).toBe(200)
  })
})
