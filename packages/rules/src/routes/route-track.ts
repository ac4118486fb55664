import { metresBetween, type Point } from '../places/distance.ts'

export interface Fix extends Point {
  at: number
  accuracy?: number | null
  source?: string | null
  flags?: readonly string[] | null
}

/** Fixes that may be used for measuring: fresh, accurate to at least 100 m and not doubted. Reused old fixes have accuracy 9999. */
export const worstAccuracy = 100
export const isMeasured = ({ accuracy, source, flags }: Fix): boolean =>
  (source ?? 'live') === 'live' && (accuracy ?? 0) <= worstAccuracy && !flags?.includes('teleport')

/** Metres along the accepted fixes, in the order of time. */
export function trackMetres(fixes: readonly Fix[]): number {
  const way = fixes.filter(isMeasured).toSorted((a, b) => a.at - b.at)
  return way.reduce((sum, fix, index) => sum + (index === 0 ? 0 : metresBetween(way[index - 1] as Fix, fix)), 0)
}

export interface StopPlan {
  point: Point | null
  arrival: number | null
}
export interface Visit {
  at: number
  point: Point | null
}

/** The deviation of a visit from its plan: metres from the place and minutes after (negative: before) the planned arrival. */
export function deviationOf({ point, arrival }: StopPlan, visit: Visit): { metres: number | null; minutes: number | null } {
  return {
    metres: point && visit.point ? Math.round(metresBetween(point, visit.point)) : null,
    minutes: arrival === null ? null : Math.round((visit.at - arrival) / 60_000),
  }
}

/** Metres from a place to the nearest point of a path (planar within a few hundred kilometres); infinite for an empty path. */
export function metresToPath(place: Point, way: readonly Point[]): number {
  if (way.length === 1) return metresBetween(place, way[0] as Point)
  return way.slice(1).reduce((least, to, index) => Math.min(least, metresToLeg(place, way[index] as Point, to)), Infinity)
}

function metresToLeg(place: Point, from: Point, to: Point): number {
  const squeeze = Math.cos((place.latitude * Math.PI) / 180)
  const flat = ({ latitude, longitude }: Point) => [(longitude - place.longitude) * squeeze, latitude - place.latitude] as const
  const [[ax, ay], [bx, by]] = [flat(from), flat(to)]
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length))
  const nearest = {
    latitude: from.latitude + (to.latitude - from.latitude) * share,
    longitude: from.longitude + (to.longitude - from.longitude) * share,
  }
  return metresBetween(place, nearest)
}
