import type { Point } from '../places/distance.ts'
import { dayOf, timeAt } from '../time-zone.ts'
import type { RouteInput, RouteSettings, RouteStop, StopLock } from './route-plan.ts'
import { timeRoute, type TimedRoute } from './route-schedule.ts'
import type { PlannedRoute } from './route-conflicts.ts'

/** An activity as planning uses it. Times are milliseconds since 1970. */
export interface PlanActivity {
  id: string
  name: string
  lat: number | null
  lng: number | null
  start: number
  end: number
}

/** A stop as a plan stores it; the order of the list is the order of each agent's day. */
export interface PlanStop {
  activityId: string
  userId: string
  /** YYYY-MM-DD; the day the activity is due when not given. */
  day?: string | undefined
  lock?: StopLock | null | undefined
  /** The activity's start is an appointment; otherwise the plan sets the time. */
  keepsTime?: boolean | undefined
}

/** Settings of a plan: working hours are minutes since midnight. */
export interface PlanSettings extends RouteSettings {
  dayStart: number
  dayEnd: number
  startLat?: number | null | undefined
  startLng?: number | null | undefined
  returnsToStart: boolean
}

/** One agent's day. */
export interface DayRoute<Activity extends PlanActivity = PlanActivity, Stop extends PlanStop = PlanStop> {
  userId: string
  day: string
  stops: { stop: Stop; activity: Activity }[]
}
export interface TimedDay<Activity extends PlanActivity = PlanActivity, Stop extends PlanStop = PlanStop> extends DayRoute<Activity, Stop> {
  timed: TimedRoute
}

/**
 * The stops by agent and day, in their given order, without those whose activity is unknown. An appointment is on its own day, whatever
 * day was requested.
 */
export function dayRoutes<Activity extends PlanActivity, Stop extends PlanStop>(
  stops: readonly Stop[],
  activities: ReadonlyMap<string, Activity>,
  timeZone: string,
): DayRoute<Activity, Stop>[] {
  const known = stops.flatMap((stop) => {
    const activity = activities.get(stop.activityId)
    return activity ? [{ stop, activity }] : []
  })
  const groups = Map.groupBy(known, ({ stop, activity }) => `${stop.userId} ${stopDay(stop, activity, timeZone)}`)
  return [...groups].map(([key, members]) => {
    const [userId = '', day = ''] = key.split(' ')
    return { userId, day, stops: members }
  })
}

export const stopDay = (stop: PlanStop, activity: PlanActivity, timeZone: string): string =>
  (stop.keepsTime ? undefined : stop.day) ?? dayOf(activity.start, timeZone)

export const pointOf = (lat: number | null | undefined, lng: number | null | undefined): Point | null =>
  lat == null || lng == null ? null : { latitude: lat, longitude: lng }

/** A stop as the calculation uses it: the activity's length is the stay, an appointment is its time window. */
export function routeStop({ stop, activity }: { stop: PlanStop; activity: PlanActivity }): RouteStop {
  return {
    id: activity.id,
    point: pointOf(activity.lat, activity.lng),
    stay: Math.max(0, activity.end - activity.start) / 1000,
    lock: stop.lock ?? null,
    ...(stop.keepsTime ? { notBefore: activity.start, notAfter: activity.start } : {}),
  }
}

/** The input of timeRoute and orderStops for one day. */
export function routeInput(settings: PlanSettings, { day, stops }: Pick<DayRoute, 'day' | 'stops'>, timeZone: string): RouteInput {
  const start = pointOf(settings.startLat, settings.startLng)
  return {
    stops: stops.map(routeStop),
    startsAt: timeAt(day, settings.dayStart, timeZone),
    start,
    end: settings.returnsToStart ? start : null,
    settings,
  }
}

export function timeDay<Activity extends PlanActivity, Stop extends PlanStop>(
  settings: PlanSettings,
  route: DayRoute<Activity, Stop>,
  timeZone: string,
): TimedDay<Activity, Stop> {
  return { ...route, timed: timeRoute(routeInput(settings, route, timeZone)) }
}

/** A timed day in the form of findConflicts. */
export function plannedRoute(settings: PlanSettings, { userId, day, stops, timed }: TimedDay, timeZone: string): PlannedRoute {
  return {
    userId,
    day,
    start: pointOf(settings.startLat, settings.startLng),
    endsAt: timed.endsAt,
    opensAt: timeAt(day, settings.dayStart, timeZone),
    closesAt: timeAt(day, settings.dayEnd, timeZone),
    stops: timed.stops.map((times, index) => {
      const { point = null, notAfter } = stops[index] ? routeStop(stops[index]) : {}
      return {
        id: times.id,
        activityId: times.id,
        point,
        arrival: times.arrival,
        departure: times.departure,
        ...(notAfter === undefined ? {} : { notAfter }),
      }
    }),
  }
}

/** A timed day as calls answer it: times as text, whole metres and minutes. */
export const routeSummary = ({ userId, day, stops, timed }: TimedDay) => ({
  userId,
  day,
  metres: Math.round(timed.metres),
  travelMinutes: Math.round(timed.travel / 60),
  endsAt: iso(timed.endsAt),
  stops: timed.stops.map((stop, index) => ({
    activityId: stop.id,
    name: stops[index]?.activity.name,
    plannedArrival: iso(stop.arrival),
    plannedDeparture: iso(stop.departure),
    metres: Math.round(stop.metres),
    late: Math.round(stop.late / 60),
  })),
})

/** What all days of a plan take together. */
export const routeTotals = (days: readonly TimedDay[]) => ({
  metres: Math.round(sumOf(days, ({ timed }) => timed.metres)),
  travelMinutes: Math.round(sumOf(days, ({ timed }) => timed.travel) / 60),
})

/** When each activity is to begin, but for those that keep their time. */
export function plannedStarts(days: readonly TimedDay[]): Map<string, number> {
  const kept = new Set(days.flatMap(({ stops }) => stops.filter(({ stop }) => stop.keepsTime).map(({ activity: { id } }) => id)))
  const moved = days.flatMap(({ timed }) => timed.stops.filter(({ id }) => !kept.has(id)))
  return new Map(moved.map(({ id, arrival }) => [id, Math.round(arrival)]))
}

const sumOf = (days: readonly TimedDay[], of: (day: TimedDay) => number) => days.reduce((sum, day) => sum + of(day), 0)
const iso = (time: number) => new Date(time).toISOString()
