import { metresBetween, type Point } from '@outpost/rules/distance'

/**
 * A place of a device as fences see it: one that motion accepted (no outliers), in the order of its fixTime. Accuracy
 * in metres and hdop where the device says them; speed in km/h.
 */
export interface TrackPoint extends Point {
  /** epoch ms */
  time: number
  accuracy: number | null
  hdop?: number | null
  speed?: number | null
  isValid: boolean
}

/** What is remembered of a place: where, when, and how far off it may be (metres). */
export interface Seen extends Point { time: number, error: number }

/** Silence after which nothing between two places is known: the line between them is no way that anybody drove. */
export const longSilence = 15 * 60_000

/** Metres: GPS in towns is seldom better, whatever it says. */
const leastError = 15

/** Metres a place may be off: what the device says, else from its hdop, at least 15. */
export function errorOf({ accuracy, hdop }: Pick<TrackPoint, 'accuracy' | 'hdop'>): number {
  return Math.max(leastError, accuracy || 3 * (hdop ?? 0))
}

export function seen({ latitude, longitude, time, accuracy, hdop }: TrackPoint): Seen {
  return { latitude, longitude, time, error: errorOf({ accuracy, hdop }) }
}

/** Did the device truly move between two places, or may their errors alone set them apart? */
export function hasMoved(from: Seen, to: Seen): boolean {
  return metresBetween(from, to) >= 5 * Math.max(from.error, to.error)
}

/** The place and time at a share of the way between two places. */
export function between(from: Seen, to: Seen, share: number): Point & { time: number } {
  const turn = ((((to.longitude - from.longitude + 180) % 360) + 360) % 360) - 180
  const longitude = from.longitude + share * turn
  return {
    time: Math.round(from.time + share * (to.time - from.time)),
    latitude: from.latitude + share * (to.latitude - from.latitude),
    longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude,
  }
}
