import { impliedSpeed, metres, type Place } from './point.ts'
import type { StopReason, TripStart } from './rows.ts'
import type { MotionSettings } from './settings.ts'
import { advance, driftOf, isMoving, meterAt, type Meter } from './path.ts'

/** A path that may become a trip: its places since the last stop, and the tail that may become the next stop. */
export interface Segment {
  places: Place[]
  /** From this index on, all places are within the stop radius of the first of them. */
  tail: number
  /** Why it is certainly a trip; null while the vehicle may still turn out to be stationary. */
  left: TripStart | null
  meter: Meter
  /** Since when all places are outside the stop radius of the first one. */
  awaySince: number | null
}

export const segmentFrom = (place: Place): Segment => ({ places: [place], tail: 0, left: null, meter: meterAt(place), awaySince: null })

/** Where the vehicle stopped: the first place of the stop, and the reason for the stop. */
export interface RestPoint {
  index: number
  reason: Exclude<StopReason, 'first'>
}

/** Adds a place and shortens the tail so that it stays within the radius. */
export function addPlace(leg: Segment, place: Place, settings: MotionSettings): void {
  leg.places.push(place)
  while (leg.tail < leg.places.length - 1 && !isTogether(leg, settings)) leg.tail += 1
  if (leg.left) return
  advance(leg.meter, place, settings)
  const away = metres(leg.places[0] as Place, place)
  leg.awaySince = away > settings.stopRadius ? (leg.awaySince ?? place.time) : null
  leg.left = departureReason(leg, away, settings)
}

function isTogether({ places, tail }: Segment, { stopRadius }: MotionSettings): boolean {
  const anchor = places[tail] as Place
  // The newest first, because it is the one that usually leaves the circle.
  for (let index = places.length - 1; index > tail; index -= 1) {
    if (metres(anchor, places[index] as Place) > stopRadius) return false
  }
  return true
}

/** A single outlier is never a start: the path must be a trip's, and have two places. */
function departureReason({ places, meter, awaySince }: Segment, away: number, settings: MotionSettings): TripStart | null {
  const [before, last] = [places.at(-2) as Place, places.at(-1) as Place]
  if (places.length < 3 || meter.sum.metres + meter.sum.gapMetres < settings.minTrip) return null
  if (last.ignition === true && away >= settings.startByIgnition) return 'ignition'
  const isFast =
    isMoving(last, settings) !== false && isMoving(before, settings) !== false && impliedSpeed(before, last) > settings.movingSpeed
  if (isFast && away >= settings.startByWay) return 'speed'
  return awaySince !== null && last.time - awaySince >= settings.ignitionOffAfter ? 'moved' : null
}

/** The stop that the tail proves: long enough within the radius, or shorter with the ignition off. */
export function restOf(leg: Segment, settings: MotionSettings): RestPoint | null {
  const { places, tail } = leg
  const last = places.at(-1) as Place
  const shortest = Math.min(settings.stopAfter, settings.mergeWithin)
  if (last.time - (places[tail] as Place).time < shortest) return null
  const index = arrivalIn(leg, settings)
  const stayed = last.time - (places[index] as Place).time
  if (stayed >= settings.stopAfter) return { index, reason: isOff(leg, index, settings) ? 'ignitionOff' : 'still' }
  if (stayed >= settings.mergeWithin && isMoving(last, settings) !== true && isOff(leg, index, settings))
    return { index, reason: 'ignitionOff' }
  return null
}

/** The first place of the tail at which the vehicle was stationary; the braking before it belongs to the trip. */
export function arrivalIn({ places, tail }: Segment, settings: MotionSettings): number {
  const centre = middleOf(places.slice(tail).filter((place) => isMoving(place, settings) !== true))
  if (!centre) return tail
  const index = places.findIndex(
    (place, at) => at >= tail && isMoving(place, settings) !== true && metres({ ...place, ...centre }, place) <= driftOf(place, settings),
  )
  return index === -1 ? tail : index
}

/** The median of places, coordinate by coordinate: an outlier does not move it. */
function middleOf(places: readonly Place[]): { latitude: number; longitude: number } | null {
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]
  const [latitude, longitude] = [middle(places.map((place) => place.latitude)), middle(places.map((place) => place.longitude))]
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude }
}

function isOff({ places }: Segment, index: number, { ignitionOffAfter }: MotionSettings): boolean {
  let since: number | null = null
  for (let at = index; at < places.length; at += 1) {
    const { time, ignition } = places[at] as Place
    if (ignition !== false) since = null
    else if (time - (since ??= time) >= ignitionOffAfter) return true
  }
  return false
}
