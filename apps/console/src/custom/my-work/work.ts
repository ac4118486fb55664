import { uniqBy } from 'es-toolkit/array/uniqBy'
import { isFinished, isLate } from '@outpost/rules/activities/activity-status'
import { metresBetween, type Point } from '@outpost/rules/places/distance'
import { isPosition } from '@outpost/rules/validation'
import type { Row } from '../../data/records.ts'

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
export interface LeadWork {
  fresh: Row[]
  waiting: Row[]
  capturedToday: number
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

/** Midnight to midnight of the device's day, as times. */
export function dayBounds(now: Date): [from: number, to: number] {
  const from = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  const to = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
  return [from.getTime(), to.getTime()]
}

const freshStatuses = ['New', 'Assigned', 'Recycled']
/** Statuses in which the agent owes somebody a call, or waits for an answer. */
const waitingStatuses = ['Contacted', 'Nurture', 'Consent requested']
export const openStatuses = [...freshStatuses, ...waitingStatuses]

/** Splits leads that are an agent's own into new ones and those that wait for a call or for consent. */
export function sortLeads(leads: readonly Row[], now: Date): LeadWork {
  const [from] = dayBounds(now)
  const unique = uniqBy(leads, (lead) => lead.Id).toSorted((a, b) => at(b.dateCreated) - at(a.dateCreated))
  const isWaiting = (lead: Row) => lead.consentStatus === 'REQUESTED' || waitingStatuses.includes(text(lead.status))
  return {
    fresh: unique.filter((lead) => !isWaiting(lead) && freshStatuses.includes(text(lead.status))),
    waiting: unique.filter(isWaiting),
    capturedToday: unique.filter((lead) => at(lead.dateCreated) >= from).length,
  }
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
