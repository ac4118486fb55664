import type { Stop, Trip } from './rows.ts'

/** The part of a trip that a reading needs: metres, epoch ms. */
export type Counted = Pick<Trip, 'startTime' | 'metres' | 'gapMetres' | 'startOdometer' | 'endOdometer'>

/** A reading that was set by hand, and the device's own counter at that time; metres. */
export interface OdometerBase {
  metres: number
  time: number
  device: number | null
}
export interface Odometer {
  metres: number
  source: 'gps' | 'device'
}

const trustMetres = 100_000
const tolerance = 0.1

/**
 * The odometer of a vehicle: the base plus the distance driven since. The device's own counter is used only when it never ran backwards
 * over the last 100 km and was within 10 % of the driven distance. `underWay`: metres after the base, of a trip during which it was set.
 */
export function odometerOf(
  base: OdometerBase,
  rows: { trips: readonly Counted[]; stops: readonly Pick<Stop, 'startTime' | 'metres'>[] },
  underWay = 0,
): Odometer {
  const trips = rows.trips.filter(({ startTime }) => startTime >= base.time)
  const now = trips.at(-1)?.endOdometer ?? null
  if (base.device !== null && now !== null && now >= base.device && isTrusted(trips))
    return { metres: base.metres + now - base.device, source: 'device' }
  const moved = rows.stops.filter(({ startTime }) => startTime >= base.time).reduce((sum, { metres }) => sum + metres, 0)
  return { metres: base.metres + underWay + moved + trips.reduce((sum, { metres }) => sum + metres, 0), source: 'gps' }
}

function isTrusted(trips: readonly Counted[]): boolean {
  let [ground, counted, next] = [0, 0, Infinity]
  for (const { startOdometer, endOdometer, metres, gapMetres } of trips.toReversed()) {
    if (startOdometer === null || endOdometer === null || endOdometer < startOdometer || endOdometer > next) return false
    next = startOdometer
    ground += metres + gapMetres
    counted += endOdometer - startOdometer
    if (ground >= trustMetres) break
  }
  return ground >= trustMetres && Math.abs(counted - ground) <= tolerance * ground
}
