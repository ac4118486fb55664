import { impliedSpeed, metres, type Moment, type Place, type Point } from './point.ts'
import type { MotionSettings } from './settings.ts'

/** Why a point is stored and shown, but not used for measuring. */
export type Fault = 'noPlace' | 'invalid' | 'zero' | 'satellites' | 'hdop' | 'accuracy' | 'jump'

/** The fault of a point by itself; null when it may be used for measuring. */
export function faultOf(point: Point, settings: MotionSettings): Fault | null {
  const { latitude, longitude, satellites, hdop, accuracy } = point
  if (latitude === null || longitude === null) return 'noPlace'
  if (!point.isValid) return 'invalid'
  if ((latitude === 0 && longitude === 0) || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return 'zero'
  if (satellites != null && satellites < settings.fewestSatellites) return 'satellites'
  if (hdop != null && hdop > settings.worstHdop) return 'hdop'
  if (accuracy !== null && accuracy > settings.worstAccuracy) return 'accuracy'
  return null
}

/** Points without a fault of their own. Each is checked alone, so that no neighbour changes the result. */
export const soundPoints = (points: readonly Point[], settings: MotionSettings): Place[] =>
  points.filter((point): point is Place => faultOf(point, settings) === null)

/** Below this distance two places are never a jump, however close in time: that is the receiver's noise. */
const jitterMetres = 100

export function isImpossible(from: Moment | Place, to: Place, settings: MotionSettings): boolean {
  return metres(from, to) > jitterMetres && impliedSpeed(from, to) > settings.impossibleSpeed
}

/**
 * The places to measure by, in order. A place that could not be reached from the previous one is doubted until the next one decides:
 * when that fits the old place, the doubted one was wrong; when it fits the doubted one, the vehicle really is there (carried, or the
 * old place was wrong) and the segment between is a break. `last` is the last known place, if any; a doubt without a successor is left
 * out.
 */
export function placesOf(points: readonly Point[], last: Moment | null, settings: MotionSettings): Place[] {
  return placesAlong(points, { known: last, doubted: null }, settings).places
}

/** The state of reading places: the last known one, and one after it that the next must confirm. */
export interface Doubt {
  known: Moment | Place | null
  doubted: Place | null
}

/** The same in pieces: continue with the returned state. */
export function placesAlong(points: readonly Point[], { known, doubted }: Doubt, settings: MotionSettings): Doubt & { places: Place[] } {
  const places: Place[] = []
  for (const place of soundPoints(points, settings)) {
    if (known && isImpossible(known, place, settings)) {
      if (doubted && !isImpossible(doubted, place, settings)) {
        places.push({ ...doubted, isJump: true }, place)
        known = place
        doubted = null
      } else doubted = place
      continue
    }
    doubted = null
    places.push(place)
    known = place
  }
  return { places, known, doubted }
}
