import { Decimal, zero, type DecimalValue } from '../money.ts'

/**
 * The time value of money: fv + pv(1+r)^n + pmt(1+r·when)/r·((1+r)^n−1) = 0, and fv + pv + pmt·n = 0 at r = 0
 * (numpy.org pmt, pv). Money received counts as positive, money paid as negative; nothing is rounded here.
 */
export interface Terms {
  /** Interest per period as a fraction: 0.02 is 2 %. */
  rate: DecimalValue
  /** Number of periods, at least 1. */
  periods: number
  /** Instalments at the end of each period (the usual case) or at its start. */
  when?: 'end' | 'begin'
}

/** The instalment that pays `present` down to `future`: PMT(.02, 12, 10000) = −945.5959662295. */
export function payment({ present, future = zero, ...terms }: Terms & { present: DecimalValue; future?: DecimalValue }): Decimal {
  const { growth, annuity } = factors(terms)
  return growth.times(present).plus(future).dividedBy(annuity).negated()
}

/** The present value of the instalments: PV(.025, 24, −1500) = 26 827.4787. */
export function presentValue({
  instalment,
  future = zero,
  ...terms
}: Terms & { instalment: DecimalValue; future?: DecimalValue }): Decimal {
  const { growth, annuity } = factors(terms)
  return annuity.times(instalment).plus(future).dividedBy(growth).negated()
}

/** (1+r)^n and (1+r·when)/r·((1+r)^n−1). */
function factors({ rate, periods, when = 'end' }: Terms): { growth: Decimal; annuity: Decimal } {
  const r = new Decimal(rate)
  if (r.isZero()) return { growth: new Decimal(1), annuity: new Decimal(periods) }
  const growth = r.plus(1).pow(periods)
  return {
    growth,
    annuity: growth
      .minus(1)
      .dividedBy(r)
      .times(when === 'begin' ? r.plus(1) : 1),
  }
}
