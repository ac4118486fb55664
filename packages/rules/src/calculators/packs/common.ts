import type { CalculatorName, RuleSet, RuleValue } from '../types.ts'

interface PackInput {
  calculator: CalculatorName
  country: string
  effectiveFrom: string
  values: Record<string, RuleValue>
  unverified?: readonly string[]
  sources?: Record<string, string>
}

/** One rule set of a pack; its id describes it. Figures of our own choice have no source. */
export function pack({ unverified = [], ...input }: PackInput): RuleSet {
  return { ...input, id: `default-${input.country}-${input.calculator}-${input.effectiveFrom}`, version: 1, unverified }
}

/** The start date of figures whose own date is unknown. */
export const startOfRecords = '2000-01-01'

/** Product limits are the company's own; until it sets them only the term is limited. */
export const ownLimits = { maxTermMonths: 96, defaultTermMonths: 24 }

/** A cover of 1.25 is the common minimum; lenders examine loans below 1.5. The sources are pages of lenders and advisers. */
export const smeValues = { minDscr: 1.25, referDscr: null, seasonMonths: 3, maxTermMonths: 60, defaultTermMonths: 12 }
export const smeSources = { minDscr: 'finhelp.io; orlandocpa; smartbizloans: 1.2 to 1.5, commonly 1.25' }

/** Market practice of log book lenders: half of the forced-sale value, more for newer cars. Not based on law. */
export const lbfValues = {
  method: 'expenses',
  buffer: 0,
  fsvShare: '0.7',
  ltv: 50,
  ltvNewer: 70,
  newerFromYear: 2012,
  haircut: 0,
  minRepaidShare: '1/4',
  ...ownLimits,
}
export const lbfUnverified = ['fsvShare', 'ltv', 'ltvNewer', 'newerFromYear']
export const lbfSources = { minRepaidShare: 'platinumcredit.co.ke: refinance after a quarter of the term' }

export const premiumValues = { premiumRate: 4, minPremium: 0, levies: 0, stamp: 0, ...ownLimits }
/** No country's tariff or levy is confirmed: all are marked until a company confirms its own. */
export const premiumUnverified = ['premiumRate', 'minPremium', 'levies', 'stamp']
