import { occurrencesBetween } from '../activities/recurrence.ts'
import { addDays, dayOf, minuteOf, timeAt } from '../time-zone.ts'

/** What became of the meeting of one day: another time, or nothing at all. */
export interface MeetingChange {
  /** The day on which the group would have met (YYYY-MM-DD, in its zone). */
  meetingOn: string
  movedTo: Date | null
}

/** When a group meets: a rule over wall-clock times of the company's zone, from the first meeting on, but for single meetings that were changed. */
export interface MeetingCalendar {
  rule: string | null
  start: Date
  timeZone: string
  changes?: readonly MeetingChange[]
}

/** So far ahead meetings are looked for; rules that people choose from have one within. */
const horizonDays = 400

/** The meetings after a moment, so many at most. One without a rule happens once. */
export function meetingsAfter(calendar: MeetingCalendar, after: Date, most: number): Date[] {
  const { start, timeZone } = calendar
  const until = timeAt(addDays(dayOf(Math.max(after.getTime(), start.getTime()), timeZone), horizonDays), 0, timeZone)
  return meetingsBetween(calendar, after, new Date(until)).slice(0, most)
}

/** The meetings after one moment and until another, in their order; those that were moved at the time they were moved to. */
export function meetingsBetween(calendar: MeetingCalendar, after: Date, until: Date): Date[] {
  const { timeZone, changes = [] } = calendar
  const changed = new Set(changes.map(({ meetingOn }) => meetingOn))
  const kept = timesBetween(calendar, after, until).filter((time) => !changed.has(dayOf(time.getTime(), timeZone)))
  // A change of a day on which the calendar, changed since, has no meeting means nothing any more.
  const moved = changes.flatMap(({ meetingOn, movedTo }) => (movedTo && isMeetingDay(calendar, meetingOn) ? [movedTo] : []))
  const all = [...kept, ...moved].filter((time) => time > after && time <= until).map((time) => time.getTime())
  return [...new Set(all)].toSorted((one, other) => one - other).map((time) => new Date(time))
}

/** Whether the calendar, single changes aside, has a meeting on that day. */
export function isMeetingDay(calendar: MeetingCalendar, day: string): boolean {
  const [from, to] = [day, addDays(day, 1)].map((one) => timeAt(one, 0, calendar.timeZone) - 1)
  return timesBetween(calendar, new Date(from ?? 0), new Date(to ?? 0)).length > 0
}

function timesBetween({ rule, start, timeZone }: MeetingCalendar, after: Date, until: Date): Date[] {
  if (rule === null) return start > after && start <= until ? [start] : []
  const [first, from, to] = [start, after, until].map((time) => wallTime(time, timeZone))
  return occurrencesBetween({ rule, start: first ?? '', after: from, until: to ?? '' })
    .map((time) => momentOf(time, timeZone))
    .filter((time) => time > after && time <= until)
}

function wallTime(time: Date, timeZone: string): string {
  const minutes = minuteOf(time.getTime(), timeZone)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${dayOf(time.getTime(), timeZone)}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`
}

function momentOf(wall: string, timeZone: string): Date {
  return new Date(timeAt(wall.slice(0, 10), Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16)), timeZone))
}
