import { addDays, dayOf, timeAt } from '../time-zone.ts'
import { isWorkingDay, weekdayOf, type WorkCalendar } from './working-days.ts'

/** Hours of work on a day of the week (1 Monday to 7 Sunday): minutes since midnight on the clock of the place, the end not included. */
export interface Shift {
  weekday: number
  from: number
  to: number
}

/** When a company or a branch works: its shifts, which do not overlap, its days off (YYYY-MM-DD) and the clock they are read by. */
export interface WorkingTime {
  shifts: readonly Shift[]
  holidays: ReadonlySet<string>
  timeZone: string
}

/** What holds while nobody has said otherwise: Monday to Friday, 8 to 17. */
export const officeHours: readonly Shift[] = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: 480, to: 1_020 }))

const minuteMs = 60_000
/** Beyond this many days without a minute of work something is wrong with the calendar. */
const farthestDays = 3_660

/** The days of a working time, for counting them. */
export const calendarOf = ({ shifts, holidays }: WorkingTime): WorkCalendar => ({
  week: [...new Set(shifts.map(({ weekday }) => weekday))].toSorted((a, b) => a - b),
  holidays,
})

/** The stretches (ms since 1970) in which a day is worked, in their order. Where the clock is changed they are as long as the clock says. */
function stretchesOf(day: string, time: WorkingTime): { start: number; end: number }[] {
  if (!isWorkingDay(day, calendarOf(time))) return []
  return time.shifts
    .filter(({ weekday }) => weekday === weekdayOf(day))
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to }) => ({ start: timeAt(day, from, time.timeZone), end: timeAt(day, to, time.timeZone) }))
}

/** Minutes of work between two times (ms since 1970), fractions included; 0 when the end is not after the start. */
export function workingMinutesBetween(start: number, end: number, time: WorkingTime): number {
  if (end <= start) return 0
  const last = dayOf(end, time.timeZone)
  let worked = 0
  for (let day = dayOf(start, time.timeZone); day <= last; day = addDays(day, 1)) {
    for (const stretch of stretchesOf(day, time)) worked += Math.max(0, Math.min(end, stretch.end) - Math.max(start, stretch.start))
  }
  return worked / minuteMs
}

/**
 * The first time (ms since 1970) at which so many minutes of work have passed since the start.
 * Fails with RangeError where ten years hold less than that.
 */
export function addWorkingMinutes(start: number, minutes: number, time: WorkingTime): number {
  let left = minutes * minuteMs
  if (left <= 0) return start
  const first = dayOf(start, time.timeZone)
  for (let index = 0; index < farthestDays; index += 1) {
    for (const stretch of stretchesOf(addDays(first, index), time)) {
      const begin = Math.max(start, stretch.start)
      const length = Math.max(0, stretch.end - begin)
      if (length >= left) return begin + left
      left -= length
    }
  }
  throw new RangeError('the calendar has too few hours of work')
}

/** Minutes of an ordinary day of work: the longest day of the week. One working day is so long in deadlines. */
export function minutesOfDay({ shifts }: Pick<WorkingTime, 'shifts'>): number {
  const lengths = [1, 2, 3, 4, 5, 6, 7].map((day) =>
    shifts.filter(({ weekday }) => weekday === day).reduce((sum, { from, to }) => sum + to - from, 0),
  )
  return Math.max(...lengths)
}
