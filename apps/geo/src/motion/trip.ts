import type { TripPath } from './segments.ts'
import { fuelSpent } from './fuel.ts'
import { indexAt, momentOf, type Place, type Point } from './point.ts'
import { encodePolyline, simplify } from './polyline.ts'
import type { Trip } from './rows.ts'
import type { MotionSettings } from './settings.ts'
import { measure } from './path.ts'

/** Metres by which a drawn line may deviate. */
const lineTolerance = 5

/** A trip with its totals. `points`: all messages of the device in order, also those not used for measuring. */
export function tripOf(way: TripPath, points: readonly Point[], settings: MotionSettings): Trip {
  const { places, startReason, endReason, confirmedTime } = way
  const [first, last] = [places[0] as Place, places.at(-1) as Place]
  const { metres, gapMetres, gapMs, movingMs, idleMs, maxSpeed } = measure(places, settings)
  const seconds = (last.time - first.time - gapMs) / 1_000
  return {
    startTime: first.time,
    start: momentOf(first),
    end: momentOf(last),
    metres,
    gapMetres,
    gapMs,
    movingMs,
    idleMs,
    maxSpeed,
    averageSpeed: seconds > 0 ? (metres / seconds) * 3.6 : null,
    startReason,
    endReason,
    confirmedTime,
    isTowed: isTowed(places),
    points: places.length,
    isOpen: endReason === null,
    quality: qualityOf(places, points),
    path: encodePolyline(simplify(places, lineTolerance)),
    driverKey: driverIn(points, first.time - settings.gapAfter + 1, last.time),
    ...countersOf(points, first.time, last.time, settings),
  }
}

function isTowed(places: readonly Place[]): boolean {
  return places.some(({ ignition }) => ignition === false) && !places.some(({ ignition }) => ignition === true)
}

function qualityOf(places: readonly Place[], points: readonly Point[]): number {
  const [first, last] = [places[0] as Place, places.at(-1) as Place]
  let told = 0
  for (let index = indexAt(points, first.time + 1); index < points.length && (points[index] as Point).time <= last.time; index += 1) {
    if ((points[index] as Point).latitude !== null) told += 1
  }
  return told === 0 ? 1 : Math.min(1, (places.length - 1) / told)
}

/** The last driver's key in a time range. A driver presents the key before driving off; a rebuild ensures how long before. */
function driverIn(points: readonly Point[], from: number, to: number): string | null {
  for (let index = indexAt(points, to + 1) - 1; index >= 0 && (points[index] as Point).time >= from; index -= 1) {
    const { driver } = points[index] as Point
    if (driver != null) return driver
  }
  return null
}

/** Odometer and fuel by the device's own counters, from the first and the last message within the trip that have them. */
function countersOf(
  points: readonly Point[],
  from: number,
  to: number,
  { tank }: MotionSettings,
): Pick<Trip, 'startOdometer' | 'endOdometer' | 'fuelUsed'> {
  const within = points.slice(indexAt(points, from), indexAt(points, to + 1))
  const hasFuel = ({ fuelUsed, fuel, fuelLevel }: Point) => (fuelUsed ?? fuel ?? fuelLevel) != null
  const [first, last] = [within.find(hasFuel), within.findLast(hasFuel)]
  return {
    startOdometer: within.find(({ odometer }) => odometer != null)?.odometer ?? null,
    endOdometer: within.findLast(({ odometer }) => odometer != null)?.odometer ?? null,
    fuelUsed: first && last ? fuelSpent(first, last, tank) : null,
  }
}
