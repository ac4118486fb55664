import { decimalsOf } from '../currency.ts'
import type { Decimal as Base } from 'decimal.js'
import { Decimal, type DecimalValue } from '../money.ts'

interface Row {
  principal: Decimal
  total: Decimal
  balance: Decimal
}

/** The principal of an instalment whose total, with what it asks beside, is the nearest multiple of the step that covers the rest; unchanged without a step or principal. */
export function roundedPart(principal: Decimal, beside: Decimal, step: Decimal | null): Decimal {
  if (step === null || principal.isZero()) return principal
  const multiple = (value: Decimal, rounding: Base.Rounding) => value.dividedBy(step).toDecimalPlaces(0, rounding).times(step)
  const nearest = multiple(principal.plus(beside), Decimal.ROUND_HALF_EVEN)
  return (nearest.gte(beside) ? nearest : multiple(beside, Decimal.ROUND_UP)).minus(beside)
}

/**
 * Rows rounded as the terms say. A step that is too coarse for a loan, so that the last instalment would have to absorb more than a usual one, gives way to a
 * tenth of it, and so on; `make` gives the rows at a step, or without one.
 */
export function roundedRows<One extends Row>(
  { roundTo, currency }: { roundTo?: DecimalValue | undefined; currency: string },
  make: (step: Decimal | null) => One[],
): { rows: One[]; step: Decimal | null } {
  const plain = make(null)
  if (!plain.slice(0, -1).some(({ principal }) => !principal.isZero())) return { rows: plain, step: null }
  const unit = new Decimal(10).pow(-decimalsOf(currency))
  for (let step = new Decimal(roundTo ?? 0); step.gt(unit) && step.modulo(unit).isZero(); step = step.dividedBy(10)) {
    const rows = make(step)
    if (isClose(plain, rows)) return { rows, step }
  }
  return { rows: plain, step: null }
}

/** Whether rounding leaves a last instalment, and one that differs from what it would be by less than a usual one. */
function isClose(plain: readonly Row[], rows: readonly Row[]): boolean {
  const [before, last] = [plain.at(-1), rows.at(-1)]
  const usual = plain.find(({ principal }) => !principal.isZero())
  if (!before || !last || !usual) return true
  const isPaidBefore = rows.some(({ balance }, index) => index < rows.length - 1 && balance.isZero())
  return !isPaidBefore && last.total.minus(before.total).abs().lt(usual.total)
}
