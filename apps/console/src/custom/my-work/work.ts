import { isFinished, isLate } from '@outpost/rules/activities/activity-status'
import { metresBetween, type Point } from '@outpost/rules/places/distance'
import { addDays, dayOf, timeAt } from '@outpost/rules/time-zone'
import { isPosition } from '@outpost/rules/validation'
import type { Row } from '../../data/records.ts'
import { companyZone } from '../../session/formats.ts'

export type Meaning = 'open' | 'started' | 'done' | 'missed' | 'cancelled'
export interface ActivityStatus {
  Id: string
  name: string
  meaning: Meaning
}

/** Work of the day in the order it should be done: late, still to come, and all of today that is open, late or not. */
export interface DayWork {
  overdue: Row[]
  today: Row[]
  open: Row[]
  done: number
  planned: number
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const at = (value: unknown): number => Date.parse(text(value))

/** What the status of an activity means; a status this device does not know counts as open. */
export function meaningOf(activity: Row, statuses: readonly ActivityStatus[]): Meaning {
  const known = statuses.find((status) => status.Id === activity.statusId) ?? statuses.find((status) => status.name === activity.status)
  return known?.meaning ?? 'open'
}

/** Splits activities of one agent into late ones and the rest of today; finished ones of today count as progress. */
export function sortDay(
  activities: readonly Row[],
  { statuses, userId, now }: { statuses: readonly ActivityStatus[]; userId: string; now: Date },
): DayWork {
  const [from, to] = dayBounds(now)
  const mine = activities.filter((activity) => isAssigned(activity, userId))
  const isOverdue = (activity: Row) => isLate(meaningOf(activity, statuses), at(activity.endDate), now.getTime())
  const today = mine.filter((activity) => at(activity.startDate) >= from && at(activity.startDate) < to)
  const done = today.filter((activity) => meaningOf(activity, statuses) === 'done').length
  const byStart = (a: Row, b: Row) => at(a.startDate) - at(b.startDate)
  const open = today.filter((activity) => !isFinished(meaningOf(activity, statuses))).toSorted(byStart)
  return {
    overdue: mine.filter(isOverdue).toSorted(byStart),
    today: open.filter((activity) => !isOverdue(activity)),
    open,
    done,
    planned: today.length,
  }
}

/** Lists of the server are the caller's own already and may leave the agents out. */
function isAssigned(activity: Row, userId: string): boolean {
  const users = activity.assignedUsers
  return !Array.isArray(users) || users.some((user: { Id?: string }) => user.Id === userId)
}

/** Midnight to midnight of the company's day, as times: lists cut days the same way. */
function dayBounds(now: Date): [from: number, to: number] {
  const zone = companyZone()
  const day = dayOf(now.getTime(), zone)
  return [timeAt(day, 0, zone), timeAt(addDays(day, 1), 0, zone)]
}

/** Where to go now: the visit that runs, else the next of today's open ones by its start; and how far it is in a straight line. */
export function nextStop(
  today: readonly Row[],
  { statuses, here }: { statuses: readonly ActivityStatus[]; here: Point | null },
): { row: Row; isRunning: boolean; place: Point | null; metres: number | null } | null {
  const running = today.find((row) => meaningOf(row, statuses) === 'started')
  const row = running ?? today[0]
  if (!row) return null
  const [latitude, longitude] = [Number(row.lat), Number(row.lng)]
  const place = row.lat !== null && row.lng !== null && isPosition(latitude, longitude) ? { latitude, longitude } : null
  return { row, isRunning: running !== undefined, place, metres: place && here ? metresBetween(here, place) : null }
}

/** Metres as people say them: "350 m", "2.4 km", "18 km". */
export function distanceText(metres: number): string {
  if (metres < 950) return `${Math.max(10, Math.round(metres / 10) * 10)} m`
  return `${(metres / 1_000).toFixed(metres < 9_950 ? 1 : 0)} km`
}
