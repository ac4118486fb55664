import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal, moneyText, zero } from '../money.ts'
import { interestEarned, openAmount, replay, type Allocation, type Paid } from './replay.ts'
import { scheduleOf, type LoanTerms } from './terms.ts'

const terms: LoanTerms = {
  currency: 'KES',
  method: 'flat',
  annualRate: '24',
  dayCount: 'equalPeriods',
  every: { unit: 'month', count: 1 },
  instalments: 3,
  brokenPeriod: 'ignore',
  graceOnPrincipal: 0,
  graceOnInterest: 0,
  fees: [],
  allocation: ['penalty', 'fee', 'interest', 'principal'],
  dueOnHoliday: 'keep',
}
/** 1,200 over three months: 400 and 24 each, on the 15th of February, March and April. */
const instalments = scheduleOf(terms, 1_200, '2026-01-15')
const run = (payments: Paid[], over: Partial<LoanTerms> = {}, asOf = '2026-05-01') =>
  replay({ terms: { ...terms, ...over }, instalments, payments, asOf })
const words = (allocations: readonly Allocation[]) =>
  allocations.map(({ paymentId, number, part, amount }) => `${paymentId} ${number} ${part} ${moneyText(amount)}`)
const paid = (id: string, on: string, amount: DecimalText): Paid => ({ id, on, amount })
type DecimalText = string

describe('a payment', () => {
  it('settles the oldest instalment first, its parts in the order of the terms', () => {
    expect(words(run([paid('a', '2026-02-15', '430')]).allocations)).toEqual([
      'a 1 interest 24.00',
      'a 1 principal 400.00',
      'a 2 interest 6.00',
    ])
    expect(words(run([paid('a', '2026-02-15', '100')], { allocation: ['principal', 'interest', 'fee', 'penalty'] }).allocations)).toEqual([
      'a 1 principal 100.00',
    ])
  })

  it('beyond all that is owed is overpaid', () => {
    const { allocations, overpaid } = run([paid('a', '2026-02-15', '1300')])
    expect(words(allocations).at(-1)).toBe('a 0 overpaid 28.00')
    expect(moneyText(overpaid)).toBe('28.00')
  })

  it('captured late counts on its day: the order of capture does not matter', () => {
    const [first, second] = [paid('a', '2026-02-15', '424'), paid('b', '2026-03-15', '300')]
    expect(run([second, first])).toEqual(run([first, second]))
  })

  it('taken away leaves what the others would have done without it', () => {
    const later = paid('b', '2026-03-15', '424')
    expect(words(run([later]).allocations)).toEqual(['b 1 interest 24.00', 'b 1 principal 400.00'])
  })
})

describe('penalties', () => {
  const penalty = { kind: 'percentOfOverdue', amount: '10', per: 'month', graceDays: 5 } as const
  const of = (payments: Paid[], over: Partial<NonNullable<LoanTerms['penalty']>> = {}, asOf = '2026-04-21') =>
    run(payments, { penalty: { ...penalty, ...over } }, asOf).penalties.map(
      ({ number, period, on, amount }) => `${number}.${period} ${on} ${moneyText(amount)}`,
    )

  it('begin the day after the grace, on what is late then, and come again each month', () =>
    expect(of([])).toEqual([
      '1.1 2026-02-21 42.40',
      '1.2 2026-03-21 42.40',
      '1.3 2026-04-21 42.40',
      '2.1 2026-03-21 42.40',
      '2.2 2026-04-21 42.40',
      '3.1 2026-04-21 42.40',
    ]))

  it('are asked once an instalment, or not at all where it was paid in time', () => {
    expect(of([], { per: 'instalment', kind: 'flat', amount: '50' }, '2026-03-20')).toEqual(['1.1 2026-02-21 50.00'])
    expect(of([paid('a', '2026-02-20', '424')], {}, '2026-03-20')).toEqual([])
    expect(of([paid('a', '2026-02-21', '424')], {}, '2026-03-20')).toEqual(['1.1 2026-02-21 42.40'])
  })

  it('are paid before the rest, and open a paid instalment no more', () =>
    expect(words(run([paid('a', '2026-02-25', '466.40')], { penalty }, '2026-03-20').allocations)).toEqual([
      'a 1 penalty 42.40',
      'a 1 interest 24.00',
      'a 1 principal 400.00',
    ]))
})

