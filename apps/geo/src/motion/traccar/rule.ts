import { metresBetween, type Point } from '@outpost/rules/places/distance'

/** A position as Traccar's reports use it: milliseconds, km/h, total metres driven. */
export interface TraccarPoint {
  time: number
  speed: number
  motion?: boolean | null
  totalDistance: number
  ignition?: boolean | null
  odometer?: number | null
}
/** Traccar's report.trip.* settings, by its names: metres and milliseconds. */
export interface TraccarSettings {
  minimalTripDistance: number
  minimalTripDuration: number
  minimalParkingDuration: number
  minimalNoDataDuration: number
  useIgnition: boolean
  /** report.ignoreOdometer: the distance is the difference of Traccar's own count, even where the device sends its odometer. */
  ignoreOdometer?: boolean
}
export interface TraccarTrip {
  startTime: number
  endTime: number
  durationMs: number
  metres: number
  averageSpeed: number
  maxSpeed: number
}
export interface TraccarStop {
  startTime: number
  endTime: number
  durationMs: number
}

/** Traccar's defaults. */
export const traccarDefaults: Readonly<TraccarSettings> = {
  minimalTripDistance: 500,
  minimalTripDuration: 300_000,
  minimalParkingDuration: 300_000,
  minimalNoDataDuration: 3_600_000,
  useIgnition: false,
}

/** 0.01 knots: event.motion.speedThreshold. */
const movingSpeed = 0.018_52

const moves = ({ motion, speed }: TraccarPoint) => motion ?? speed > movingSpeed

/** The current streak, the state just seen, and the point since which they differ. */
interface Streak {
  streak: boolean
  state: boolean
  since: number | null
}

/**
 * Trips and stops as Traccar computed them before 6.x (report.trip.newLogic=false), so that a migrating customer can reproduce former
 * numbers; nothing else uses it. Points are ordered by time.
 */
export function traccarTrips(
  points: readonly TraccarPoint[],
  settings: TraccarSettings = traccarDefaults,
): { trips: TraccarTrip[]; stops: TraccarStop[] } {
  const result: { trips: TraccarTrip[]; stops: TraccarStop[] } = { trips: [], stops: [] }
  const [first] = points
  if (!first) return result
  const streak: Streak = { streak: moves(first), state: moves(first), since: null }
  let from = 0
  for (let index = 1; index < points.length; index += 1) {
    const before = streak.streak
    const turn = turnAt(streak, points, index, settings)
    if (turn === null) continue
    report(result, points.slice(from, turn + 1), { isTrip: before, settings })
    from = turn
  }
  if (from < points.length - 1) report(result, points.slice(from), { isTrip: streak.streak, settings })
  return result
}

/** The index at which the streak changed, once the point at `index` makes it certain. */
function turnAt(streak: Streak, points: readonly TraccarPoint[], index: number, settings: TraccarSettings): number | null {
  const point = points[index] as TraccarPoint
  if (streak.streak && point.time - (points[index - 1] as TraccarPoint).time >= settings.minimalNoDataDuration) {
    Object.assign(streak, { streak: false, state: false, since: null })
    return index - 1
  }
  const state = moves(point)
  if (state !== streak.state) {
    Object.assign(streak, { state, since: streak.streak === state ? null : index })
    return null
  }
  if (streak.since === null || !isCertain(points[streak.since] as TraccarPoint, point, state, settings)) return null
  const turn = streak.since
  Object.assign(streak, { streak: state, since: null })
  return turn
}

function isCertain(since: TraccarPoint, point: TraccarPoint, isTrip: boolean, settings: TraccarSettings): boolean {
  const ms = point.time - since.time
  if (isTrip) return ms >= settings.minimalTripDuration || point.totalDistance - since.totalDistance >= settings.minimalTripDistance
  return ms >= settings.minimalParkingDuration || (settings.useIgnition && point.ignition === false)
}

/** Reports a range of points as a trip or a stop; one without duration is neither. */
export function report(
  result: { trips: TraccarTrip[]; stops: TraccarStop[] },
  points: readonly TraccarPoint[],
  { isTrip, settings }: { isTrip: boolean; settings: Pick<TraccarSettings, 'ignoreOdometer'> },
): void {
  const [first, last] = [points[0] as TraccarPoint, points.at(-1) as TraccarPoint]
  const durationMs = last.time - first.time
  if (durationMs === 0) return
  const span = { startTime: first.time, endTime: last.time, durationMs }
  if (!isTrip) return void result.stops.push(span)
  const metres = metresBetweenEnds(first, last, settings)
  const maxSpeed = points.reduce((most, { speed }) => Math.max(most, speed), 0)
  result.trips.push({ ...span, metres, averageSpeed: (metres / durationMs) * 3_600, maxSpeed })
}

function metresBetweenEnds(
  first: TraccarPoint,
  last: TraccarPoint,
  { ignoreOdometer = false }: Pick<TraccarSettings, 'ignoreOdometer'>,
): number {
  return !ignoreOdometer && first.odometer && last.odometer ? last.odometer - first.odometer : last.totalDistance - first.totalDistance
}

/** Traccar's sphere is larger than ours: the same path is 0.112 % longer there. */
const traccarRadius = 6_378_137 / 6_371_000

/** Metres driven since the first place, as Traccar adds them up: every place, noise included. */
export function traccarDistances(places: readonly Point[]): number[] {
  let total = 0
  return places.map((place, index) => (total += index === 0 ? 0 : metresBetween(places[index - 1] as Point, place) * traccarRadius))
}
