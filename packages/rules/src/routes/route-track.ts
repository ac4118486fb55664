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

/** What the agent reported of a stop. */
export interface Report {
  startedAt: number | null
  endedAt: number | null
  /** Where the report was made, when it says so. */
  point: Point | null
}

/** A visit without a place of its own is where the agent was within these minutes. */
const nearMinutes = 10

/** When and where the agent was at a stop: the place of the report, else the fix nearest in time. Null while nobody has been there. */
export function visitOf(
  { meaning, changedAt }: { meaning: string; changedAt: number | null },
  report: Report | undefined,
  way: readonly Fix[],
): Visit | null {
  const at = report?.startedAt ?? (meaning === 'missed' ? null : report?.endedAt) ?? changedAt
  if (at === null || !['started', 'done'].includes(meaning)) return null
  const nearest = way
    .filter((fix) => Math.abs(fix.at - at) <= nearMinutes * 60_000)
    .toSorted((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0]
  return { at, point: report?.point ?? nearest ?? null }
}

/** Every nth point of a path, and its end, so that it has about so many. */
export function thinned<Point>(path: readonly Point[], most: number): Point[] {
  const step = Math.max(1, Math.ceil(path.length / most))
  return path.filter((_, index) => index % step === 0 || index === path.length - 1)
}
