import { addDays, countWorkingDays, dayOf, weekdayOf, type WorkCalendar } from '../calendar/working-days.ts'

export const periodKinds = ['month', 'quarter', 'week', 'custom'] as const
export type PeriodKind = (typeof periodKinds)[number]
/** Both days are included. */
export interface Period {
  startDate: string
  endDate: string
}

/** The whole month, quarter or week (from Monday) that contains the day; custom returns null. */
export function periodAround(kind: PeriodKind, day: string): Period | null {
  if (kind === 'custom') return null
  if (kind === 'week') {
    const startDate = addDays(day, 1 - weekdayOf(day))
    return { startDate, endDate: addDays(startDate, 6) }
  }
  const [year = 0, month = 1] = day.split('-').map(Number)
  const months = kind === 'quarter' ? 3 : 1
  const first = kind === 'quarter' ? month - ((month - 1) % 3) : month
  return { startDate: dayOf(Date.UTC(year, first - 1, 1)), endDate: dayOf(Date.UTC(year, first - 1 + months, 0)) }
}

/** The previous period of the same kind; for a custom one, as many days before it. */
export function periodBefore(kind: PeriodKind, { startDate, endDate }: Period): Period {
  const before = addDays(startDate, -1)
  const days = Math.round((Date.parse(endDate) - Date.parse(startDate)) / 86_400_000)
  return periodAround(kind, before) ?? { startDate: addDays(before, -days), endDate: before }
}

export interface Achievement {
  /** Percent of the target, one decimal. */
  attainment: number
  /** The expected amount at the end of the last passed or current day, by working days. */
  expected: number
  /** Actual minus expected. */
  variance: number
  /** The projected amount at the end of the period; null before its first working day. */
  projected: number | null
  workingDays: number
  workingDaysPassed: number
}

/** The status of a target on a day: the day itself counts as passed. Amounts are rounded to two decimals. */
export function achievementOf({
  value,
  actual,
  period,
  today,
  calendar,
}: {
  value: number
  actual: number
  period: Period
  today: string
  calendar: WorkCalendar
}): Achievement {
  const workingDays = countWorkingDays(period.startDate, period.endDate, calendar)
  const until = today < period.endDate ? today : period.endDate
  const workingDaysPassed = countWorkingDays(period.startDate, until, calendar)
  const isOver = today >= period.endDate
  const share = isOver ? 1 : workingDays === 0 ? 0 : workingDaysPassed / workingDays
  const expected = round(value * share)
  return {
    attainment: value === 0 ? 100 : Math.round((actual / value) * 1_000) / 10,
    expected,
    variance: round(actual - expected),
    projected: share === 0 ? null : round(actual / share),
    workingDays,
    workingDaysPassed,
  }
}

/** The way to a target, a point a day: what is there by its end (null for days to come) and what should be. `amounts`: of every day of the period. */
export function progressOf(
  amounts: readonly { day: string; amount: number }[],
  { value, today, calendar }: { value: number; today: string; calendar: WorkCalendar },
): { day: string; actual: number | null; expected: number }[] {
  const [first, last] = [amounts[0]?.day ?? today, amounts.at(-1)?.day ?? today]
  const all = countWorkingDays(first, last, calendar)
  let sum = 0
  return amounts.map(({ day, amount }) => {
    sum = round(sum + amount)
    const share = all === 0 ? 1 : countWorkingDays(first, day, calendar) / all
    return { day, actual: day <= today ? sum : null, expected: round(value * share) }
  })
}

const round = (amount: number) => Math.round(amount * 100) / 100
