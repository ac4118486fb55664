import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf } from '../world.ts'
import { dayFrom, makeLending, type Lending, type Row } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
})
afterAll(() => lending.world.app.close())

const allocated = async (id: string) =>
  (
    await as.admin.get<{ allocations: { instalment: number; part: string; amount: number; state: string }[] }>(
      `/api/payments/${id}/allocations`,
    )
  ).body.data.allocations
    .filter(({ state }) => state === 'Booked')
    .map(({ instalment, part, amount }) => `${instalment} ${part} ${amount}`)
const paymentsOf = (loanId: string) => lending.rows(`select * from payment where "loanId" = $1 and status = 'Posted'`, loanId)
/** What schedule, transactions, loan and ledger say of a loan must be one. */
async function assertOneTruth(loanId: string): Promise<void> {
  const loan = await lending.read(loanId)
  const books = await lending.balances(loanId)
  expect(books['portfolio'] ?? 0).toBeCloseTo(Number(loan['principalOwed']), 6)
  expect(-(books['overpayments'] ?? 0)).toBeCloseTo(Number(loan['overpaid']), 6)
  expect(books['penaltyReceivable'] ?? 0).toBeCloseTo(Number(loan['penaltiesOwed']), 6)
  const { instalments } = (await as.admin.get<{ instalments: { open: number }[] }>(`/api/loans/${loanId}/schedule`)).body.data
  expect(instalments.reduce((sum, { open }) => sum + open, 0)).toBeCloseTo(Number(loan['owed']), 6)
  const { transactions } = (await as.admin.get<{ transactions: { principalOwed: number }[] }>(`/api/loans/${loanId}/transactions`)).body
    .data
  expect(transactions[0]?.principalOwed).toBeCloseTo(Number(loan['principalOwed']), 6)
}

