import { loanTerms } from '@outpost/contract/lending'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal, moneyText, zero } from '../money.ts'
import { dueDates } from './due-dates.ts'
import { feesDue, owedAtPayout, paidOut, roundedSchedule, scheduleOf, type Instalment, type LoanTerms } from './terms.ts'

const usual: LoanTerms = {
  currency: 'KES',
  method: 'declining',
  annualRate: '24',
  dayCount: 'equalPeriods',
  every: { unit: 'month', count: 1 },
  instalments: 12,
  brokenPeriod: 'ignore',
  graceOnPrincipal: 0,
  graceOnInterest: 0,
  fees: [],
  allocation: ['penalty', 'fee', 'interest', 'principal'],
  dueOnHoliday: 'keep',
}
const sum = (rows: Instalment[], key: 'principal' | 'interest' | 'fee' | 'insurance' | 'total') =>
  moneyText(rows.reduce((total, row) => total.plus(row[key]), zero))
const texts = (rows: Instalment[], key: 'principal' | 'interest' | 'insurance' | 'total' | 'balance') =>
  rows.map((row) => moneyText(row[key]))

describe('vectors', () => {
  it('2 % a month, 12 months, 10,000: 945.60, the last 945.55, 11,347.15 in all', () => {
    const rows = scheduleOf(usual, 10_000, '2026-01-15')
    expect(moneyText(rows[0]?.total ?? 0)).toBe('945.60')
    expect(moneyText(rows[11]?.total ?? 0)).toBe('945.55')
    expect(sum(rows, 'total')).toBe('11347.15')
    expect(rows[11]?.balance.isZero()).toBe(true)
  })

  it('keeps the cents: 9.99 % a year on 100,000 over 36 months is 3,226.25', () =>
    expect(moneyText(scheduleOf({ ...usual, annualRate: '9.99', instalments: 36 }, 100_000, '2026-01-15')[0]?.total ?? 0)).toBe('3226.25'))

  it('without interest the principal is spread', () =>
    expect(texts(scheduleOf({ ...usual, annualRate: '0' }, 10_000, '2026-01-15'), 'total').slice(-2)).toEqual(['833.33', '833.37']))
})

describe('methods', () => {
  it('flat asks the same principal and interest each time', () => {
    const rows = scheduleOf({ ...usual, method: 'flat', instalments: 3 }, 1_000, '2026-01-15')
    expect(texts(rows, 'principal')).toEqual(['333.33', '333.33', '333.34'])
    expect(texts(rows, 'interest')).toEqual(['20.00', '20.00', '20.00'])
  })

  it('equal principal asks less interest each time', () =>
    expect(texts(scheduleOf({ ...usual, method: 'equalPrincipal', instalments: 4 }, 1_000, '2026-01-15'), 'total')).toEqual([
      '270.00',
      '265.00',
      '260.00',
      '255.00',
    ]))

  it('interest only pays the principal at the end', () =>
    expect(texts(scheduleOf({ ...usual, method: 'interestOnly', instalments: 3 }, 1_000, '2026-01-15'), 'total')).toEqual([
      '20.00',
      '20.00',
      '1020.00',
    ]))

  it('a balloon is left for the last instalment', () => {
    const rows = scheduleOf({ ...usual, method: 'balloon', balloon: '4000', instalments: 12 }, 10_000, '2026-01-15')
    expect(Math.abs(Number(rows[11]?.total) - Number(rows[0]?.total) - 4_000)).toBeLessThan(0.12)
  })

  it('grace on principal asks interest alone, grace on interest holds it over', () => {
    expect(texts(scheduleOf({ ...usual, graceOnPrincipal: 2, instalments: 4 }, 1_000, '2026-01-15'), 'principal').slice(0, 2)).toEqual([
      '0.00',
      '0.00',
    ])
    const held = scheduleOf({ ...usual, method: 'equalPrincipal', graceOnInterest: 2, instalments: 4 }, 1_000, '2026-01-15')
    expect(texts(held, 'interest')).toEqual(['0.00', '0.00', '45.00', '5.00'])
  })

  it('rounds to whole shillings where the currency has no cents', () => {
    const rows = scheduleOf({ ...usual, currency: 'UGX' }, 1_000_000, '2026-01-15')
    expect(rows.every((row) => row.total.isInteger())).toBe(true)
    expect(sum(rows, 'principal')).toBe('1000000.00')
  })
})

