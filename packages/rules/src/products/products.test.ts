import { describe, expect, it } from 'vitest'
import { annualRates } from './annual-rate.ts'
import { brokenCaps } from './cap-check.ts'
import { allocationOrders, loanTermsOf, rangeProblems, type ProductTerms } from './product-terms.ts'
import { quoteOf } from './quote.ts'

const product: ProductTerms = {
  creditType: 'unsecured',
  method: 'declining',
  annualRate: '24',
  dayCount: 'equalPeriods',
  everyUnit: 'month',
  everyCount: 1,
  minAmount: 1_000,
  maxAmount: 50_000,
  minInstalments: 3,
  maxInstalments: 24,
  brokenPeriod: 'ignore',
  graceOnPrincipal: 0,
  graceOnInterest: 0,
  balloonPercent: null,
  dueOnHoliday: 'keep',
  allocation: 'penalty,fee,interest,principal',
  penaltyKind: 'none',
  penaltyAmount: null,
  penaltyPer: 'month',
  penaltyGraceDays: 0,
  insuranceKind: 'none',
  insuranceRate: null,
  fees: [],
}
const quote = (over: Partial<ProductTerms>, amount = 10_000, instalments = 12) =>
  quoteOf({
    terms: loanTermsOf({ ...product, ...over }, { currency: 'ZAR', amount, instalments }),
    amount,
    disbursedOn: '2026-01-31',
  })
const fee = (over: Partial<ProductTerms['fees'][number]>): ProductTerms['fees'][number] => ({
  name: 'Fee',
  role: 'initiation',
  kind: 'flat',
  amount: 165,
  due: 'deducted',
  ...over,
})
const south = { country: 'ZA', currency: 'ZAR', at: '2026-11-24', referenceRate: 7 }
const broken = (over: Partial<ProductTerms>, choice = {}) =>
  brokenCaps({ ...product, ...over }, { ...south, ...choice }).map(({ rule }) => rule)

describe('a quote', () => {
  it('costs what its schedule says: 945.60 a month, 11,347.15 in all, 24 % nominal and 26.82 % effective', () => {
    expect(quote({})).toMatchObject({
      amount: '10000.00',
      paidOut: '10000.00',
      instalment: '945.60',
      totalInterest: '1347.15',
      totalFees: '0.00',
      totalPaid: '11347.15',
      totalCost: '1347.15',
    })
    const { aprEffective, aprNominal } = quote({})
    expect(aprEffective).toBeCloseTo(26.824, 2)
    expect(aprNominal).toBeCloseTo(24, 2)
  })

  it('counts every fee and premium, and a fee kept back lowers what is got', () => {
    const dear = quote({
      fees: [fee({ amount: 500 }), fee({ role: 'service', amount: 50, due: 'perInstalment' }), fee({ amount: 100, due: 'financed' })],
      insuranceKind: 'percentOfPrincipal',
      insuranceRate: '1.2',
    })
    expect(dear).toMatchObject({ paidOut: '9500.00', totalFees: '1200.00', totalInsurance: '120.00' })
    expect(Number(dear.totalCost)).toBeCloseTo(Number(dear.totalPaid) - 9_500, 2)
    expect(Number(dear.aprEffective)).toBeGreaterThan(Number(quote({}).aprEffective))
  })

  it('has the decimals of its currency, and a balloon of the part asked for', () => {
    const terms = loanTermsOf({ ...product, method: 'balloon', balloonPercent: 30 }, { currency: 'UGX', amount: 1_000_000, instalments: 6 })
    expect(terms.balloon).toBe('300000')
    expect(quoteOf({ terms, amount: 1_000_000, disbursedOn: '2026-01-31' }).instalment).toMatch(/^\d+$/)
  })

  it('has no rate where nothing is paid out, and none of 0 % where nothing is charged', () => {
    expect(annualRates([{ day: '2026-01-01', amount: 0 }], { unit: 'month', count: 1 })).toBeUndefined()
    expect(quote({ annualRate: 0 })).toMatchObject({ aprEffective: 0, aprNominal: 0, totalCost: '0.00' })
  })

  it('knows 52 weeks in a year', () => {
    const weekly = quoteOf({
      terms: loanTermsOf({ ...product, everyUnit: 'week', annualRate: 52 }, { currency: 'ZAR', amount: 1_000, instalments: 10 }),
      amount: 1_000,
      disbursedOn: '2026-02-02',
    })
    expect(weekly.aprNominal).toBeCloseTo(52, 1)
  })
})

