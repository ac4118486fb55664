import { metres, momentOf, type Moment, type Place } from './point.ts'
import type { Stop, StopKind, StopReason } from './rows.ts'
import type { MotionSettings } from './settings.ts'
import { driftOf, isMoving } from './path.ts'

/** The last fix of a stop as the first place of the following path: only place and time. */
export const placeOf = (moment: Moment): Place => ({ ...moment, isValid: true, speed: null, accuracy: null })

/** A stop that begins at a place. */
export function stopAt(place: Place, reason: StopReason, confirmedTime: number): Stop {
  const { time, latitude, longitude, ignition } = place
  return {
    startTime: time,
    latitude,
    longitude,
    end: momentOf(place),
    goneBy: null,
    anchor: { latitude, longitude },
    kind: 'parked',
    reason,
    confirmedTime,
    ignitionMs: 0,
    silentMs: 0,
    hasIgnitionOff: ignition === false,
    metres: 0,
    points: 1,
    isOpen: true,
  }
}

/** Whether a place still belongs to a stop: at its position, or within the radius and reported at rest. */
export function isWithinStop({ anchor }: Stop, place: Place, settings: MotionSettings): boolean {
  if (isMoving(place, settings) === true) return false
  const away = metres({ ...place, ...anchor }, place)
  if (away <= driftOf(place, settings)) return true
  return away <= settings.stopRadius && place.speed !== null && place.speed < 1
}

/** Extends the stop to this place. */
export function extend(stop: Stop, place: Place, settings: MotionSettings): void {
  const ms = place.time - stop.end.time
  if (ms > settings.gapAfter) stop.silentMs += ms
  else if (stop.end.ignition === true) stop.ignitionMs += ms
  if (place.ignition === false) stop.hasIgnitionOff = true
  stop.end = momentOf(place)
  stop.points += 1
}

/** Idling with the engine on, parked, or a gap: for most of the time there was no message, nor a report that the engine was off. */
export function kindOf({ startTime, end, goneBy, ignitionMs, silentMs, hasIgnitionOff }: Stop, settings: MotionSettings): StopKind {
  const ms = (goneBy ?? end.time) - startTime
  if (ignitionMs >= settings.idleAfter && ignitionMs >= ms / 2) return 'idling'
  const silent = silentMs + ms - (end.time - startTime)
  return !hasIgnitionOff && silent > ms / 2 ? 'gap' : 'parked'
}