describe('instalments that are rounded', () => {
  const usually = (rows: Instalment[]) => [...new Set(texts(rows, 'total').slice(0, -1))]
  const rounded = (roundTo: string, over: Partial<LoanTerms> = {}) => roundedSchedule({ ...usual, roundTo, ...over }, 10_000, '2026-01-15')

  it('are all the same multiple, and the last one absorbs what that leaves', () => {
    for (const [roundTo, each, last] of [
      ['1', '946.00', '940.58'],
      ['10', '950.00', '890.94'],
      ['100', '900.00', '1511.54'],
    ] as const) {
      const { rows, step } = rounded(roundTo)
      expect([roundTo, usually(rows), texts(rows, 'total').at(-1), step?.toString()]).toEqual([roundTo, [each], last, roundTo])
      expect(sum(rows, 'principal')).toBe('10000.00')
    }
  })

  it('count fees and insurance in, and leave those without principal as they are', () => {
    const { rows } = rounded('10', {
      graceOnPrincipal: 2,
      fees: [{ name: 'Service', kind: 'flat', amount: '33', due: 'perInstalment' }],
      insurance: { kind: 'perMilleOfBalance', rate: '4.5' },
    })
    expect(texts(rows, 'total').slice(0, 2)).toEqual(['278.00', '278.00'])
    expect(rows.slice(2, -1).every(({ total }) => total.modulo(10).isZero())).toBe(true)
  })

  it('are rounded to a tenth where the last one would absorb more than a usual one', () => {
    // 48 instalments of about 326 would be 300: the last one would be more than twice as much.
    const { rows, step } = rounded('100', { instalments: 48 })
    expect([step?.toString(), usually(rows)]).toEqual(['10', ['330.00']])
    expect(rounded('1000', { instalments: 48 }).step?.toString()).toBe('10')
  })

  it('are not rounded beyond the smallest coin of the currency, nor where there is nothing to round', () => {
    expect(rounded('1', { currency: 'UGX' }).step).toBeNull()
    expect(rounded('10', { method: 'interestOnly' }).step).toBeNull()
    expect(rounded('10', { instalments: 1 }).step).toBeNull()
    expect(roundedSchedule(usual, 10_000, '2026-01-15').step).toBeNull()
  })
})

describe('fees and insurance', () => {
  const fees: LoanTerms['fees'] = [
    { name: 'Processing', kind: 'percentOfPrincipal', amount: '2.5', due: 'deducted' },
    { name: 'Legal', kind: 'flat', amount: '300', due: 'financed' },
    { name: 'Service', kind: 'flat', amount: '60', due: 'perInstalment' },
  ]
  it('deducts, finances and asks with each instalment', () => {
    const terms = { ...usual, fees }
    expect([paidOut(terms, 10_000), owedAtPayout(terms, 10_000), feesDue(terms, 10_000, 'perInstalment')].map(moneyText)).toEqual([
      '9750.00',
      '10300.00',
      '60.00',
    ])
    const rows = scheduleOf(terms, 10_000, '2026-01-15')
    expect([sum(rows, 'principal'), sum(rows, 'fee')]).toEqual(['10300.00', '720.00'])
  })

  it('credit life at 4.50 per mille of the balance: 10,000 is 45.00', () =>
    expect(
      texts(scheduleOf({ ...usual, insurance: { kind: 'perMilleOfBalance', rate: '4.5' } }, 10_000, '2026-01-15'), 'insurance')[0],
    ).toBe('45.00'))

  it('a premium in percent is spread to the cent', () =>
    expect(
      sum(
        scheduleOf({ ...usual, instalments: 7, insurance: { kind: 'percentOfPrincipal', rate: '1' } }, 10_000, '2026-01-15'),
        'insurance',
      ),
    ).toBe('100.00'))
})