describe('a payment', () => {
  it('settles what is due by the order of the terms, and keeps its lines', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-45))
    const made = await lending.pay(loanId, 430, dayFrom(0), { payerName: 'Wanjiru' })
    expect(made).toMatchObject({
      paymentNumber: 'R-000001',
      status: 'Posted',
      provider: 'manual',
      kind: 'repayment',
      tenantId: lending.world.team.id,
    })
    expect(await allocated(made.Id)).toEqual(['1 interest 24', '1 principal 400', '2 interest 6'])
    expect(await lending.read(loanId)).toMatchObject({ principalOwed: 800, interestOwed: 42, owed: 842, daysPastDue: 0, status: 'Active' })
    await assertOneTruth(loanId)
    const receipt = await as.officer.get(`/api/payments/${made.Id}/receipt`)
    expect([receipt.status, receipt.text.slice(0, 4)]).toEqual([200, '%PDF'])
    expect((await as.officer.get(`/api/loans/${loanId}/statement`)).text.slice(0, 4)).toBe('%PDF')
  })

  it('is edited on the screen that names it by ?id=, which loads it and saves it', async () => {
    interface Form {
      title: string
      load?: { method: string; path: string }
      submit?: { method: string; path: string }
    }
    const { view } = (await as.admin.get<{ view: Form }>('/api/console/screens/clients-payments-edit')).body.data
    expect(view.title).toBe('Edit payment')
    expect(view.load).toMatchObject({ method: 'GET', path: '/api/payments/:id' })
    expect(view.submit).toMatchObject({ method: 'PUT', path: '/api/payments/:id' })
    const { screens } = (await as.admin.get<{ screens: { path: string; takesId?: boolean }[] }>('/api/console')).body.data
    expect(screens.find(({ path }) => path === '/clients/payments/edit')?.takesId).toBe(true)
  })

  it('said five times at once is one, by its reference and by its Id', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-45))
    const five = async (body: object) =>
      Promise.all(
        Array.from({ length: 5 }, () =>
          as.officer.post<{ payment: Row }>('/api/payments', { loanId, amount: 100, paidOn: dayFrom(0), ...body }),
        ),
      )
    const byReference = await five({ method: 'transfer', providerReference: 'ft-77' })
    expect([new Set(byReference.map(({ status }) => status)), new Set(byReference.map(({ body }) => body.data.payment.Id)).size]).toEqual([
      new Set([200]),
      1,
    ])
    const byId = await five({ Id: randomUUID(), method: 'cash' })
    expect(new Set(byId.map(({ body }) => body.data.payment.Id)).size).toBe(1)
    expect(await paymentsOf(loanId)).toHaveLength(2)
    const other = await as.officer.post('/api/payments', {
      loanId,
      amount: 101,
      paidOn: dayFrom(0),
      method: 'transfer',
      providerReference: 'FT-77',
    })
    expect([other.status, other.body.code]).toEqual([409, 'PAYMENT_REFERENCE_TAKEN'])
    await assertOneTruth(loanId)
  })

  it('of many people at once are all booked', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-45))
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => as.officer.post('/api/payments', { loanId, amount: 50, paidOn: dayFrom(0), method: 'cash' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(await lending.read(loanId)).toMatchObject({ owed: 1272 - 400 })
    await assertOneTruth(loanId)
  })

  it('beyond all that is owed closes the loan and is overpaid; taken back, the loan runs again', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-10))
    const made = await lending.pay(loanId, 1300, dayFrom(0))
    expect(await lending.read(loanId)).toMatchObject({ status: 'Overpaid', overpaid: 28, owed: 0, closedOn: dayFrom(0) })
    // All interest is earned once it is paid.
    expect(await lending.balances(loanId)).toMatchObject({ interestIncome: -72, overpayments: -28, cash: 1300 })
    expect((await as.admin.post(`/api/payments/${made.Id}/reverse`, { reason: 'The note was false' })).status).toBe(200)
    const again = await lending.read(loanId)
    expect(again).toMatchObject({ status: 'Active', overpaid: 0, owed: 1272, closedOn: null })
    expect((await lending.balances(loanId))['cash']).toBeUndefined()
    expect(-((await lending.balances(loanId))['interestIncome'] ?? 0)).toBeLessThan(24)
    await assertOneTruth(loanId)
  })

  it('is reversed by contra entries even after later ones, which then settle what it had settled', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-75))
    const [first, second] = [await lending.pay(loanId, 424, dayFrom(-44)), await lending.pay(loanId, 424, dayFrom(-10))]
    expect(await allocated(second.Id)).toEqual(['2 interest 24', '2 principal 400'])
    const before = await lending.rows(`select id, to_jsonb(e) as row from ledger_entry e where "loanId" = $1 order by id`, loanId)
    expect((await as.officer.post(`/api/payments/${first.Id}/reverse`, { reason: 'x' })).status).toBe(403)
    expect(fieldsOf(await as.admin.post(`/api/payments/${first.Id}/reverse`, {}))).toEqual(['reason'])
    const reversed = await as.admin.post<{ payment: Row }>(`/api/payments/${first.Id}/reverse`, { reason: 'Cheque bounced' })
    expect(reversed.body.data.payment).toMatchObject({ status: 'Reversed', statusReason: 'Cheque bounced' })
    expect(await allocated(first.Id)).toEqual([])
    expect(await allocated(second.Id)).toEqual(['1 interest 24', '1 principal 400'])
    const after = await lending.rows(`select id, to_jsonb(e) as row from ledger_entry e where "loanId" = $1 order by id`, loanId)
    // What was booked stays as it was; what is new takes it back and books it anew.
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.length).toBe(before.length + 3)
    expect((await lending.balances(loanId))['cash']).toBe(424)
    await assertOneTruth(loanId)
    expect((await as.admin.post(`/api/payments/${first.Id}/reverse`, { reason: 'Again' })).status).toBe(409)
  })

  it('captured late counts on its day: penalties that it shows to be undue are taken back', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-60), {
      terms: { penalty: { kind: 'flat', amount: '50', per: 'instalment', graceDays: 3 } },
    })
    expect(await lending.read(loanId)).toMatchObject({ penaltiesOwed: 50 })
    await lending.pay(loanId, 424, dayFrom(-40))
    expect(await lending.read(loanId)).toMatchObject({ penaltiesOwed: 0 })
    expect(await lending.balances(loanId)).not.toHaveProperty('penaltyIncome')
    await assertOneTruth(loanId)
  })

  it('names what is wrong with it and is nobody else’s', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-45))
    const wrong = async (body: object, who: 'admin' | 'elsewhere' | 'foreign' = 'admin') =>
      fieldsOf(await as[who].post('/api/payments', { loanId, amount: 10, paidOn: dayFrom(0), method: 'cash', ...body }))
    expect(await wrong({ amount: 0 })).toEqual(['amount'])
    expect(await wrong({ amount: 1.234 })).toEqual(['amount'])
    expect(await wrong({ paidOn: dayFrom(2) })).toEqual(['paidOn'])
    expect(await wrong({ paidOn: dayFrom(-46) })).toEqual(['paidOn'])
    expect(await wrong({ loanId: (await lending.loan()).Id })).toEqual(['loanId'])
    expect(await wrong({}, 'elsewhere')).toEqual(['loanId'])
    expect(await wrong({}, 'foreign')).toEqual(['loanId'])
    const { Id } = await lending.pay(loanId, 10, dayFrom(0))
    for (const who of ['elsewhere', 'foreign'] as const) {
      for (const path of ['', '/allocations', '/receipt', '/suggestions'])
        expect((await as[who].get(`/api/payments/${Id}${path}`)).status).toBe(404)
      expect((await as[who].post(`/api/payments/${Id}/allocate`, { loanId })).status).toBe(404)
    }
    expect((await as.foreign.post(`/api/payments/${Id}/reverse`, { reason: 'x' })).status).toBe(404)
    expect(fieldsOf(await as.admin.put(`/api/payments/${Id}`, { amount: 11 }))).toEqual(['amount'])
    expect((await as.admin.put<{ payment: Row }>(`/api/payments/${Id}`, { note: 'Counted twice' })).body.data.payment).toMatchObject({
      note: 'Counted twice',
      amount: 10,
    })
  })
})

