import type { Point } from '../places/distance.ts'
import { metresBetween } from '../places/distance.ts'

/** Settings of route calculation: there is no road network, so the straight line times a factor represents the road. */
export interface RouteSettings {
  /** Metres driven per metre of the straight line. */
  roadFactor: number
  /** Mean speed between stops, km/h. */
  speed: number
  /** Longest working day in hours; a longer one is a conflict. */
  longestDay: number
}

/** Town traffic: 30 km/h, roads 1.3 times the straight line, nine hours a day. */
export const defaultRouteSettings: RouteSettings = { roadFactor: 1.3, speed: 30, longestDay: 9 }

/** Minutes of a visit when neither the activity nor its type sets them. */
export const defaultVisitMinutes = 30

export type StopLock = 'first' | 'last' | 'place'

/** One stop of a route. Times are milliseconds since 1970. */
export interface RouteStop {
  id: string
  /** Its location; null when unknown, then no route to it is calculated. */
  point: Point | null
  /** Seconds spent there. */
  stay: number
  /** Stays at the start, the end or its present place when stops are ordered. */
  lock?: StopLock | null
  /** The earliest start of the visit. */
  notBefore?: number
  /** The latest arrival of the agent. */
  notAfter?: number
}

export interface RouteInput {
  stops: readonly RouteStop[]
  /** When the agent departs. */
  startsAt: number
  /** The starting point; without it the day begins at the first stop. */
  start?: Point | null
  /** The end point; without it the day ends at the last stop. */
  end?: Point | null
  settings?: RouteSettings
}

/** Road metres between two places by the settings; 0 when either place is unknown. */
export function roadMetres(
  from: Point | null | undefined,
  to: Point | null | undefined,
  settings: RouteSettings = defaultRouteSettings,
): number {
  return from && to ? metresBetween(from, to) * settings.roadFactor : 0
}

/** Travel seconds for a distance in metres. */
export function travelSeconds(metres: number, settings: RouteSettings = defaultRouteSettings): number {
  return metres / (settings.speed / 3.6)
}
