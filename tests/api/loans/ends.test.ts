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

describe('a settlement quote', () => {
  it('asks the principal and what was earned by its day, and says what is saved', async () => {
    const { Id } = await lending.running(dayFrom(-5))
    const quote = async (on?: string) =>
      (await as.officer.get<{ quote: Record<string, string> }>(`/api/loans/${Id}/settlement${on ? `?on=${on}` : ''}`)).body.data.quote
    const now = await quote()
    expect(now).toMatchObject({ principal: '1200.00', fees: '0.00', penalties: '0.00', validUntil: dayFrom(0) })
    expect(Number(now['interest'])).toBeGreaterThan(3)
    expect(Number(now['interest'])).toBeLessThan(5)
    expect(Number(now['total']) + Number(now['saved'])).toBeCloseTo(1272, 6)
    expect(Number((await quote(dayFrom(10)))['interest'])).toBeGreaterThan(Number(now['interest']))
    expect(fieldsOf(await as.officer.get(`/api/loans/${Id}/settlement?on=${dayFrom(-1)}`))).toEqual(['on'])
    expect((await as.officer.post(`/api/loans/${Id}/settlement/pdf`, { on: dayFrom(3) })).text.slice(0, 4)).toBe('%PDF')
    expect((await as.foreign.get(`/api/loans/${Id}/settlement`)).status).toBe(404)
    expect((await as.admin.get(`/api/loans/${(await lending.loan()).Id}/settlement`)).status).toBe(409)
  })
})

describe('a restructure', () => {
  it('is shown beside what is left of the loan, and changes nothing', async () => {
    const { Id } = await lending.running(dayFrom(-45))
    await lending.pay(Id, 424, dayFrom(-2))
    const before = await lending.read(Id)
    const answer = await as.manager.post<{
      principal: string
      before: Record<string, unknown>
      after: { rows: { principal: string }[] } & Record<string, unknown>
    }>(`/api/loans/${Id}/restructure/preview`, { instalments: 8, annualRate: 12 })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.data).toMatchObject({
      principal: '800.00',
      before: { instalments: 2, instalment: '424.00', total: '848.00' },
      after: { instalments: 8 },
    })
    // Beside the interest of the new terms, the days of the running period: what a settlement would ask for today.
    const { quote } = (await as.manager.get<{ quote: Record<string, string> }>(`/api/loans/${Id}/settlement`)).body.data
    const earned = Number(quote['interest'])
    expect(earned).toBeGreaterThan(8)
    expect(Number(answer.body.data.after['interest'])).toBeCloseTo(64 + earned, 6)
    expect(Number(answer.body.data.after['instalment'])).toBeCloseTo(108 + earned, 6)
    expect(answer.body.data.after.rows.reduce((sum, { principal }) => sum + Number(principal), 0)).toBeCloseTo(800, 6)
    expect(await lending.read(Id)).toEqual(before)
    expect(fieldsOf(await as.manager.post(`/api/loans/${Id}/restructure/preview`, { instalments: 0 }))).toEqual(['instalments'])
    expect(fieldsOf(await as.manager.post(`/api/loans/${Id}/restructure/preview`, { firstDueAt: dayFrom(-3) }))).toEqual(['firstDueAt'])
    expect((await as.manager.post(`/api/loans/${Id}/restructure/pdf`, { instalments: 6 })).text.slice(0, 4)).toBe('%PDF')
    expect((await as.officer.post(`/api/loans/${Id}/restructure/preview`, {})).status).toBe(403)
    expect((await as.foreign.post(`/api/loans/${Id}/restructure/preview`, {})).status).toBe(404)
  })
})

describe('a write-off', () => {
  const writeOff = (id: string, who: 'admin' | 'manager' = 'admin') =>
    as[who].post<{ loan: Row }>(`/api/loans/${id}/move`, { move: 'writeOff', reason: 'Client moved abroad' })

  it('takes all that is owed out of the books, by a second person; what is paid then is a recovery', async () => {
    const { Id } = await lending.running(dayFrom(-75), {
      terms: { penalty: { kind: 'flat', amount: '50', per: 'instalment', graceDays: 3 } },
    })
    const first = await lending.pay(Id, 450, dayFrom(-20))
    expect(fieldsOf(await as.admin.post(`/api/loans/${Id}/move`, { move: 'writeOff' }))).toEqual(['reason'])
    const books = await lending.balances(Id)
    const five = await Promise.all(Array.from({ length: 5 }, () => writeOff(Id)))
    expect(five.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const after = await lending.balances(Id)
    for (const purpose of ['portfolio', 'interestReceivable', 'penaltyReceivable', 'feeReceivable']) expect(after[purpose]).toBeUndefined()
    // No night has come yet: the interest that was paid is booked as paid ahead. It is earned, and makes the loss no smaller.
    expect(books['interestReceivable']).toBe(-24)
    expect(after['interestIncome']).toBe(-24)
    expect(after['writeOffs']).toBeCloseTo((books['portfolio'] ?? 0) + (books['penaltyReceivable'] ?? 0), 6)
    expect(await lending.read(Id)).toMatchObject({
      status: 'Written off',
      statusReason: 'Client moved abroad',
      writtenOffOn: dayFrom(0),
      owed: 0,
      daysPastDue: 0,
    })
    const recovered = await lending.pay(Id, 100, dayFrom(0))
    expect(recovered).toMatchObject({ kind: 'recovery' })
    expect(await lending.balances(Id)).toMatchObject({ recoveries: -100, writeOffs: after['writeOffs'] })
    expect((await as.admin.post(`/api/payments/${first.Id}/reverse`, { reason: 'x' })).status).toBe(409)
    expect((await as.admin.post(`/api/payments/${recovered.Id}/reverse`, { reason: 'x' })).status).toBe(200)
    expect((await lending.balances(Id))['recoveries']).toBeUndefined()
  })

  it('is not for who asked for the payout', async () => {
    const { Id: loanId } = await lending.loan()
    const { Id } = await lending.disbursement(loanId)
    for (const [name, asked] of [
      ['approve', {}],
      ['send', {}],
      ['confirm', { providerReference: 'W1', paidOn: dayFrom(-40) }],
    ] as const)
      await lending.move(Id, name, asked)
    expect((await writeOff(loanId, 'manager')).status).toBe(403)
    expect((await lending.read(loanId))['status']).toBe('Active')
  })
})
