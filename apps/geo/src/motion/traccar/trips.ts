import { indexAt, type Point } from '../point.ts'
import { encodePolyline } from '../polyline.ts'
import { soundPoints } from '../quality.ts'
import { defaultSettings } from '../settings.ts'
import { traccarDefaults, traccarDistances, traccarTrips, type TraccarPoint, type TraccarSettings } from './rule.ts'
import { spatialDefaults, spatialSpans, type SpatialSettings } from './spatial.ts'

/** The trip rules: ours, Traccar's before 6.x (or with report.trip.newLogic off), and its spatial rule since. */
export const tripRules = ['arrival', 'traccar', 'traccar6'] as const
export type TripRule = (typeof tripRules)[number]

/** A company's former Traccar settings: metres and seconds, by its names. */
export type TripSettings = Partial<TraccarSettings & { minDistance: number; minDuration: number; stopGap: number }>

/** A message with Traccar's count of the total metres driven. */
export type CountedPoint = Point & { totalDistance?: number | null }
type Placed = CountedPoint & { latitude: number; longitude: number }

export interface CountedTrip {
  start: Placed
  end: Placed
  metres: number
  averageSpeed: number
  maxSpeed: number
  points: number
  /** Share (0 to 1) of the fixes that our own rule would use for measuring. */
  quality: number
  startOdometer: number | null
  endOdometer: number | null
  path: string
}
export interface CountedStop {
  start: Placed
  end: Placed
  points: number
  ignitionMs: number
}

/**
 * Trips and stops as Traccar's reports give them for these messages (all of one window, by time), so that a migrating customer sees the
 * former numbers. Its way of counting is kept: every place counts, invalid ones too, and the window cuts.
 */
export function countAsTraccar(
  points: readonly CountedPoint[],
  rule: Exclude<TripRule, 'arrival'>,
  own: TripSettings = {},
): { trips: CountedTrip[]; stops: CountedStop[] } {
  const placed = points.filter((point): point is Placed => point.latitude !== null && point.longitude !== null)
  const counted = withDistances(placed)
  const settings = settingsOf(own)
  const { trips, stops } =
    rule === 'traccar' ? traccarTrips(counted, settings) : spatialSpans(counted, placed, { spatial: spatialOf(own), counting: settings })
  const within = <Span extends { startTime: number; endTime: number }>({ startTime, endTime }: Span) =>
    placed.slice(indexAt(placed, startTime), indexAt(placed, endTime) + 1)
  return {
    trips: trips.map((trip) => tripOf(within(trip), trip)),
    stops: stops.map((stop) => stopOf(within(stop))),
  }
}

function tripOf(
  points: readonly Placed[],
  { metres, averageSpeed, maxSpeed }: { metres: number; averageSpeed: number; maxSpeed: number },
): CountedTrip {
  const [start, end] = [points[0] as Placed, points.at(-1) as Placed]
  return {
    start,
    end,
    metres,
    averageSpeed,
    maxSpeed,
    points: points.length,
    quality: soundPoints(points, defaultSettings).length / points.length,
    startOdometer: start.odometer ?? null,
    endOdometer: end.odometer ?? null,
    path: encodePolyline(points),
  }
}

function stopOf(points: readonly Placed[]): CountedStop {
  const isOn = (index: number) => points[index]?.ignition === true && points[index - 1]?.ignition === true
  const ignitionMs = points.reduce((sum, { time }, index) => (isOn(index) ? sum + time - (points[index - 1] as Placed).time : sum), 0)
  return { start: points[0] as Placed, end: points.at(-1) as Placed, points: points.length, ignitionMs }
}

/** Traccar's own count where every message has it (it forwards it), else the same sum computed here. */
function withDistances(points: readonly Placed[]): TraccarPoint[] {
  const isCounted = points.every(({ totalDistance }) => typeof totalDistance === 'number')
  const sums = isCounted ? points.map(({ totalDistance }) => totalDistance as number) : traccarDistances(points)
  return points.map(({ time, speed, motion, ignition, odometer }, index) => ({
    time,
    speed: speed ?? 0,
    motion: motion ?? null,
    ignition,
    odometer: odometer ?? null,
    totalDistance: sums[index] as number,
  }))
}

const ms = (seconds: number | undefined, usual: number) => (seconds === undefined ? usual : seconds * 1_000)

function settingsOf(own: TripSettings): TraccarSettings {
  return {
    minimalTripDistance: own.minimalTripDistance ?? traccarDefaults.minimalTripDistance,
    minimalTripDuration: ms(own.minimalTripDuration, traccarDefaults.minimalTripDuration),
    minimalParkingDuration: ms(own.minimalParkingDuration, traccarDefaults.minimalParkingDuration),
    minimalNoDataDuration: ms(own.minimalNoDataDuration, traccarDefaults.minimalNoDataDuration),
    useIgnition: own.useIgnition ?? traccarDefaults.useIgnition,
    ignoreOdometer: own.ignoreOdometer ?? false,
  }
}

function spatialOf(own: TripSettings): SpatialSettings {
  return {
    minDistance: own.minDistance ?? spatialDefaults.minDistance,
    minDuration: ms(own.minDuration, spatialDefaults.minDuration),
    stopGap: ms(own.stopGap, spatialDefaults.stopGap ?? 0) || null,
  }
}
