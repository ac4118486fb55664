import { metresBetween, type Point } from '@outpost/rules/places/distance'

/**
 * A position as fences use it: accepted by motion (no outliers), ordered by fixTime. Accuracy in metres and hdop where the device sends
 * them; speed in km/h.
 */
export interface TrackPoint extends Point {
  /** epoch ms */
  time: number
  accuracy: number | null
  hdop?: number | null
  speed?: number | null
  isValid: boolean
}

/** What is stored of a position: where, when, and its error in metres. */
export interface Seen extends Point {
  time: number
  error: number
}

/** Silence after which nothing is known between two positions: the line between them is not a driven path. */
export const longSilence = 15 * 60_000

/** Metres: GPS in towns is rarely better, whatever the device reports. */
const leastError = 15

/** The error of a position in metres: the reported accuracy, else from hdop, at least 15. */
export function errorOf({ accuracy, hdop }: Pick<TrackPoint, 'accuracy' | 'hdop'>): number {
  return Math.max(leastError, accuracy || 3 * (hdop ?? 0))
}

export function seen({ latitude, longitude, time, accuracy, hdop }: TrackPoint): Seen {
  return { latitude, longitude, time, error: errorOf({ accuracy, hdop }) }
}

/** Did the device truly move between two positions, or could their errors alone explain the distance? */
export function hasMoved(from: Seen, to: Seen): boolean {
  return metresBetween(from, to) >= 5 * Math.max(from.error, to.error)
}

/** The position and time at a fraction of the path between two positions. */
export function between(from: Seen, to: Seen, share: number): Point & { time: number } {
  const turn = ((((to.longitude - from.longitude + 180) % 360) + 360) % 360) - 180
  const longitude = from.longitude + share * turn
  return {
    time: Math.round(from.time + share * (to.time - from.time)),
    latitude: from.latitude + share * (to.latitude - from.latitude),
    longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude,
  }
}
