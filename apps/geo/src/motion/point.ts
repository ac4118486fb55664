import { metresBetween } from '@outpost/rules/places/distance'

/** One stored message of a device as motion uses it: epoch milliseconds, degrees, km/h, metres, volts, litres; null is unknown. */
export interface Point {
  /** When the place was measured; with the device it identifies the message. */
  time: number
  /** Null for a message without a place: a heartbeat still carries the engine state. */
  latitude: number | null
  longitude: number | null
  /** False: the device only repeats its last place. */
  isValid: boolean
  speed: number | null
  accuracy: number | null
  satellites?: number | null
  hdop?: number | null
  /** Three states: unknown is not off. */
  ignition: boolean | null
  motion?: boolean | null
  voltage?: number | null
  odometer?: number | null
  fuelUsed?: number | null
  fuel?: number | null
  fuelLevel?: number | null
  /** The key of a driver: iButton, RFID, card. */
  driver?: string | null
}

/** A point with a place that may be used for measuring. */
export interface Place extends Point {
  latitude: number
  longitude: number
  /** The segment from the previous place is impossible to drive: it is a break. */
  isJump?: boolean
}

/** A moment of a stop or trip, as stored with the row. */
export interface Moment {
  time: number
  latitude: number
  longitude: number
  ignition: boolean | null
}

export const momentOf = ({ time, latitude, longitude, ignition }: Place): Moment => ({ time, latitude, longitude, ignition })

/** Metres between two places (sphere of 6,371,000 m). */
export const metres = metresBetween

/** km/h between two places in the given time; infinite when both have the same time. */
export function impliedSpeed(from: Moment | Place, to: Place): number {
  const hours = (to.time - from.time) / 3_600_000
  return hours > 0 ? metres(from, to) / 1_000 / hours : Infinity
}

/** Sorts by time, each time once: any order of arrival gives the same points. */
export function inOrder(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a.time - b.time || rank(a) - rank(b) || (textOf(a) < textOf(b) ? -1 : 1))
  return sorted.filter((point, index) => index === 0 || point.time !== sorted[index - 1]?.time)
}

const rank = ({ latitude, isValid }: Point) => (latitude === null ? 2 : isValid ? 0 : 1)
const textOf = (point: Point) => JSON.stringify([point.latitude, point.longitude, point.speed, point.accuracy, point.ignition, point])

/** Points without an ignition state take it from the previous message, while that is not older than `forMs`. */
export function withHeldIgnition(points: readonly Point[], forMs: number): Point[] {
  let known: { time: number; ignition: boolean } | null = null
  return points.map((point) => {
    if (point.ignition !== null) known = { time: point.time, ignition: point.ignition }
    else if (known && point.time - known.time <= forMs) return { ...point, ignition: known.ignition }
    return point
  })
}

/** Index of the first element at or after a time, in an array ordered by time. */
export function indexAt(points: readonly { time: number }[], time: number): number {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((points[middle] as { time: number }).time < time) low = middle + 1
    else high = middle
  }
  return low
}
