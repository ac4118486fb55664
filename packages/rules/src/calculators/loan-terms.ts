import type { FieldView } from '@outpost/contract/fields'
import { Decimal, smallest } from '../money.ts'
import { monthsBetween } from './inputs.ts'
import type { RuleReader } from './rule-reader.ts'
import type { Job } from './types.ts'

/** A money input; optional unless `more` makes it required. */
export const moneyField = (key: string, label: string, more: Partial<FieldView> = {}): FieldView => ({
  key,
  kind: 'money',
  label,
  min: 0,
  max: 999_999_999_999,
  ...more,
})
export const wholeTerms = ['termMonths'] as const

/** The inputs of the loan itself; legal caps are the limits of their fields. */
export function loanFields(rules: RuleReader): FieldView[] {
  const serviceFee = rules.limit('serviceFeeMax')
  const creditLife = rules.limit('creditLifeMax')
  return [
    moneyField('amount', 'Cash asked for', { help: 'Left empty: the largest loan' }),
    ...rateFields(rules),
    moneyField('monthlyFee', 'Service fee a month', serviceFee ? { max: serviceFee.toNumber(), defaultValue: serviceFee.toNumber() } : {}),
    creditLife
      ? {
          key: 'creditLife',
          kind: 'number',
          label: 'Credit life a month per 1,000',
          min: 0,
          max: creditLife.toNumber(),
          defaultValue: creditLife.toNumber(),
        }
      : moneyField('monthlyInsurance', 'Insurance a month'),
  ]
}

/** Rate and term. */
export function rateFields(rules: RuleReader): FieldView[] {
  const suggested = (key: string) => (rules.has(key) ? { defaultValue: rules.amount(key).toNumber() } : {})
  return [
    { key: 'rate', kind: 'percent', label: 'Interest', required: true, min: 0, max: 100, ...suggested('defaultRate') },
    {
      key: 'ratePeriod',
      kind: 'choice',
      label: 'Interest is',
      required: true,
      defaultValue: 'month',
      options: [
        { value: 'month', label: 'a month' },
        { value: 'year', label: 'a year' },
      ],
    },
    {
      key: 'termMonths',
      kind: 'number',
      label: 'Term in months',
      required: true,
      min: 1,
      max: rules.limit('maxTermMonths')?.toNumber() ?? 360,
      ...suggested('defaultTermMonths'),
    },
  ]
}

/** Monthly interest as an unrounded fraction. */
export function monthlyRate({ inputs, trace }: Job): Decimal {
  const entered = inputs.amount('rate')
  const isYearly = inputs.text('ratePeriod') === 'year'
  const rate = entered.dividedBy(isYearly ? 1_200 : 100)
  if (isYearly)
    trace.note({
      label: 'Interest a month',
      formula: 'interest a year ÷ 12',
      figures: `${entered.toFixed()} % ÷ 12`,
      value: rate.times(100),
      unit: 'percent',
    })
  return rate
}

/** The term in months, cut at the end of employment. */
export function termOf({ inputs, trace, at }: Job): number {
  const asked = inputs.amount('termMonths')
  if (!inputs.has('endDate')) return asked.toNumber()
  const left = monthsBetween(at, inputs.text('endDate'))
  return trace
    .note({
      label: 'Term',
      formula: 'the lesser of the term asked for and the months to the end of employment',
      figures: `min(${asked.toFixed()}; ${left})`,
      value: smallest(asked, new Decimal(left)),
      unit: 'months',
    })
    .toNumber()
}
