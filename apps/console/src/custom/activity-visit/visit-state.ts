import { uniqBy } from 'es-toolkit/array/uniqBy'
import { mayFollow, type ActivityMeaning } from '@outpost/rules/activities/activity-status'
import { metresBetween } from '@outpost/rules/places/distance'
import { isPosition } from '@outpost/rules/validation'
import type { Row } from '../../data/records.ts'
import { ownMeaning, type ActivityStatus } from '../../device/work/statuses.ts'

export interface Person {
  Id: string
  name: string
  phone: string
}
interface Point {
  latitude: number
  longitude: number
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : [])

export const isMine = (activity: Row, userId: string): boolean => list(activity.assignedUsers).some((agent) => agent.Id === userId)

export interface Step {
  meaning: ActivityMeaning
  status: ActivityStatus
  label: string
  asksWhy: boolean
  isMain: boolean
}

const words: Record<ActivityMeaning, { label: string; asksWhy: boolean }> = {
  started: { label: 'Start visit', asksWhy: false },
  done: { label: 'Complete', asksWhy: false },
  missed: { label: 'Missed', asksWhy: true },
  cancelled: { label: 'Cancel visit', asksWhy: true },
  open: { label: 'Plan again', asksWhy: false },
}
const order: ActivityMeaning[] = ['started', 'done', 'missed', 'cancelled', 'open']

/** What the agent may do next, the likeliest first; only statuses that the company has. */
export function nextSteps(meaning: ActivityMeaning, statuses: readonly ActivityStatus[]): Step[] {
  return order
    .filter((to) => to !== meaning && mayFollow(meaning, to))
    .flatMap((to, index) => {
      const status = statuses.find((one) => one.meaning === to)
      return status ? [{ meaning: to, status, ...words[to], isMain: index === 0 }] : []
    })
}

/** Another visit of the caller that is in progress: one at a time. */
export const runningVisit = (
  day: readonly Row[],
  { statuses, userId, id }: { statuses: readonly ActivityStatus[]; userId: string; id: string },
): Row | undefined =>
  day.find(
    (row) =>
      row.Id !== id &&
      isMine(row, userId) &&
      list(row.assignedUsers).some(
        (agent) => agent.Id === userId && statuses.find((status) => status.Id === agent.statusId)?.meaning === 'started',
      ),
  )

/** The next of the caller's visits of the day that is still to be done, by its start; those before this one come last. */
export function nextStop(
  day: readonly Row[],
  { statuses, userId, activity }: { statuses: readonly ActivityStatus[]; userId: string; activity: Row },
): Row | undefined {
  const start = text(activity.startDate)
  const sameDay = (row: Row) => new Date(text(row.startDate)).toDateString() === new Date(start).toDateString()
  const open = day
    .filter(
      (row) =>
        row.Id !== activity.Id && isMine(row, userId) && sameDay(row) && ['open', 'started'].includes(ownMeaning(row, statuses, userId)),
    )
    .toSorted((a, b) => text(a.startDate).localeCompare(text(b.startDate)))
  return open.find((row) => text(row.startDate) >= start) ?? open[0]
}

/** Where the activity is; undefined when nobody said. */
export function placeOf({ lat, lng }: Row): Point | undefined {
  const [latitude, longitude] = [Number(lat ?? Number.NaN), Number(lng ?? Number.NaN)]
  return isPosition(latitude, longitude) ? { latitude, longitude } : undefined
}

/** "80 m", "1.4 km". */
export function formatDistance(from: Point, to: Point): string {
  const metres = metresBetween(from, to)
  return metres < 1000 ? `${Math.round(metres / 10) * 10} m` : `${(metres / 1000).toFixed(metres < 10_000 ? 1 : 0)} km`
}

/** Opens the phone's own map; undefined without place and words. */
export function navigateLink(activity: Row, userAgent: string): string | undefined {
  const place = placeOf(activity)
  const where = place ? `${place.latitude},${place.longitude}` : text(activity.location)
  if (where === '') return undefined
  const query = encodeURIComponent(where)
  return userAgent.includes('Android')
    ? `geo:${place ? where : '0,0'}?q=${query}`
    : `https://www.google.com/maps/dir/?api=1&destination=${query}`
}

/** The people of an activity, each once, with their numbers. */
export function peopleOf(activity: Row): Person[] {
  const people = [...list(activity.leads), ...list(activity.clients)].map((one) => ({
    Id: String(one.Id),
    name: text(one.label) || [one.firstName, one.lastName].map(text).filter(Boolean).join(' '),
    phone: text(one.phonenumber),
  }))
  return uniqBy(people, (one) => one.Id)
}
