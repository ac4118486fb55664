import { decimalsOf } from '../currency.ts'
import { Decimal, moneyText, type DecimalValue } from '../money.ts'

/** An amount in so many shares that are alike but for the smallest unit of its currency and add up to it exactly; the first have what is left over. */
export function splitEvenly(amount: DecimalValue, count: number, currency: string): string[] {
  const unit = new Decimal(10).pow(-decimalsOf(currency))
  const units = new Decimal(amount).div(unit)
  const each = units.div(count).floor()
  const over = units.minus(each.times(count)).toNumber()
  return Array.from({ length: count }, (_, place) => moneyText(each.plus(place < over ? 1 : 0).times(unit)))
}
