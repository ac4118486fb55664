import { atLeastZero, zero, type Decimal, type DecimalValue } from '../money.ts'
import type { DaysOff } from './due-dates.ts'
import { addPeriods } from './due-dates.ts'
import { interestEarned, type DueRow } from './replay.ts'
import { scheduleOf, type Instalment, type LoanTerms } from './terms.ts'

/** A row of a schedule as it is stored. */
export interface ScheduleRow extends DueRow {
  /** Principal still owed after it. */
  balance: DecimalValue
}
export interface Restructured {
  /** Rows that were due by the day: they stay as they are, late ones late. */
  kept: ScheduleRow[]
  /** Rows that are replaced. */
  before: ScheduleRow[]
  /** What takes their place, numbered on. */
  after: Instalment[]
  /** Principal of the rows that are replaced, whatever was paid ahead for them: payments pay the new rows then. */
  principal: Decimal
  /** Interest of the running period, earned by the day: the first new row asks for it. */
  earned: Decimal
}

/**
 * A schedule at other terms from a day on. Only rows due after the day are replaced; the principal of all rows stays what was lent, so that a replay of the loan gives the
 * same figures whenever a payment was captured. Interest earned so far is asked for with the first new instalment, without interest on it.
 */
export function restructured({
  terms,
  rows,
  on,
  disbursedOn,
  daysOff,
}: {
  terms: LoanTerms
  rows: readonly ScheduleRow[]
  on: string
  disbursedOn: string
  daysOff?: DaysOff | undefined
}): Restructured {
  const { kept, before, principal, earned } = cutAt({ rows, on, disbursedOn, currency: terms.currency })
  const made = scheduleOf({ ...terms, ...premiumOf(terms, before) }, principal, on, daysOff)
  const last = kept.at(-1)?.number ?? 0
  const after = made.map((row, index) =>
    index === 0
      ? { ...row, number: last + 1, interest: row.interest.plus(earned), total: row.total.plus(earned) }
      : { ...row, number: last + 1 + index },
  )
  return { kept, before, after, principal, earned }
}

/** A premium that was spread over the instalments was computed once, of what was lent: only what is left of it is spread anew. */
function premiumOf({ insurance }: LoanTerms, before: readonly ScheduleRow[]): Pick<LoanTerms, 'insurance'> {
  if (insurance === undefined || insurance.kind === 'perMilleOfBalance') return { insurance }
  const left = before.reduce((total, row) => total.plus(row.insurance), zero)
  return { insurance: left.isZero() ? undefined : { kind: 'amount', rate: left.toFixed() } }
}

/** A schedule cut on a day: what was due by then, what was not, its principal and the interest earned of it by `earnedBy` (left out: the day). */
export function cutAt({
  rows,
  on,
  disbursedOn,
  currency,
  earnedBy = on,
}: {
  rows: readonly ScheduleRow[]
  on: string
  disbursedOn: string
  currency: string
  earnedBy?: string
}): Omit<Restructured, 'after'> {
  const kept = rows.filter(({ dueOn }) => dueOn <= on)
  const before = rows.filter(({ dueOn }) => dueOn > on)
  const sum = (some: readonly ScheduleRow[], part: 'principal' | 'interest') => some.reduce((total, row) => total.plus(row[part]), zero)
  const earned = atLeastZero(interestEarned(rows, { disbursedOn, asOf: earnedBy, currency }).minus(sum(kept, 'interest')))
  return { kept, before, principal: sum(before, 'principal'), earned: before.length === 0 ? zero : earned }
}

/** The terms of what is left of a loan: fees that were taken at the payout are not asked again, a balloon becomes part of the instalments. */
export function termsOfRest(
  former: LoanTerms,
  changes: Partial<Pick<LoanTerms, 'annualRate' | 'firstDueAt' | 'graceOnPrincipal'>> & { instalments: number },
): LoanTerms {
  const { firstDueAt: _, balloon: __, ...kept } = former
  return {
    ...kept,
    method: former.method === 'balloon' ? 'declining' : former.method,
    fees: former.fees.filter(({ due }) => due === 'perInstalment'),
    // Where a first day is named, the days up to it count, be they more or fewer than a whole period.
    brokenPeriod: changes.firstDueAt === undefined ? former.brokenPeriod : 'charge',
    graceOnPrincipal: changes.graceOnPrincipal ?? 0,
    graceOnInterest: 0,
    instalments: changes.instalments,
    annualRate: changes.annualRate ?? former.annualRate,
    ...(changes.firstDueAt === undefined ? {} : { firstDueAt: changes.firstDueAt }),
  }
}

/** The terms of a loan whose next instalments are left out: the same instalments, so many periods later; interest runs on. */
export const termsOfHoliday = (former: LoanTerms, { left, skip }: { left: readonly DueRow[]; skip: number }): LoanTerms =>
  termsOfRest(former, { instalments: left.length, firstDueAt: addPeriods(left[0]?.dueOn ?? '', former.every, skip) })