describe('caps of South Africa', () => {
  it('let pass what keeps to them, and know none elsewhere', () => {
    expect(broken({ fees: [fee({}), fee({ role: 'service', amount: 60, due: 'perInstalment' })], annualRate: 28 })).toEqual([])
    expect(broken({ annualRate: 240, fees: [fee({ amount: 9_000, role: 'other' })] }, { country: 'KE' })).toEqual([])
  })

  it('hold interest to the reference rate and 21 points, and ask for the reference rate', () => {
    expect(broken({ annualRate: '28.01' })).toEqual(['Interest cap'])
    expect(broken({ annualRate: 28 }, { referenceRate: undefined })).toEqual(['Interest cap'])
    expect([16, 14].map((annualRate) => broken({ annualRate, method: 'flat', minInstalments: 12 }))).toEqual([['Interest cap'], []])
    expect(broken({ creditType: 'shortTerm', annualRate: 60, maxAmount: 8_000, maxInstalments: 6 }, { referenceRate: undefined })).toEqual(
      [],
    )
    expect(broken({ creditType: 'shortTerm', annualRate: 61, maxAmount: 8_001, maxInstalments: 7 })).toEqual([
      'Interest cap',
      'Kind of credit',
      'Kind of credit',
    ])
  })

  it.each([
    ['165 on 1,000', { minAmount: 1_000, maxAmount: 1_000 }, 165, 166],
    ['565 on 5,000', { minAmount: 5_000, maxAmount: 5_000 }, 565, 566],
    ['1,050 on 9,850', { minAmount: 9_850, maxAmount: 9_850 }, 1_050, 1_051],
    ['1,050 on 50,000', { minAmount: 50_000, maxAmount: 50_000 }, 1_050, 1_051],
    ['the smallest loan of a range', {}, 165, 166],
  ])('hold the initiation fee to %s', (_, range, allowed, above) => {
    expect(broken({ ...range, fees: [fee({ amount: allowed })] })).toEqual([])
    expect(broken({ ...range, fees: [fee({ amount: above })] })).toEqual(['Initiation fee'])
  })

  it('find a fee that is above in the middle of the range alone: 170 on 1,000, while 130 on 500 and 250 on 2,000 are not', () => {
    const fees = [fee({ amount: 90 }), fee({ kind: 'percentOfPrincipal', amount: 8 })]
    expect(broken({ fees, minAmount: 500, maxAmount: 2_000 })).toEqual(['Initiation fee'])
    expect(broken({ fees, minAmount: 1_400, maxAmount: 2_000 })).toEqual([])
  })

  it('hold the service fee to 60 a month, by the week too, and other fees out', () => {
    const service = (amount: number, everyUnit: 'week' | 'month') =>
      broken({ everyUnit, fees: [fee({ role: 'service', amount, due: 'perInstalment' })] })
    expect([service(60, 'month'), service(61, 'month'), service(13, 'week'), service(14, 'week')]).toEqual([
      [],
      ['Service fee'],
      [],
      ['Service fee'],
    ])
    expect(broken({ fees: [fee({ role: 'other' })] })).toEqual(['Fees allowed'])
  })

  it('hold credit life to 4.50 a month for each 1,000 owed from 10 August 2017 on', () => {
    const life = (insuranceRate: number, choice = {}) => broken({ insuranceKind: 'perMilleOfBalance', insuranceRate }, choice)
    expect([life(4.5), life(4.6), life(4.6, { at: '2017-08-09' })]).toEqual([[], ['Credit life premium'], []])
    expect(broken({ insuranceKind: 'percentOfPrincipal', insuranceRate: 5 })).toEqual(['Credit life premium'])
    expect(broken({ creditType: 'mortgage', annualRate: 19, insuranceKind: 'perMilleOfBalance', insuranceRate: 2.5 })).toEqual([
      'Credit life premium',
    ])
  })
})

it('names what is out of a product’s ranges, and knows 24 orders of a payment', () => {
  expect(rangeProblems(product, { amount: 999, instalments: 25 }).map(({ field }) => field)).toEqual(['amount', 'instalments'])
  expect(rangeProblems(product, { amount: '50000.00', instalments: 3 })).toEqual([])
  expect(new Set(allocationOrders.map(({ value }) => value)).size).toBe(24)
  expect(allocationOrders[0]).toEqual({ value: product.allocation, label: 'Penalties → Fees → Interest → Principal' })
})
