import { largest, roundLimit, roundMoney, smallest, zero, type Decimal } from '../money.ts'
import type { RuleReader } from './rule-reader.ts'

/** Keys of the rule values used by the initiation fee. */
export const initiationRules = [
  'initiationBase',
  'initiationThreshold',
  'initiationPercent',
  'initiationMax',
  'initiationShareCap',
  'vatOnFees',
] as const

/**
 * The maximum initiation fee for a new credit of `cash`: base + percent above the threshold, at most the maximum, and where set at most
 * a percent of the credit. Without VAT; zero where no cap is set.
 */
export function initiationFee(rules: RuleReader, cash: Decimal): Decimal {
  if (!rules.has('initiationBase') || !cash.gt(0)) return zero
  const above = largest(zero, cash.minus(rules.amount('initiationThreshold')))
  const formula = rules.amount('initiationBase').plus(above.times(rules.amount('initiationPercent')).dividedBy(100))
  const limits = [rules.limit('initiationMax'), capped(rules, cash)].filter((limit) => limit !== undefined)
  return roundMoney(smallest(formula, ...limits))
}

const capped = (rules: RuleReader, cash: Decimal) => rules.limit('initiationShareCap')?.times(cash).dividedBy(100)

/** The fee with VAT as it is financed. */
export function initiationCharge(rules: RuleReader, cash: Decimal): Decimal {
  return withVat(rules, initiationFee(rules, cash))
}

export function withVat(rules: RuleReader, fee: Decimal): Decimal {
  return roundMoney(fee.times(rules.amount('vatOnFees').plus(100)).dividedBy(100))
}

/** The largest cash amount that leaves room in `principal` for its fee: found by bisection, exact to the cent. */
export function cashWithin(rules: RuleReader, principal: Decimal): Decimal {
  if (!rules.has('initiationBase')) return principal
  const fits = (cash: Decimal) => cash.plus(initiationCharge(rules, cash)).lte(principal)
  if (fits(principal)) return principal
  let [low, high] = [zero, principal]
  while (high.minus(low).gt('0.01')) {
    const middle = roundLimit(low.plus(high).dividedBy(2))
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}