describe('days', () => {
  it('of the 31st come back to the 31st, through a leap February', () =>
    expect(dueDates({ ...usual, instalments: 4 }, '2027-12-31')).toEqual(['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30']))

  it('of weeks count in sevens', () =>
    expect(dueDates({ ...usual, every: { unit: 'week', count: 2 }, instalments: 2 }, '2026-12-25')).toEqual(['2027-01-08', '2027-01-22']))

  it('off move to the next or the previous working day, never to the payout', () => {
    const off = new Set(['2026-02-15', '2026-02-16'])
    const one = { ...usual, instalments: 1 }
    expect(dueDates({ ...one, dueOnHoliday: 'next' }, '2026-01-15', off)).toEqual(['2026-02-17'])
    expect(dueDates({ ...one, dueOnHoliday: 'previous' }, '2026-01-15', off)).toEqual(['2026-02-14'])
    expect(dueDates({ ...one, dueOnHoliday: 'keep' }, '2026-01-15', off)).toEqual(['2026-02-15'])
    expect(dueDates({ ...one, firstDueAt: '2026-02-16', dueOnHoliday: 'previous' }, '2026-02-14', off)).toEqual(['2026-02-16'])
  })

  it('are charged by the calendar: 29 days of a leap February', () => {
    const terms = { ...usual, instalments: 1, dayCount: 'actual/365' as const, method: 'interestOnly' as const }
    expect(sum(scheduleOf(terms, 36_500, '2028-02-01'), 'interest')).toBe('696.00')
    expect(sum(scheduleOf({ ...terms, dayCount: '30/360' }, 36_000, '2028-02-01'), 'interest')).toBe('720.00')
    expect(sum(scheduleOf({ ...terms, dayCount: 'actual/360' }, 36_000, '2028-02-01'), 'interest')).toBe('696.00')
  })

  it('beyond the first whole period cost something only where they are charged', () => {
    const terms = { ...usual, instalments: 1, firstDueAt: '2026-02-25', method: 'interestOnly' as const }
    expect(sum(scheduleOf(terms, 36_500, '2026-01-15'), 'interest')).toBe('730.00')
    expect(sum(scheduleOf({ ...terms, brokenPeriod: 'charge' }, 36_500, '2026-01-15'), 'interest')).toBe('970.00')
  })
})

describe('the schema', () => {
  it('takes the usual terms and names what contradicts itself', () => {
    expect(loanTerms.safeParse(usual).success).toBe(true)
    const fields = (value: object) => loanTerms.safeParse({ ...usual, ...value }).error?.issues.map(({ path }) => path.join('.'))
    expect(fields({ allocation: ['fee', 'fee', 'interest', 'principal'] })).toEqual(['allocation'])
    expect(fields({ graceOnPrincipal: 12 })).toEqual(['graceOnPrincipal'])
    expect(fields({ method: 'balloon' })).toEqual(['balloon'])
    expect(fields({ annualRate: '1e3' })).toContain('annualRate')
  })
})

const randomLoans = fc.record({
  cents: fc.integer({ min: 100, max: 1_000_000_000 }),
  method: fc.constantFrom<LoanTerms['method'][]>('declining', 'flat', 'equalPrincipal', 'interestOnly', 'balloon'),
  dayCount: fc.constantFrom<LoanTerms['dayCount'][]>('equalPeriods', 'actual/365', 'actual/360', '30/360'),
  rate: fc.integer({ min: 0, max: 12_000 }),
  instalments: fc.integer({ min: 1, max: 48 }),
  grace: fc.tuple(fc.nat(5), fc.nat(5)),
  unit: fc.constantFrom<LoanTerms['every']['unit'][]>('week', 'month'),
  day: fc.integer({ min: 0, max: 3_000 }),
  roundTo: fc.constantFrom('1', '5', '10', '50', '100', '500', '1000'),
})

