import type { Decimal } from '../money.ts'
import { shown } from './trace.ts'
import type { Job, Assessment } from './types.ts'

interface Sums {
  /** Cash of the largest loan that fits. */
  cash: Decimal
  affordability: Decimal
  rate: Decimal
  /** Instalment of the requested loan, when it exceeds the affordable amount. */
  posted?: Decimal
  /** The requested loan is within security and product limits. */
  isWithin: boolean
}

/**
 * PASS when the requested loan fits; FAIL when the client cannot afford it, no loan fits or the rate is unlawful; REFER when the client
 * can afford it, but security or product limits are exceeded: a person may decide on that.
 */
export function decideOutcome(job: Job, { cash, affordability, rate, posted, isWithin }: Sums): Pick<Assessment, 'outcome' | 'reasons'> {
  const overCap = rateOverCap(job, rate)
  if (overCap) return { outcome: 'FAIL', reasons: [overCap] }
  if (!cash.gt(0)) return { outcome: 'FAIL', reasons: ['No loan fits into what the client can pay.'] }
  if (posted)
    return {
      outcome: 'FAIL',
      reasons: [`The instalment of ${shown(posted)} is above the affordable ${shown(affordability)}. A loan of ${shown(cash)} would fit.`],
    }
  if (!isWithin)
    return { outcome: 'REFER', reasons: [`Security or product limits allow ${shown(cash)}: offer that, or somebody has to decide.`] }
  return { outcome: 'PASS', reasons: [] }
}

/** Turns a pass into a referral for another reason. */
export function refer(judgement: Assessment, reason: string): Assessment {
  return { ...judgement, outcome: judgement.outcome === 'PASS' ? 'REFER' : judgement.outcome, reasons: [...judgement.reasons, reason] }
}

/** Turns the outcome into a failure for another reason. */
export function refuse(judgement: Assessment, reason: string): Assessment {
  return { ...judgement, outcome: 'FAIL', reasons: [...judgement.reasons, reason] }
}

/** The annual interest exceeds the reference rate plus the legal margin. */
function rateOverCap({ rules, trace }: Job, rate: Decimal): string | undefined {
  if (!rules.has('rateMargin')) return undefined
  const label = 'Cap on the interest a year'
  const [yearly, reference, margin] = [rate.times(1_200), rules.limit('referenceRate'), rules.amount('rateMargin')]
  if (!reference) {
    trace.note({
      label,
      formula: 'not checked: the rule set holds no reference rate',
      value: 'not checked',
      unit: 'text',
      uses: ['referenceRate'],
    })
    return undefined
  }
  const cap = reference.plus(margin)
  trace.note({
    label,
    formula: 'reference rate + margin',
    figures: `${reference.toFixed()} % + ${margin.toFixed()} %`,
    value: cap,
    unit: 'percent',
    uses: ['referenceRate', 'rateMargin'],
  })
  return yearly.gt(cap)
    ? `The interest of ${yearly.toDecimalPlaces(4).toFixed()} % a year is above the cap of ${cap.toFixed()} %.`
    : undefined
}
