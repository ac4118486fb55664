import type { CreditType } from '../../products/product-terms.ts'

/** What one kind of credit may cost in a country from a day on. Figures left out have no cap. */
export interface CostCaps {
  country: string
  creditType: CreditType
  /** YYYY-MM-DD */
  effectiveFrom: string
  /** Interest a year: points above the reference rate of the central bank. */
  rateMargin?: number
  /** Interest a month in percent, whatever the reference rate. */
  monthlyRateMax?: number
  /** Once, for a new agreement: base, and percent of what is above the threshold, at most the maximum. */
  initiation?: { base: number; threshold: number; percent: number; max: number }
  /** A month. */
  serviceFeeMax?: number
  /** A month for each 1,000 owed. */
  creditLifeMax?: number
  /** What cover for temporary disability may cost on top of it. */
  creditLifeDisability?: number
  /** No fees beside initiation and service. */
  onlyNamedFees?: boolean
  /** The largest amount and longest term in months that count as this kind. */
  amountMax?: number
  monthsMax?: number
  /** Where the figures come from, by key. */
  sources: Readonly<Partial<Record<'rate' | 'initiation' | 'serviceFeeMax' | 'creditLifeMax' | 'onlyNamedFees' | 'kind', string>>>
}

const unsecured = { base: 165, threshold: 1_000, percent: 10, max: 1_050 }
const sources = {
  rate: 'NCA reg 42 Table A, GG 39379',
  initiation: 'NCA reg 42 Table B',
  serviceFeeMax: 'NCA reg 44',
  onlyNamedFees: 'NCA s101(1)',
  kind: 'NCA reg 39(2)',
}

/** Regulation 42 as amended on 6 November 2015, and regulation 44 (acts.co.za r489_42). */
const southAfrica2015: readonly Omit<CostCaps, 'country' | 'effectiveFrom' | 'sources'>[] = [
  { creditType: 'mortgage', rateMargin: 12, initiation: { base: 1_100, threshold: 10_000, percent: 10, max: 5_250 } },
  { creditType: 'facility', rateMargin: 14, initiation: { ...unsecured, threshold: 1_050 } },
  { creditType: 'unsecured', rateMargin: 21, initiation: unsecured },
  { creditType: 'developmental', rateMargin: 27, initiation: { base: 275, threshold: 1_000, percent: 10, max: 2_600 } },
  // 5 % holds for the first loan of a calendar year; a second one is capped at 3 %, which is a matter of the loan, not of the product.
  { creditType: 'shortTerm', monthlyRateMax: 5, initiation: unsecured, amountMax: 8_000, monthsMax: 6 },
  { creditType: 'incidental', monthlyRateMax: 2 },
  { creditType: 'other', rateMargin: 17, initiation: unsecured },
]

/** Credit life regulations: agreements from 10 August 2017 (moonstone, dti, masthead). */
const creditLife = { mortgage: 2, standard: 4.5, disability: 1, source: 'Credit life regulations of 10 August 2017' }

/** The caps we hold, oldest first; a lawyer confirms a country's before a company relies on them. */
export const costCaps: readonly CostCaps[] = southAfrica2015.flatMap((caps) => {
  const first = { ...caps, country: 'ZA', effectiveFrom: '2015-11-06', serviceFeeMax: 60, onlyNamedFees: true, sources }
  return [
    first,
    {
      ...first,
      effectiveFrom: '2017-08-10',
      creditLifeMax: caps.creditType === 'mortgage' ? creditLife.mortgage : creditLife.standard,
      creditLifeDisability: creditLife.disability,
      sources: { ...sources, creditLifeMax: creditLife.source },
    },
  ]
})
