import type { Decimal } from '../money.ts'
import type { Job, Judgement } from './types.ts'

interface Sums { cash: Decimal, wanted: Decimal, most: Decimal, rate: Decimal }

/** PASS when what was asked for fits, REFER when a smaller loan does, FAIL when none does or the rate is unlawful. */
export function judge(job: Job, { cash, wanted, most, rate }: Sums): Pick<Judgement, 'outcome' | 'reasons'> {
  const overCap = rateOverCap(job, rate)
  if (overCap) return { outcome: 'FAIL', reasons: [overCap] }
  if (!cash.gt(0)) return { outcome: 'FAIL', reasons: ['No loan fits into what the client can pay.'] }
  if (wanted.gt(most)) return { outcome: 'REFER', reasons: ['Less than asked for fits: offer the smaller loan.'] }
  return { outcome: 'PASS', reasons: [] }
}

/** A pass that somebody has to look at for a reason of its own. */
export function refer(judgement: Judgement, reason: string): Judgement {
  return { ...judgement, outcome: judgement.outcome === 'PASS' ? 'REFER' : judgement.outcome, reasons: [...judgement.reasons, reason] }
}

/** A refusal for a reason of its own. */
export function refuse(judgement: Judgement, reason: string): Judgement {
  return { ...judgement, outcome: 'FAIL', reasons: [...judgement.reasons, reason] }
}

/** Interest a year above the reference rate plus the margin of the law. */
function rateOverCap({ rules, trace }: Job, rate: Decimal): string | undefined {
  if (!rules.has('rateMargin')) return undefined
  const label = 'Cap on the interest a year'
  const [yearly, reference, margin] = [rate.times(1_200), rules.limit('referenceRate'), rules.amount('rateMargin')]
  if (!reference) {
    trace.note({ label, formula: 'not checked: the rule set holds no reference rate', value: 'not checked', unit: 'text', uses: ['referenceRate'] })
    return undefined
  }
  const cap = reference.plus(margin)
  trace.note({ label, formula: 'reference rate + margin', figures: `${reference.toFixed()} % + ${margin.toFixed()} %`, value: cap, unit: 'percent', uses: ['referenceRate', 'rateMargin'] })
  return yearly.gt(cap) ? `The interest of ${yearly.toDecimalPlaces(4).toFixed()} % a year is above the cap of ${cap.toFixed()} %.` : undefined
}
