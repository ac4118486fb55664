import { noCoordinate, gradeLastFix, type Fix, type GradedFix } from '@outpost/rules/places/fix-quality'
import { watchLimits, type ReadingError } from '@outpost/rules/places/location-watch'
import { isPosition } from '@outpost/rules/validation'
import { clockToleranceMs } from '@outpost/rules/sync/clock'
import { deviceClock } from '../session/token.ts'
import { cached, putCached } from '../offline/store/views-cache.ts'

export type Reading = { fix: Fix } | { error: ReadingError }

const errors: Record<number, ReadingError> = { 1: 'denied', 2: 'unavailable', 3: 'timeout' }
const lastName = 'last-fix'

/** Reads the device's position; an error when it is denied, unavailable, or not known within 5 s (specification 9). */
export function readFix(): Promise<Reading> {
  if (!('geolocation' in navigator)) return Promise.resolve({ error: 'unavailable' })
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords, timestamp }) => {
        const { latitude, longitude, accuracy, speed } = coords
        if (!isPosition(latitude, longitude)) return resolve({ error: 'unavailable' })
        const fix: Fix = { latitude, longitude, accuracy, speed, at: timeOfReading(timestamp, Date.now()) }
        void putCached(lastName, fix)
        resolve({ fix })
      },
      (error) => {
        console.info('The position could not be read:', error.message)
        resolve({ error: errors[error.code] ?? 'unknown' })
      },
      watchLimits.reading,
    )
  })
}

/** A receiver may go by the time of its satellites: under a clock that is off, a place just read counts as read now, so that all times of a record are of one clock. */
const timeOfReading = (timestamp: number, now: number): number => (Math.abs(timestamp - now) > clockToleranceMs ? now : timestamp)

/** The last fix, stored encrypted on this device; null when there is none. */
export const lastFix = async (): Promise<Fix | null> => (await cached<Fix>(lastName)) ?? null

/**
 * A place for an action now: measured, else the last fix of up to 6 hours ago, marked as reused (specification 9), else none. A user who
 * denies their position gets none: a remembered one would bypass the denial.
 */
export async function placeNow(): Promise<GradedFix> {
  const [reading, now] = [await readFix(), Date.now()]
  if ('fix' in reading) return { ...gradeLastFix(reading.fix, Math.max(now, reading.fix.at)), source: 'live' }
  return gradeLastFix(reading.error === 'denied' ? null : await lastFix(), now)
}

/** A place in the form of a record; undefined for none. */
export function placeOnWire({ latitude, longitude, accuracy, source, at }: GradedFix): object | undefined {
  return latitude === noCoordinate
    ? undefined
    : { latitude, longitude, accuracy, source, deviceTime: new Date(at).toISOString(), ...deviceClock() }
}

/** Battery charge in percent; 0 where the browser does not report it. */
export async function batteryLevel(): Promise<number> {
  const { getBattery } = navigator as { getBattery?: () => Promise<{ level: number }> }
  const battery = await getBattery?.call(navigator).catch(() => null)
  return battery ? Math.round(battery.level * 100) : 0
}
