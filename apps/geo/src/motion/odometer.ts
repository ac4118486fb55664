import type { Stop, Trip } from './rows.ts'

/** What a reading needs of a trip: metres, epoch ms. */
export type Counted = Pick<Trip, 'startTime' | 'metres' | 'gapMetres' | 'startOdometer' | 'endOdometer'>

/** A reading that somebody set by hand, and what the device's own counter stood at then; metres. */
export interface OdometerBase { metres: number, time: number, device: number | null }
export interface Odometer { metres: number, source: 'gps' | 'device' }

const lastWay = 100_000
const tolerance = 0.1

/**
 * The odometer of a vehicle: the base and the ground covered since. The device's own counter is believed only when over
 * the last 100 km it never ran backwards and was within 10 % of the ground. `underWay`: metres after the base of a trip that it was set in.
 */
export function odometerOf(base: OdometerBase, rows: { trips: readonly Counted[], stops: readonly Pick<Stop, 'startTime' | 'metres'>[] }, underWay = 0): Odometer {
  const trips = rows.trips.filter(({ startTime }) => startTime >= base.time)
  const now = trips.at(-1)?.endOdometer ?? null
  if (base.device !== null && now !== null && now >= base.device && isTrusted(trips)) return { metres: base.metres + now - base.device, source: 'device' }
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
    if (ground >= lastWay) break
  }
  return ground >= lastWay && Math.abs(counted - ground) <= tolerance * ground
}
