import { Decimal as Base } from 'decimal.js'

/**
 * The decimal type of all money: 34 digits internally, HALF_EVEN rounding. A separate constructor, so that other settings of decimal.js
 * do not affect it.
 */
export const Decimal = Base.clone({ precision: 34, rounding: Base.ROUND_HALF_EVEN, toExpNeg: -30, toExpPos: 30 })
export type Decimal = InstanceType<typeof Decimal>
export type DecimalValue = Decimal | number | string

export const zero = new Decimal(0)

/** Rounds an amount: two decimals, HALF_EVEN (0.125 -> 0.12, 0.135 -> 0.14). */
export function roundMoney(value: DecimalValue): Decimal {
  return new Decimal(value).toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN)
}

/** Rounds an upper limit to two decimals towards zero, so that rounding never exceeds the limit by a cent. */
export function roundLimit(value: DecimalValue): Decimal {
  return new Decimal(value).toDecimalPlaces(2, Decimal.ROUND_DOWN)
}

/** The rounded amount as text with two decimals, its wire and storage form: "945.60". */
export function moneyText(value: DecimalValue): string {
  const posted = roundMoney(value)
  return (posted.isZero() ? zero : posted).toFixed(2)
}

export const largest = (first: DecimalValue, ...more: DecimalValue[]): Decimal => Decimal.max(first, ...more)
export const smallest = (first: DecimalValue, ...more: DecimalValue[]): Decimal => Decimal.min(first, ...more)

/** The value, or zero when it is below. */
export const atLeastZero = (value: DecimalValue): Decimal => largest(zero, value)
