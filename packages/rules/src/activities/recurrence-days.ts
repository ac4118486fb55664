import type { RecurrenceRule } from './recurrence-rule.ts'

const dayMs = 86_400_000
/** Days since 1970 of a date; months above 12 continue into the next years. */
const dayNumber = (year: number, month: number, day = 1) => Math.round(new Date(0).setUTCFullYear(year, month - 1, day) / dayMs)
/** Monday is 0. */
const weekdayOf = (day: number) => (((day + 3) % 7) + 7) % 7

interface DayFacts {
  day: number
  year: number
  month: number
  date: number
}
/** Days since 1970, both included. */
interface Stretch {
  first: number
  last: number
}

function factsOf(day: number): DayFacts {
  const date = new Date(day * dayMs)
  return { day, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, date: date.getUTCDate() }
}

/** Fills the missing parts of a rule from its first day. */
export function completeRule(rule: RecurrenceRule, start: number): RecurrenceRule {
  if ([rule.weekNumbers, rule.yearDays, rule.monthDays, rule.weekdays].some((list) => list.length > 0)) return rule
  const { month, date } = factsOf(start)
  if (rule.frequency === 'WEEKLY') return { ...rule, weekdays: [{ day: weekdayOf(start) }] }
  if (rule.frequency === 'MONTHLY') return { ...rule, monthDays: [date] }
  if (rule.frequency === 'YEARLY') return { ...rule, monthDays: [date], months: rule.months.length > 0 ? rule.months : [month] }
  return rule
}

/**
 * The numbered periods (days, weeks, months or years) of a rule; number 0 contains the start. Returns the number of the period of a day,
 * and a period's first and last day.
 */
export function periodsOf(
  { frequency, weekStart }: RecurrenceRule,
  start: number,
): { indexOf(day: number): number; stretch(index: number): Stretch } {
  const { year, month } = factsOf(start)
  const weekOfStart = start - ((weekdayOf(start) - weekStart + 7) % 7)
  switch (frequency) {
    case 'DAILY':
      return { indexOf: (day) => day - start, stretch: (index) => ({ first: start + index, last: start + index }) }
    case 'WEEKLY':
      return {
        indexOf: (day) => Math.floor((day - weekOfStart) / 7),
        stretch: (index) => ({ first: weekOfStart + index * 7, last: weekOfStart + index * 7 + 6 }),
      }
    case 'MONTHLY':
      return {
        indexOf: (day) => {
          const facts = factsOf(day)
          return (facts.year - year) * 12 + facts.month - month
        },
        stretch: (index) => ({ first: dayNumber(year, month + index), last: dayNumber(year, month + index + 1) - 1 }),
      }
    default:
      return {
        indexOf: (day) => factsOf(day).year - year,
        stretch: (index) => ({ first: dayNumber(year + index, 1), last: dayNumber(year + index + 1, 1) - 1 }),
      }
  }
}

/** The days of a range that match a complete rule, in order; only those at its positions, where it names any. */
export function daysWithin(rule: RecurrenceRule, { first, last }: Stretch): number[] {
  const days: number[] = []
  for (let day = first; day <= last; day += 1) if (isMeant(rule, factsOf(day))) days.push(day)
  if (rule.positions.length === 0) return days
  return days.filter((_, index) => isAmong(rule.positions, index + 1, days.length))
}

/** Whether a list contains a position among `count`, counted from the start or the end. */
const isAmong = (list: readonly number[], place: number, count: number) => list.includes(place) || list.includes(place - count - 1)
const allows = (list: readonly unknown[], isNamed: () => boolean) => list.length === 0 || isNamed()

function isMeant(rule: RecurrenceRule, facts: DayFacts): boolean {
  const { day, year, month, date } = facts
  return (
    allows(rule.months, () => rule.months.includes(month)) &&
    allows(rule.monthDays, () => isAmong(rule.monthDays, date, dayNumber(year, month + 1) - dayNumber(year, month))) &&
    allows(rule.yearDays, () => isAmong(rule.yearDays, day - dayNumber(year, 1) + 1, dayNumber(year + 1, 1) - dayNumber(year, 1))) &&
    allows(rule.weekdays, () => rule.weekdays.some((weekday) => isWeekday(rule, weekday, facts))) &&
    allows(rule.weekNumbers, () => isWeekNumber(rule, facts))
  )
}

function isWeekday({ frequency, months }: RecurrenceRule, { day, nth }: RecurrenceRule['weekdays'][number], facts: DayFacts): boolean {
  if (weekdayOf(facts.day) !== day) return false
  if (nth === undefined || frequency === 'DAILY' || frequency === 'WEEKLY') return true
  const isOfYear = frequency === 'YEARLY' && months.length === 0
  const first = isOfYear ? dayNumber(facts.year, 1) : dayNumber(facts.year, facts.month)
  const next = isOfYear ? dayNumber(facts.year + 1, 1) : dayNumber(facts.year, facts.month + 1)
  return nth > 0 ? Math.floor((facts.day - first) / 7) + 1 === nth : Math.floor((next - 1 - facts.day) / 7) + 1 === -nth
}

/** A week belongs to the year that contains at least four of its days. */
function isWeekNumber({ weekStart, weekNumbers }: RecurrenceRule, { day }: DayFacts): boolean {
  const middle = day - ((weekdayOf(day) - weekStart + 7) % 7) + 3
  const { year } = factsOf(middle)
  const weeks = Math.floor((dayNumber(year + 1, 1) - 1 - middle) / 7) + Math.floor((middle - dayNumber(year, 1)) / 7) + 1
  return isAmong(weekNumbers, Math.floor((middle - dayNumber(year, 1)) / 7) + 1, weeks)
}
