import type { LoanTerms } from '@outpost/contract/lending'
import { addDays } from '../time-zone.ts'

/** Days on which nothing falls due: a set of YYYY-MM-DD, or a working calendar that answers for weekends too. */
export interface DaysOff {
  has: (day: string) => boolean
}
type DueTerms = Pick<LoanTerms, 'every' | 'instalments' | 'firstDueAt' | 'dueOnHoliday'>

/**
 * The days on which instalments fall due, as YYYY-MM-DD. Months count from the first due day, so that a loan of the 31st comes back to the 31st after a
 * shorter month. A day off moves to the next or the previous working day, and never before the payout.
 */
export function dueDates(terms: DueTerms, disbursedOn: string, daysOff?: DaysOff): string[] {
  const first = terms.firstDueAt ?? addPeriods(disbursedOn, terms.every, 1)
  return Array.from({ length: terms.instalments }, (_, index) => {
    const due = terms.firstDueAt === undefined ? addPeriods(disbursedOn, terms.every, index + 1) : addPeriods(first, terms.every, index)
    return movedFrom(due, terms.dueOnHoliday, { disbursedOn, daysOff })
  })
}

/** The day a number of periods later (or, below zero, earlier); the end of the month where it has no such day. */
export function addPeriods(day: string, every: LoanTerms['every'], periods: number): string {
  if (every.unit === 'week') return addDays(day, every.count * periods * 7)
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const months = year * 12 + (month - 1) + every.count * periods
  const target = { year: Math.floor(months / 12), month: months % 12 }
  const last = new Date(Date.UTC(target.year, target.month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(target.year, target.month, Math.min(date, last))).toISOString().slice(0, 10)
}

/** Most days that a due day moves: a calendar without a working day must not hold up the program. */
const furthest = 31

function movedFrom(
  due: string,
  rule: LoanTerms['dueOnHoliday'],
  { disbursedOn, daysOff }: { disbursedOn: string; daysOff: DaysOff | undefined },
): string {
  if (rule === 'keep' || !daysOff?.has(due)) return due
  const step = rule === 'next' ? 1 : -1
  for (let moved = 1; moved <= furthest; moved++) {
    const day = addDays(due, step * moved)
    if (day <= disbursedOn) break
    if (!daysOff.has(day)) return day
  }
  return due
}
