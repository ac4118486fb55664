import type { Point } from './distance.ts'
import { metresBetween } from './distance.ts'

/** What a route is calculated with: there are no roads, so a straight line times a factor stands for the way. */
export interface RouteSettings {
  /** Way driven for each metre of the straight line. */
  roadFactor: number
  /** Mean speed between stops, km/h. */
  speed: number
  /** Longest working day, hours; longer ones are a conflict. */
  longestDay: number
}

/** Town traffic: 30 km/h, ways 1.3 times the straight line, nine hours a day. */
export const defaultRouteSettings: RouteSettings = { roadFactor: 1.3, speed: 30, longestDay: 9 }

/** Minutes a visit lasts when neither the activity nor its type says so. */
export const defaultVisitMinutes = 30

export type StopLock = 'first' | 'last' | 'place'

/** One stop of a route. Times are milliseconds since 1970. */
export interface RouteStop {
  id: string
  /** Where it is; null when nobody knows, then no way is calculated to it. */
  point: Point | null
  /** Seconds spent there. */
  stay: number
  /** Stays at the beginning, the end or its present place when stops are ordered. */
  lock?: StopLock | null
  /** Nobody is there before. */
  notBefore?: number
  /** The agent must have arrived by then. */
  notAfter?: number
}

export interface RouteInput {
  stops: readonly RouteStop[]
  /** When the agent sets out. */
  startsAt: number
  /** Where from; without it the day begins at the first stop. */
  start?: Point | null
  /** Where to at last; without it the day ends at the last stop. */
  end?: Point | null
  settings?: RouteSettings
}

/** Way between two places in metres, by road as the settings see it; 0 when either place is unknown. */
export function roadMetres(from: Point | null | undefined, to: Point | null | undefined, settings: RouteSettings = defaultRouteSettings): number {
  return from && to ? metresBetween(from, to) * settings.roadFactor : 0
}

/** Seconds for so many metres. */
export function travelSeconds(metres: number, settings: RouteSettings = defaultRouteSettings): number {
  return metres / (settings.speed / 3.6)
}
