import { impliedSpeed, metres, type Place } from './point.ts'
import { isImpossible } from './quality.ts'
import type { MotionSettings } from './settings.ts'

/** Totals of a path: metres driven, metres across gaps in the data, milliseconds, km/h. */
export interface PathSum {
  metres: number
  gapMetres: number
  gapMs: number
  movingMs: number
  idleMs: number
  maxSpeed: number | null
}

export const isGap = (from: Place, to: Place, settings: MotionSettings): boolean =>
  to.isJump === true || to.time - from.time > settings.gapAfter

/** How far a stationary device may wander: 30 m, or twice its reported accuracy. */
export const driftOf = ({ accuracy }: Place, { drift, stopRadius }: MotionSettings): number =>
  Math.min(stopRadius, Math.max(drift, 2 * (accuracy ?? 0)))

/** True when faster than walking speed; null when the device sends no speed. */
export const isMoving = ({ speed }: Place, { movingSpeed }: MotionSettings): boolean | null => (speed === null ? null : speed > movingSpeed)

/** A path being measured: its last place, and the anchor from which metres count. */
export interface Meter {
  sum: Omit<PathSum, 'maxSpeed'>
  last: Place
  anchor: Place
}

export const meterAt = (place: Place): Meter => ({
  sum: { metres: 0, gapMetres: 0, gapMs: 0, movingMs: 0, idleMs: 0 },
  last: place,
  anchor: place,
})

/**
 * Adds the next place. A halt within the path adds nothing: metres count from the place where it began, once the vehicle is farther away
 * than the receiver's noise. Segments at impossible speed add nothing.
 */
export function advance(meter: Meter, to: Place, settings: MotionSettings): void {
  const { sum, last: from } = meter
  meter.last = to
  if (isGap(from, to, settings)) {
    sum.gapMetres += metres(from, to)
    sum.gapMs += to.time - from.time
    meter.anchor = to
    return
  }
  addTime(sum, from, to, settings)
  const leg = metres(meter.anchor, to)
  if (leg <= driftOf(to, settings) && isMoving(to, settings) !== true) return
  if (!isImpossible(from, to, settings)) sum.metres += leg
  meter.anchor = to
}

/** Totals along a path. */
export function measure(way: readonly Place[], settings: MotionSettings): PathSum {
  const [first] = way
  if (!first) return { metres: 0, gapMetres: 0, gapMs: 0, movingMs: 0, idleMs: 0, maxSpeed: null }
  const meter = meterAt(first)
  for (let index = 1; index < way.length; index += 1) advance(meter, way[index] as Place, settings)
  return { ...meter.sum, maxSpeed: maxSpeedOf(way) }
}

function addTime(sum: Meter['sum'], from: Place, to: Place, settings: MotionSettings): void {
  const isOnTheWay = Math.max(from.speed ?? 0, to.speed ?? impliedSpeed(from, to)) > settings.movingSpeed
  if (isOnTheWay) sum.movingMs += to.time - from.time
  else if (from.ignition === true) sum.idleMs += to.time - from.time
}

/** A speed this much above both neighbours is an error of the receiver. */
const spike = 20

/** The highest speed (km/h) the device sent, without single-point spikes; null when it sent none. */
export function maxSpeedOf(way: readonly { speed: number | null }[]): number | null {
  const speeds = way.flatMap(({ speed }) => (speed === null ? [] : [speed]))
  let most: number | null = null
  for (const [index, speed] of speeds.entries()) {
    const [before = speed, after = speed] = [speeds[index - 1], speeds[index + 1]]
    const isSpike = speed - before > spike && speed - after > spike
    if (!isSpike && (most === null || speed > most)) most = speed
  }
  return most
}
