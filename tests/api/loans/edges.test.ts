import { randomUUID } from 'node:crypto'
import type { LoanTerms } from '@outpost/rules/lending/terms'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconcile } from '../../../apps/server/src/areas/reconciliation/reconcile.ts'
import { runNightly } from '../../../apps/server/src/areas/loans/loan.nightly.ts'
import type { Ctx } from '../../../apps/server/src/kernel/types.ts'
import { fieldsOf } from '../world.ts'
import { dayFrom, makeLending, terms, type Lending, type Row } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']
let program: Ctx

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
  program = await lending.program()
})
afterAll(() => lending.world.app.close())

const open = async (over: object) =>
  as.manager.post<{ loan: Row }>('/api/loans', { clientId: await lending.client(), principal: 1000, terms, ...over })
const usual = { terms: undefined, method: 'flat', annualRate: 24 }
const writeOff = (id: string) => as.admin.post(`/api/loans/${id}/move`, { move: 'writeOff', reason: 'Moved abroad' })
/** What the night would find wrong. */
async function differences(): Promise<unknown[]> {
  await program.transaction(reconcile)
  return lending.rows(`select what, stated, booked from money_difference where status = 'Open'`)
}
const linesOf = async (loanId: string, counts: string) => {
  const filter = JSON.stringify([
    { field: 'loanId', op: 'eq', value: loanId },
    { field: 'counts', op: 'eq', value: counts },
  ])
  const answer = await as.admin.get<{ loanBalanceLines: Row[] }>(`/api/loan-balances?filter=${encodeURIComponent(filter)}`)
  return Math.round(answer.body.data.loanBalanceLines.reduce((sum, { amount }) => sum + Number(amount) * 100, 0)) / 100
}

describe('a new loan', () => {
  it('is looked after by nobody of another company, and by nobody beyond the reach of who opens it', async () => {
    const { foreign, elsewhere, officer } = lending.world.people
    for (const officerUserId of [foreign.id, elsewhere.id, randomUUID()])
      expect(fieldsOf(await open({ officerUserId }))).toEqual(['officerUserId'])
    expect((await open({ officerUserId: officer.id })).body.data.loan['officerUserId']).toBe(officer.id)
  })

  it('has whole numbers where it asks for such: nothing is made of yes, of hexadecimals, of a number that breaks off', async () => {
    const { Id } = await lending.running(dayFrom(-20))
    for (const instalments of [true, '0x10', '5.', [6], 2.5, '1e2', {}]) {
      expect([instalments, fieldsOf(await open({ ...usual, instalments }))]).toEqual([instalments, ['instalments']])
      expect(fieldsOf(await as.manager.post(`/api/loans/${Id}/top-up`, { principal: 5000, instalments }))).toEqual(['instalments'])
      expect(fieldsOf(await as.manager.post(`/api/loans/${Id}/restructure/preview`, { instalments }))).toEqual(['instalments'])
    }
    expect((await open({ ...usual, instalments: '6' })).body.data.loan).toMatchObject({ instalments: 6 })
  })

  it('has terms that can be paid: a first instalment in years that somebody means, a balloon within what is owed', async () => {
    for (const firstDueAt of ['0001-01-01', '0202-11-01', '9999-12-31'])
      expect(fieldsOf(await open({ terms: { ...terms, firstDueAt } }))).toEqual(['terms.firstDueAt'])
    expect(fieldsOf(await open({ terms: { ...terms, method: 'balloon', balloon: '1000.01' } }))).toEqual(['terms.balloon'])
    expect((await open({ terms: { ...terms, method: 'balloon', balloon: '1000' } })).status).toBe(200)
  })

  it('that is cancelled at the moment its payout is asked for has no payout, or is not cancelled', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const { Id: loanId } = await lending.loan()
      const answers = await Promise.all([
        as.admin.post(`/api/loans/${loanId}/move`, { move: 'cancel', reason: 'Changed their mind' }),
        as.manager.post('/api/disbursements', { loanId, channel: 'cash' }),
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  })
})

describe('a write-off', () => {
  it('loses what is owed and nothing less: what was paid ahead is earned, not taken off the loss', async () => {
    const { Id } = await lending.running(dayFrom(-1), { terms: { annualRate: '180', instalments: 9 } })
    // Eight of nine instalments on the second day: 1,440 of interest that no day has earned yet.
    await lending.pay(Id, 2_506.64, dayFrom(0))
    const before = await lending.read(Id)
    const income = (await lending.balances(Id))['interestIncome'] ?? 0
    expect((await writeOff(Id)).status).toBe(200)
    const after = await lending.read(Id)
    expect(Number(after['writtenOff'])).toBeCloseTo(Number(before['principalOwed']), 6)
    const books = await lending.balances(Id)
    expect(books['writeOffs']).toBeCloseTo(Number(after['writtenOff']), 6)
    expect(books).not.toHaveProperty('interestReceivable')
    expect((books['interestIncome'] ?? 0) - income).toBeLessThan(-1_400)
    // What is paid from then on is a recovery up to the loss, and the client's beyond it.
    await lending.pay(Id, 500, dayFrom(0))
    expect((await lending.balances(Id))['recoveries']).toBeCloseTo(-Number(after['writtenOff']), 6)
    expect(await linesOf(Id, 'owed')).toBeCloseTo(0, 6)
    expect(await linesOf(Id, 'overpaid')).toBeCloseTo(500 - Number(after['writtenOff']), 6)
    expect(await differences()).toEqual([])
  })

  it('is refused while all that is owed is not earned yet: in the books there is nothing to lose', async () => {
    const fees = [{ name: 'End', kind: 'flat' as const, amount: '10', due: 'perInstalment' as const }]
    const over = {
      annualRate: '0',
      instalments: 1,
      fees,
      allocation: ['principal', 'interest', 'fee', 'penalty'] as LoanTerms['allocation'],
    }
    const { Id } = await lending.running(dayFrom(-1), { terms: over })
    await lending.pay(Id, 1_200, dayFrom(0))
    expect(await lending.read(Id)).toMatchObject({ status: 'Active', owed: 10 })
    const refused = await writeOff(Id)
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('not earned yet')])
    expect(await lending.read(Id)).toMatchObject({ status: 'Active', owed: 10 })
  })
})