describe('interest earned', () => {
  const earned = (asOf: string) => moneyText(interestEarned(instalments, { disbursedOn: '2026-01-15', asOf, currency: 'KES' }))
  it('grows by the days of the period and is whole at its end', () => {
    expect([earned('2026-01-15'), earned('2026-01-30'), earned('2026-02-15'), earned('2026-03-01'), earned('2027-01-01')]).toEqual([
      '0.00',
      '11.61',
      '24.00',
      '36.00',
      '72.00',
    ])
  })
})

const histories = fc.array(fc.record({ day: fc.nat(120), cents: fc.integer({ min: 1, max: 60_000 }) }), { maxLength: 12 })

it('holds over 2,000 histories: money in is money allocated, nothing is paid twice, and capture in any order ends the same', () => {
  fc.assert(
    fc.property(histories, fc.integer(), (history, seed) => {
      const payments = history.map(({ day, cents }, index) =>
        paid(String(index), new Date(Date.UTC(2026, 0, 16 + day)).toISOString().slice(0, 10), new Decimal(cents).dividedBy(100).toFixed(2)),
      )
      const penalty = { kind: 'percentOfOverdue', amount: '5', per: 'month', graceDays: 3 } as const
      const result = run(payments, { penalty })
      const sum = (values: { amount: Decimal | string | number }[]) =>
        moneyText(values.reduce((total, { amount }) => total.plus(amount), zero))
      if (sum(result.allocations) !== sum(payments.map(({ amount }) => ({ amount: new Decimal(amount) })))) throw new Error('money')
      if (result.instalments.some((row) => openAmount(row).isNegative())) throw new Error('paid twice')
      const distinct = new Set(payments.map(({ on }) => on)).size === payments.length
      const shuffled = payments.toSorted((a, b) => ((Number(a.id) * 7919 + seed) % 13) - ((Number(b.id) * 7919 + seed) % 13))
      if (distinct && JSON.stringify(run(shuffled, { penalty })) !== JSON.stringify(result)) throw new Error('order')
    }),
    { numRuns: 2_000, seed: 20_261_201 },
  )
})

describe('in duplum', () => {
  const penalty = { kind: 'flat', amount: '150', per: 'month', graceDays: 0 } as const
  const total = (payments: Paid[], over: Partial<LoanTerms['penalty'] & object> = {}, asOf = '2027-06-01') =>
    run(payments, { penalty: { ...penalty, ...over } }, asOf)
      .penalties.reduce((sum, { amount }) => sum.plus(amount), zero)
      .toNumber()

  it('penalties with what falls due in arrears come to the principal that was unpaid when they began, and no more', () => {
    expect(total([])).toBeGreaterThan(5_000)
    // 1,200 were unpaid on 15 February; the interest of March and April falls due in arrears.
    expect(total([], { inDuplum: true })).toBe(1_200 - 48)
    expect(total([], { inDuplum: true }, '2026-03-01')).toBe(150)
  })

  it('begins anew with the principal of the day once all that was due was paid', () => {
    const first = [paid('a', '2026-02-20', '574')]
    // Penalties of 150 were paid with the first instalment; from 15 March on 800 are unpaid, and 24 of April fall due.
    expect(total(first, { inDuplum: true })).toBe(150 + 800 - 24)
    // What is paid while the arrears last makes no room.
    expect(total([paid('a', '2026-06-01', '600')], { inDuplum: true })).toBe(1_200 - 48)
  })

  it('is the same however the days are cut by payments of nothing much', () => {
    const bits = ['2026-03-02', '2026-05-09', '2026-08-01'].map((on, place) => paid(`p${place}`, on, '0.01'))
    expect(total(bits, { inDuplum: true })).toBe(1_200 - 48)
  })
})
