import type { Point } from '../places/distance.ts'
import { defaultRouteSettings, roadMetres, travelSeconds, type RouteSettings } from './route-plan.ts'

/** A planned stop. Times are milliseconds since 1970. */
export interface PlannedStop {
  id: string
  activityId: string
  point: Point | null
  arrival: number
  departure: number
  /** The agent must have arrived by then. */
  notAfter?: number
}

/** One agent's plan of one day. */
export interface PlannedRoute {
  userId: string
  /** The day as YYYY-MM-DD in the company's time zone. */
  day: string
  start?: Point | null
  /** Working hours of the day. */
  opensAt: number
  closesAt: number
  /** When the agent finishes, including the way back. */
  endsAt: number
  stops: readonly PlannedStop[]
}

/** Time in which an agent is busy: with another plan, or with an activity outside any plan. */
export interface BusyTime {
  userId: string
  from: number
  to: number
  name: string
  activityId: string
  planName?: string | null
}

export const conflictKinds = ['overlap', 'travel', 'late', 'outside', 'longDay', 'busy', 'noPlace'] as const
export type ConflictKind = (typeof conflictKinds)[number]

export interface PlanConflict {
  kind: ConflictKind
  userId: string
  day: string
  /** The stop of the conflict; without one it concerns the day. */
  stopId?: string
  /** The excess in minutes. */
  minutes?: number
  /** The activity that conflicts: a stop's or a busy time's. */
  with?: { activityId: string; name?: string; planName?: string | null }
}

export interface ConflictInput {
  routes: readonly PlannedRoute[]
  busy?: readonly BusyTime[]
  settings?: RouteSettings
}

/** All conflicts of a plan, route by route in the order of the stops. */
export function findConflicts({ routes, busy = [], settings = defaultRouteSettings }: ConflictInput): PlanConflict[] {
  return routes.flatMap((route) => {
    const taken = busy.filter(({ userId }) => userId === route.userId)
    const own = { userId: route.userId, day: route.day }
    const atStops = route.stops.flatMap((stop, place) =>
      [
        ...betweenStops(route, place, settings),
        ...hoursOf(route, stop),
        ...busyAt(stop, taken),
        ...(stop.point ? [] : [{ kind: 'noPlace' as const }]),
      ].map((conflict): PlanConflict => ({ ...own, stopId: stop.id, ...conflict })),
    )
    return [...atStops, ...lengthOf(route, settings).map((conflict) => ({ ...own, ...conflict }))]
  })
}

type Found = Pick<PlanConflict, 'kind' | 'minutes' | 'with'>

const minutes = (milliseconds: number) => Math.ceil(milliseconds / 60_000 - 1e-6)
/** A second of tolerance: planned times have milliseconds, calculated travel times do not. */
const slack = 1_000

/** The agent is still elsewhere or travelling, or has missed the stop's time window. */
function betweenStops({ stops, start, opensAt }: PlannedRoute, place: number, settings: RouteSettings): Found[] {
  const stop = stops[place] as PlannedStop
  const before = stops[place - 1]
  const ready = before?.departure ?? opensAt
  const from = stops.slice(0, place).findLast(({ point }) => point)?.point ?? start
  const found = before && { with: { activityId: before.activityId } }
  if (before && stop.arrival < before.departure - slack)
    return [{ kind: 'overlap', minutes: minutes(before.departure - stop.arrival), ...found }]
  const reached = ready + travelSeconds(roadMetres(from, stop.point, settings), settings) * 1000
  if (before && stop.arrival < reached - slack) return [{ kind: 'travel', minutes: minutes(reached - stop.arrival), ...found }]
  const { notAfter } = stop
  if (notAfter === undefined || stop.arrival <= notAfter + slack) return []
  return [{ kind: before && before.departure > notAfter ? 'overlap' : 'late', minutes: minutes(stop.arrival - notAfter), ...found }]
}

function hoursOf({ opensAt, closesAt }: PlannedRoute, { arrival, departure }: PlannedStop): Found[] {
  const out = Math.max(opensAt - arrival, departure - closesAt)
  return out > slack ? [{ kind: 'outside', minutes: minutes(out) }] : []
}

function busyAt({ activityId, arrival, departure }: PlannedStop, taken: readonly BusyTime[]): Found[] {
  const clash = taken.find((time) => time.activityId !== activityId && time.from < departure - slack && time.to > arrival + slack)
  if (!clash) return []
  const overlap = Math.min(departure, clash.to) - Math.max(arrival, clash.from)
  return [
    { kind: 'busy', minutes: minutes(overlap), with: { activityId: clash.activityId, name: clash.name, planName: clash.planName ?? null } },
  ]
}

/**
 * From the start of the day, or of an earlier first stop, to the end of the way back, which may end too late although the last stop does
 * not.
 */
function lengthOf({ stops, opensAt, closesAt, endsAt }: PlannedRoute, { longestDay }: RouteSettings): Found[] {
  const [first, last] = [stops[0], stops.at(-1)]
  if (!first || !last) return []
  const isBackLate = endsAt > closesAt + slack && last.departure <= closesAt + slack
  const over = endsAt - Math.min(opensAt, first.arrival) - longestDay * 3_600_000
  return [
    ...(over > slack ? [{ kind: 'longDay' as const, minutes: minutes(over) }] : []),
    ...(isBackLate ? [{ kind: 'outside' as const, minutes: minutes(endsAt - closesAt) }] : []),
  ]
}
