import { roundMoney, type Decimal } from '../money.ts'
import type { NormBand } from './types.ts'

/**
 * The minimum living expenses of a norm table for a gross income: the factor of the income's band plus its percent of the income above
 * the start of the band (South Africa, NCR Regulation 23A). Rounded to two decimals.
 */
export function normExpenses(bands: readonly NormBand[], income: Decimal): { amount: Decimal; band: NormBand; index: number } {
  // An income of exactly 6,250.00 still belongs to the lower band: bands begin one cent later.
  const index = Math.max(
    0,
    bands.findLastIndex((band) => income.gt(band.from)),
  )
  const band = bands[index] ?? { from: 0, factor: 0, percent: 0 }
  return { amount: roundMoney(income.minus(band.from).times(band.percent).dividedBy(100).plus(band.factor)), band, index }
}