describe('a refund', () => {
  it('was not paid before its loan was', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-40))
    await lending.pay(loanId, 1_500, dayFrom(-2))
    const asked = await as.manager.post<{ disbursement: Row }>('/api/disbursements', { loanId, kind: 'refund', channel: 'cash' })
    const { Id } = asked.body.data.disbursement
    for (const name of ['approve', 'send']) expect((await lending.move(Id, name)).status).toBe(200)
    const confirm = (paidOn: string) => lending.move(Id, 'confirm', { providerReference: 'RF1', paidOn })
    for (const day of ['1900-01-01', dayFrom(-41), dayFrom(1)]) expect(fieldsOf(await confirm(day))).toEqual(['paidOn'])
    expect((await confirm(dayFrom(-1))).status).toBe(200)
  })
})

describe('a settlement quote', () => {
  const quoted = async () => {
    const { Id: loanId } = await lending.running(dayFrom(-40))
    const made = await as.officer.post<{ settlementQuote: Row & { total: number } }>('/api/settlement-quotes', {
      loanId,
      validUntil: dayFrom(0),
    })
    const { Id, total } = made.body.data.settlementQuote
    // As if it had been made a week ago and its last day were yesterday.
    await lending.rows(`update settlement_quote set "quotedOn" = $2, "validUntil" = $3 where id = $1`, Id, dayFrom(-7), dayFrom(-1))
    await runNightly(program)
    const read = async () => (await as.admin.get<{ settlementQuote: Row }>(`/api/settlement-quotes/${Id}`)).body.data.settlementQuote
    expect(await read()).toMatchObject({ status: 'Expired' })
    return { loanId, total, read }
  }

  it('is kept where its money came in time and is told of after the night, as by a statement', async () => {
    const { loanId, total, read } = await quoted()
    const late = await lending.pay(loanId, total, dayFrom(-1))
    expect(await read()).toMatchObject({ status: 'Settled', paymentId: late.Id })
    const status = String((await lending.read(loanId))['status'])
    expect(['Closed', 'Overpaid']).toContain(status)
    expect((await as.admin.post(`/api/payments/${late.Id}/reverse`, { reason: 'Bounced' })).status).toBe(200)
    await runNightly(program)
    expect(await read()).toMatchObject({ status: 'Expired', paymentId: null })
    expect(await lending.read(loanId)).toMatchObject({ status: 'Active' })
    expect(await differences()).toEqual([])
  })

  it('is none for money that came after its last day, nor by what was paid since', async () => {
    const { loanId, total, read } = await quoted()
    await lending.pay(loanId, total - 100, dayFrom(0))
    // With what came since it would be enough.
    await lending.pay(loanId, 100, dayFrom(-1))
    expect(await read()).toMatchObject({ status: 'Expired' })
    expect(await lending.read(loanId)).toMatchObject({ status: 'Active' })
  })
})
