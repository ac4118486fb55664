/** The working days of a company: weekdays 1 (Monday) to 7 (Sunday), and its holidays as YYYY-MM-DD. */
export interface WorkCalendar {
  week: readonly number[]
  holidays: ReadonlySet<string>
}

export const mondayToFriday: readonly number[] = [1, 2, 3, 4, 5]
const dayMs = 86_400_000

const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
/** The day as YYYY-MM-DD. */
export const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
/** The day a number of days later (or earlier). */
export const addDays = (day: string, days: number) => dayOf(timeOf(day) + days * dayMs)
/** 1 Monday to 7 Sunday. */
export const weekdayOf = (day: string) => new Date(timeOf(day)).getUTCDay() || 7

export function isWorkingDay(day: string, { week, holidays }: WorkCalendar): boolean {
  return week.includes(weekdayOf(day)) && !holidays.has(day)
}

/** Working days from one day to another, both included; 0 when the end lies before the start. */
export function countWorkingDays(from: string, to: string, calendar: WorkCalendar): number {
  const days = Math.round((timeOf(to) - timeOf(from)) / dayMs) + 1
  if (days <= 0) return 0
  const weeks = Math.floor(days / 7)
  const rest = Array.from({ length: days - weeks * 7 }, (_, index) => addDays(from, weeks * 7 + index))
  const inWeeks = weeks * new Set(calendar.week).size
  const lost = [...calendar.holidays].filter(
    (day) => day >= from && day <= addDays(from, weeks * 7 - 1) && calendar.week.includes(weekdayOf(day)),
  ).length
  return inWeeks - lost + rest.filter((day) => isWorkingDay(day, calendar)).length
}
