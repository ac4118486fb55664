import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { payment, presentValue } from './loan-maths.ts'
import { loanSchedule } from './loan-schedule.ts'
import { Decimal, moneyText, zero } from '../money.ts'

describe('payment and present value', () => {
  it.each([
    ['end', { rate: '0.02', periods: 12, present: 10_000 }, '-945.5959662295'],
    ['a year of months', { rate: new Decimal('0.0999').dividedBy(12), periods: 36, present: 100_000 }, '-3226.2492450000'],
    ['begin', { rate: '0.02', periods: 12, present: 10_000, when: 'begin' as const }, '-927.0548688525'],
    ['no interest', { rate: 0, periods: 12, present: 10_000 }, '-833.3333333333'],
  ])('PMT, %s', (_, terms, expected) => expect(payment(terms).toFixed(10).slice(0, 11)).toBe(expected.slice(0, 11)))

  it('PV', () => expect(presentValue({ rate: '0.025', periods: 24, instalment: -1500 }).toFixed(4)).toBe('26827.4787'))

  it('PV of no interest adds the instalments', () =>
    expect(presentValue({ rate: 0, periods: 24, instalment: -1500 }).toFixed(2)).toBe('36000.00'))

  it('gives the loan back from its instalment, with a future value too', () => {
    for (const when of ['end', 'begin'] as const) {
      const terms = { rate: '0.031', periods: 17, when }
      const instalment = payment({ ...terms, present: 12_345.67, future: -1_000 })
      expect(presentValue({ ...terms, instalment, future: -1_000 }).toFixed(12)).toBe('12345.670000000000')
    }
  })
})

describe('schedule', () => {
  it('lets the last instalment absorb the residue', () => {
    const { instalment, rows, totalPaid } = loanSchedule({ principal: 10_000, rate: '0.02', periods: 12 })
    expect(moneyText(instalment)).toBe('945.60')
    expect(moneyText(rows.at(-1)?.instalment ?? 0)).toBe('945.55')
    expect(moneyText(totalPaid)).toBe('11347.15')
    expect(moneyText(rows.at(-1)?.balance ?? 1)).toBe('0.00')
  })

  it('keeps the cents that other systems round up to whole money', () => {
    expect(moneyText(loanSchedule({ principal: 100_000, rate: new Decimal('0.0999').dividedBy(12), periods: 36 }).instalment)).toBe(
      '3226.25',
    )
  })

  it('charges no interest before the first instalment at the start', () => {
    const { rows } = loanSchedule({ principal: 10_000, rate: '0.02', periods: 12, when: 'begin' })
    expect(rows[0]).toMatchObject({ interest: zero, instalment: new Decimal('927.05') })
  })

  it('pays a single period off at once', () => {
    const { rows } = loanSchedule({ principal: 500, rate: '0.1', periods: 1 })
    expect(rows.map((row) => moneyText(row.instalment))).toEqual(['550.00'])
  })
})

const loans = fc.record({
  cents: fc.integer({ min: 1, max: 1_000_000_000 }),
  /** Hundred-thousandths a period: up to 10 % a month. */
  rate: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 10_000 })),
  periods: fc.integer({ min: 1, max: 84 }),
  when: fc.constantFrom('end' as const, 'begin' as const),
})

it('holds over 10,000 loans: principal adds up, no instalment below its interest, a residue no larger than its roundings', () => {
  fc.assert(
    fc.property(loans, ({ cents, rate, periods, when }) => {
      const principal = new Decimal(cents).dividedBy(100)
      const terms = { rate: new Decimal(rate).dividedBy(100_000), periods, when }
      const { instalment, rows } = loanSchedule({ principal, ...terms })
      expect(rows).toHaveLength(periods)
      expect(moneyText(rows.reduce((sum, row) => sum.plus(row.principal), zero))).toBe(moneyText(principal))
      expect(rows.at(-1)?.balance.isZero()).toBe(true)
      for (const row of rows) {
        if (row.instalment.lt(row.interest) || row.principal.isNegative() || row.balance.isNegative())
          throw new Error(`instalment ${row.number}`)
      }
      // Each period rounds instalment and interest by half a cent at most, and what is rounded bears interest.
      const bound =
        rate === 0
          ? new Decimal(periods).times('0.01')
          : new Decimal('0.01').times(terms.rate.plus(1).pow(periods).minus(1)).dividedBy(terms.rate)
      const last = rows.at(-1)
      const isPaidEarly = rows.some((row) => row.balance.isZero() && row.number < periods)
      if (last && !isPaidEarly) expect(last.instalment.minus(instalment).abs().lte(bound)).toBe(true)
    }),
    { numRuns: 10_000 },
  )
})
