import type { LoanTerms } from '@outpost/contract/lending'
import { describe, expect, it } from 'vitest'
import { capsBrokenByLoan } from './loan-caps.ts'
import type { CreditType } from './product-terms.ts'

const terms: LoanTerms = {
  currency: 'ZAR',
  method: 'declining',
  annualRate: '28',
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
const broken = (over: Partial<LoanTerms>, principal: number | string = 10_000, creditType: CreditType = 'unsecured', country = 'ZA') =>
  capsBrokenByLoan({ ...terms, ...over }, { principal, creditType, country, currency: 'ZAR', at: '2026-11-25', referenceRate: 7 }).map(
    ({ field, rule, message }) => [field, rule, message],
  )

describe('a loan by itself', () => {
  it('holds the cap on interest of its kind of credit, to the hundredth; flat interest counts as what it costs', () => {
    expect(broken({})).toEqual([])
    expect(broken({ annualRate: '28.01' })).toEqual([
      ['annualRate', 'Interest cap', '28.01 % a year is above 28 % a year, the reference rate of 7 % and 21 points.'],
    ])
    expect(broken({ annualRate: '28.01' }, 10_000, 'developmental')).toEqual([])
    expect(broken({ method: 'flat', annualRate: '20' }).map(([field]) => field)).toEqual(['annualRate'])
    expect(broken({ annualRate: '60', instalments: 6 }, 8_000, 'shortTerm')).toEqual([])
  })

  it('holds the caps on fees: once is for opening, with each instalment is for keeping it', () => {
    const fee = (amount: string, due: LoanTerms['fees'][number]['due']) => ({ fees: [{ name: 'Fee', kind: 'flat' as const, amount, due }] })
    expect(broken(fee('1050', 'deducted'))).toEqual([])
    expect(broken(fee('1050.01', 'financed'))).toEqual([['fees', 'Initiation fee', '1050.01 on a loan of 10000 is above 1050.']])
    expect(broken(fee('60', 'perInstalment'))).toEqual([])
    expect(broken(fee('60.01', 'perInstalment'))).toEqual([['fees', 'Service fee', '60.01 a month is above 60.']])
  })

  it('holds the cap on a premium, also one of a fixed amount', () => {
    expect(broken({ insurance: { kind: 'perMilleOfBalance', rate: '4.5' } })).toEqual([])
    expect(broken({ insurance: { kind: 'perMilleOfBalance', rate: '4.6' } }).map(([field]) => field)).toEqual(['insurance'])
    expect(broken({ insurance: { kind: 'amount', rate: '100' } })).toEqual([])
    expect(broken({ insurance: { kind: 'amount', rate: '900' } }).map(([field]) => field)).toEqual(['insurance'])
  })

  it('is of its kind, and free where we hold no caps', () => {
    expect(broken({ instalments: 7, annualRate: '50' }, 8_001, 'shortTerm').map(([field]) => field)).toEqual(['creditType', 'creditType'])
    expect(broken({ annualRate: '300' }, 10_000, 'unsecured', 'KE')).toEqual([])
  })
})
