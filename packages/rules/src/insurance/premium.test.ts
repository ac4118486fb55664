import { describe, expect, it } from 'vitest'
import type { LoanTerms } from '@outpost/contract/lending'
import { Decimal } from '../money.ts'
import { insuredTerms, premiumOf, type PremiumRule } from './premium.ts'

const terms: LoanTerms = {
  currency: 'ZAR',
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
const rule = (over: Partial<PremiumRule>): PremiumRule => ({
  kind: 'perMille',
  rate: '4.5',
  bands: [],
  minimum: null,
  levies: '0',
  commission: '0',
  ...over,
})
const on = (amount: number, given: Partial<PremiumRule>, over: object = {}) =>
  premiumOf(rule(given), { terms, amount, on: '2026-01-31', age: 40, vehicleAge: null, ...over })

describe('a premium', () => {
  it.each([
    [5_000, '22.50'],
    [10_000, '45.00'],
    [25_000, '112.50'],
  ])('of R4.50 for each 1,000 owed on %d begins with %s and keeps to the cap', (amount, first) => {
    expect(on(amount, { cap: '4.5' }).premium?.first).toBe(first)
  })

  it('above the cap is refused, commission or not; cover for disability may cost R1 more', () => {
    expect(on(10_000, { rate: '4.6', cap: '4.5' }).reason).toContain('the cap of 4.5 a month')
    expect(on(10_000, { rate: '5.5', cap: '5.5' }).premium?.first).toBe('55.00')
    expect(on(10_000, { rate: '4.5', levies: '15', cap: '4.5' }).reason).toContain('above')
    expect(on(10_000, { kind: 'flat', rate: '2000', cap: '4.5' }).reason).toContain('above')
    expect(on(10_000, { kind: 'flat', rate: '100', cap: '4.5' }).premium?.total).toBe('100.00')
  })

  it('that is flat, percent or of a table is spread to the cent, not below its minimum, with levies on top and commission within', () => {
    const flat = on(10_000, { kind: 'flat', rate: '1000.01' }).premium
    expect(flat?.rows.map(({ insurance }) => insurance.toFixed(2))).toEqual([...Array.from({ length: 11 }, () => '83.33'), '83.38'])
    expect(flat?.total).toBe('1000.01')
    expect(on(10_000, { kind: 'percent', rate: '2.5', levies: '15', commission: '10' }).premium).toMatchObject({
      total: '287.50',
      levies: '37.50',
      commission: '25.00',
    })
    expect(on(1_000, { kind: 'percent', rate: '1', minimum: '50' }).premium?.total).toBe('50.00')
    expect(on(1_000, { rate: '0.1', minimum: '120' }).premium).toMatchObject({
      insurance: { kind: 'amount', rate: '120' },
      total: '120.00',
    })
    const bands = [
      { ageTo: 30, monthsTo: 12, vehicleAgeTo: null, rate: '1' },
      { ageTo: 60, monthsTo: 12, vehicleAgeTo: 5, rate: '2' },
      { ageTo: 60, monthsTo: null, vehicleAgeTo: null, rate: '3' },
    ]
    const table = (over: object) => on(10_000, { kind: 'table', rate: null, bands }, over)
    expect(
      [table({ age: 30 }), table({ age: 31, vehicleAge: 5 }), table({ age: 31, vehicleAge: 6 }), table({ age: 31 })].map(
        ({ premium }) => premium?.total,
      ),
    ).toEqual(['100.00', '200.00', '300.00', '300.00'])
    expect(table({ age: 61 }).reason).toContain('No line')
    expect(table({ age: null }).reason).toContain('No line')
    const needed = (given: typeof bands, over: object) => on(10_000, { kind: 'table', rate: null, bands: given }, over).needs
    const [, byBoth] = bands
    expect([{ age: null }, { age: 31 }, { age: 61 }, { age: 61, vehicleAge: 9 }].map((over) => needed(bands, over))).toEqual([
      'age',
      undefined,
      undefined,
      undefined,
    ])
    expect(
      [{}, { vehicleAge: 6 }, { age: null }, { age: null, vehicleAge: 5 }, { age: null, vehicleAge: 6 }, { age: 61 }].map((over) =>
        needed(byBoth ? [byBoth] : [], over),
      ),
    ).toEqual(['vehicleAge', undefined, 'age', 'age', undefined, undefined])
  })

  it.each([
    // Minimum, rate, levies and stamp of a comprehensive cover: max(min, sum x rate %) + levies % + stamp.
    [1_000_000, { rate: '4', levies: '0.45', stamp: '40' }, { total: '40220.00', levies: '180.00', stamp: '40.00' }],
    [100_000, { rate: '4', minimum: '37500', levies: '0.45', stamp: '40' }, { total: '37708.75', levies: '168.75', stamp: '40.00' }],
    [
      10_000,
      { rate: '2.5', levies: '15', stamp: '12.50', commission: '10' },
      { total: '300.00', levies: '37.50', stamp: '12.50', commission: '25.00' },
    ],
    [10_000, { rate: '2.5' }, { total: '250.00', levies: '0.00', stamp: '0.00' }],
  ])('of %d holds levies and stamp duty on top, exact to the cent', (amount, given, wanted) => {
    const { premium } = on(amount, { kind: 'percent', ...given })
    expect(premium).toMatchObject(wanted)
    expect(premium?.rows.reduce((sum, row) => sum.plus(row.insurance), new Decimal(0)).toFixed(2)).toBe(wanted.total)
  })

  it('is charged by the week as by the month', () => {
    const weekly = premiumOf(rule({ rate: '4.333333' }), {
      terms: { ...terms, every: { unit: 'week', count: 1 } },
      amount: 1_000,
      on: '2026-01-31',
      age: null,
      vehicleAge: null,
    })
    expect(Number(weekly.premium?.first)).toBeCloseTo(1, 1)
  })

  it('takes the place of the product’s; with a policy of the client’s own there is none', () => {
    const product = { ...terms, insurance: { kind: 'perMilleOfBalance' as const, rate: '9' } }
    expect(insuredTerms(product, null, { amount: 1_000, on: '2026-01-31' }).terms.insurance?.rate).toBe('9')
    expect(insuredTerms(product, { kind: 'own', name: 'Own' }, { amount: 1_000, on: '2026-01-31' }).terms.insurance).toBeUndefined()
    const chosen = { kind: 'offer' as const, name: 'x', rule: rule({ kind: 'percent', rate: '2' }), age: null, vehicleAge: null }
    expect(insuredTerms(product, chosen, { amount: new Decimal(1_234.56), on: '2026-01-31' }).terms.insurance).toEqual({
      kind: 'amount',
      rate: '24.69',
    })
  })
})
