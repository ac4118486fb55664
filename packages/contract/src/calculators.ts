/** The calculators there are, named like the last part of their screens. */
export const calculatorNames = ['cs-affordability', 'lbf-affordability', 'sme-affordability', 'lbf-premium'] as const
export type CalculatorName = (typeof calculatorNames)[number]

/** A band of an expense norm: `factor` plus `percent` of the income above `from`. */
export interface NormBand {
  from: number
  factor: number
  percent: number
}
/** Amounts and percents are numbers of at most 15 digits; a share may be a fraction as text, "1/3". */
export type RuleValue = number | string | null | readonly NormBand[]

/** The figures of one calculator in one country from a date on. It never changes; a new one follows it. */
export interface RuleSet {
  id: string
  calculator: CalculatorName
  /** ISO 3166 alpha-2, or * where no pack of a country exists. */
  country: string
  /** YYYY-MM-DD */
  effectiveFrom: string
  version: number
  values: Readonly<Record<string, RuleValue>>
  /** Keys whose source is not confirmed; shown as such. A band of norms is `norms.<index>`. */
  unverified: readonly string[]
  /** Where values come from, by key. */
  sources?: Readonly<Record<string, string>>
  verifiedBy?: string | null
}