it('holds over 10,000 loans: principal adds up, no instalment below its interest, nothing below zero, nothing left', () => {
  fc.assert(
    fc.property(randomLoans, ({ cents, method, dayCount, rate, instalments, grace, unit, day }) => {
      const principal = new Decimal(cents).dividedBy(100)
      const terms: LoanTerms = {
        ...usual,
        method,
        dayCount,
        instalments,
        annualRate: new Decimal(rate).dividedBy(100).toString(),
        every: { unit, count: 1 },
        graceOnPrincipal: Math.min(grace[0], instalments - 1),
        graceOnInterest: Math.min(grace[1], instalments - 1),
        ...(method === 'balloon' && { balloon: principal.dividedBy(3).toFixed(2) }),
      }
      const rows = scheduleOf(terms, principal, new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10))
      if (rows.length !== instalments || sum(rows, 'principal') !== moneyText(principal)) throw new Error('principal')
      if (!rows.at(-1)?.balance.isZero()) throw new Error('rest')
      for (const row of rows)
        if (row.total.lt(row.interest) || row.principal.isNegative() || row.interest.isNegative() || row.balance.isNegative())
          throw new Error(`instalment ${row.number}`)
    }),
    { numRuns: 10_000, seed: 20_261_201 },
  )
})

it('holds over 5,000 rounded loans: principal adds up, instalments are multiples, none below its interest, the last one close to what it was', () => {
  fc.assert(
    fc.property(randomLoans, ({ cents, method, dayCount, rate, instalments, grace, unit, day, roundTo }) => {
      const principal = new Decimal(cents).dividedBy(100)
      const terms: LoanTerms = {
        ...usual,
        method,
        dayCount,
        instalments,
        annualRate: new Decimal(rate).dividedBy(100).toString(),
        every: { unit, count: 1 },
        graceOnPrincipal: Math.min(grace[0], instalments - 1),
        graceOnInterest: Math.min(grace[1], instalments - 1),
        fees: [{ name: 'Service', kind: 'percentOfPrincipal', amount: '0.3', due: 'perInstalment' }],
        insurance: { kind: 'perMilleOfBalance', rate: '1.7' },
        ...(method === 'balloon' && { balloon: principal.dividedBy(3).toFixed(2) }),
      }
      const on = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)
      const plain = scheduleOf(terms, principal, on)
      const { rows, step } = roundedSchedule({ ...terms, roundTo }, principal, on)
      if (rows.length !== instalments || sum(rows, 'principal') !== moneyText(principal)) throw new Error('principal')
      if (!rows.at(-1)?.balance.isZero()) throw new Error('rest')
      for (const row of rows)
        if (row.total.lt(row.interest) || row.principal.isNegative() || row.balance.isNegative())
          throw new Error(`instalment ${row.number}`)
      if (step === null) {
        if (texts(rows, 'total').join() !== texts(plain, 'total').join()) throw new Error('changed without a step')
        return
      }
      for (const row of rows.slice(0, -1))
        if (!row.principal.isZero() && !row.total.modulo(step).isZero()) throw new Error(`${row.number} is no multiple`)
      const usually = plain.find((row) => !row.principal.isZero())?.total ?? zero
      if (
        (rows.at(-1)?.total ?? zero)
          .minus(plain.at(-1)?.total ?? zero)
          .abs()
          .gte(usually)
      )
        throw new Error('the last one')
    }),
    { numRuns: 5_000, seed: 20_261_208 },
  )
})
