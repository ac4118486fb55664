import { Decimal as Base } from 'decimal.js'

/**
 * Decimal numbers of all sums of money: 34 digits inside, HALF_EVEN when rounded. A constructor of its own, so that
 * nobody else's settings of decimal.js reach our sums.
 */
export const Decimal = Base.clone({ precision: 34, rounding: Base.ROUND_HALF_EVEN, toExpNeg: -30, toExpPos: 30 })
export type Decimal = InstanceType<typeof Decimal>
export type DecimalValue = Decimal | number | string

export const zero = new Decimal(0)

/** An amount as it is posted: two decimals, HALF_EVEN (0.125 -> 0.12, 0.135 -> 0.14). */
export function roundMoney(value: DecimalValue): Decimal {
  return new Decimal(value).toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN)
}

/** An upper limit in two decimals, rounded towards zero: a limit is never passed by the cent that rounding gives. */
export function roundLimit(value: DecimalValue): Decimal {
  return new Decimal(value).toDecimalPlaces(2, Decimal.ROUND_DOWN)
}

/** The posted amount as text with two decimals, as it travels and is stored: "945.60". */
export function moneyText(value: DecimalValue): string {
  const posted = roundMoney(value)
  return (posted.isZero() ? zero : posted).toFixed(2)
}

export const largest = (first: DecimalValue, ...more: DecimalValue[]): Decimal => Decimal.max(first, ...more)
export const smallest = (first: DecimalValue, ...more: DecimalValue[]): Decimal => Decimal.min(first, ...more)

/** The value, or zero when it is below. */
export const atLeastZero = (value: DecimalValue): Decimal => largest(zero, value)