describe('money whose loan is not known', () => {
  it('waits in suspense, is suggested to likely loans, is allocated, and can be taken back into suspense', async () => {
    const running = await lending.running(dayFrom(-45))
    const made = await lending.pay(null, 424, dayFrom(0), {
      method: 'mobileMoney',
      providerReference: 'SUS1',
      billReference: String(running['loanNumber']),
    })
    expect(made).toMatchObject({ status: 'Suspense', loanId: null })
    const { suggestions } = (await as.admin.get<{ suggestions: { Id: string; because: string }[] }>(`/api/payments/${made.Id}/suggestions`))
      .body.data
    expect(suggestions[0]).toMatchObject({ Id: running.Id, because: 'loan number, amount of an instalment' })
    expect((await lending.balances())['suspense']).toBe(-424)
    const stranger = await as.admin.post(`/api/payments/${made.Id}/allocate`, { loanId: randomUUID() })
    expect(fieldsOf(stranger)).toEqual(['loanId'])
    const all = await Promise.all(
      Array.from({ length: 5 }, () => as.admin.post(`/api/payments/${made.Id}/allocate-to`, { loanId: running.Id })),
    )
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(await lending.read(running.Id)).toMatchObject({ owed: 848 })
    expect((await lending.balances())['suspense']).toBeUndefined()
    await assertOneTruth(running.Id)
    const back = await as.admin.post<{ payment: Row }>(`/api/payments/${made.Id}/release`, { reason: 'Another client’s' })
    expect(back.body.data.payment).toMatchObject({ status: 'Suspense', loanId: null, clientId: null })
    expect(await lending.read(running.Id)).toMatchObject({ owed: 1272 })
    expect((await lending.balances())['suspense']).toBe(-424)
    expect((await as.admin.post(`/api/payments/${made.Id}/reverse`, { reason: 'Never came' })).status).toBe(200)
    expect((await lending.balances())['suspense']).toBeUndefined()
    await assertOneTruth(running.Id)
  })

  it('takes money of a loan into suspense that never was there', async () => {
    const running = await lending.running(dayFrom(-45))
    const { Id } = await lending.pay(running.Id, 424, dayFrom(0))
    expect((await as.admin.post(`/api/payments/${Id}/release`, { reason: 'Wrong loan' })).status).toBe(200)
    expect((await lending.balances())['suspense']).toBe(-424)
    const other = await lending.running(dayFrom(-45))
    expect((await as.admin.post(`/api/payments/${Id}/allocate`, { loanId: other.Id })).status).toBe(200)
    expect([(await lending.read(running.Id))['owed'], (await lending.read(other.Id))['owed']]).toEqual([1272, 848])
    expect((await lending.balances())['suspense']).toBeUndefined()
    await assertOneTruth(other.Id)
  })
})
