import { occurrencesBetween } from '@outpost/rules/activities/recurrence'
import { addDays, dayOf, minuteOf, timeAt } from '@outpost/rules/time-zone'

/** When a group meets: a rule over wall-clock times of the company's zone, from the first meeting on. */
export interface MeetingCalendar {
  rule: string | null
  start: Date
  timeZone: string
}

/** So far ahead meetings are looked for; rules that people choose from have one within. */
const horizonDays = 400

/** The meetings after a moment, so many at most. One without a rule happens once. */
export function meetingsAfter({ rule, start, timeZone }: MeetingCalendar, after: Date, most: number): Date[] {
  if (rule === null) return start > after ? [start] : []
  const until = `${addDays(dayOf(Math.max(after.getTime(), start.getTime()), timeZone), horizonDays)}T23:59:59`
  const times = occurrencesBetween({ rule, start: wallTime(start, timeZone), after: wallTime(after, timeZone), until })
  return times
    .map((time) => momentOf(time, timeZone))
    .filter((time) => time > after)
    .slice(0, most)
}

function wallTime(time: Date, timeZone: string): string {
  const minutes = minuteOf(time.getTime(), timeZone)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${dayOf(time.getTime(), timeZone)}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`
}

function momentOf(wall: string, timeZone: string): Date {
  return new Date(timeAt(wall.slice(0, 10), Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16)), timeZone))
}
