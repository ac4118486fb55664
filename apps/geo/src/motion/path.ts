import { impliedSpeed, metres, type Place } from './point.ts'
import { isImpossible } from './quality.ts'
import type { MotionSettings } from './settings.ts'

/** What a way adds up to: metres on the ground, metres across holes in the data, milliseconds, km/h. */
export interface PathSum { metres: number, gapMetres: number, gapMs: number, movingMs: number, idleMs: number, maxSpeed: number | null }

export const isGap = (from: Place, to: Place, settings: MotionSettings): boolean =>
  to.isJump === true || to.time - from.time > settings.gapAfter

/** How far a standing device seems to wander: 30 m, or twice what it says of its accuracy. */
export const driftOf = ({ accuracy }: Place, { drift, stopRadius }: MotionSettings): number =>
  Math.min(stopRadius, Math.max(drift, 2 * (accuracy ?? 0)))

/** Faster than a person walks; null when the device does not tell. */
export const isMoving = ({ speed }: Place, { movingSpeed }: MotionSettings): boolean | null =>
  (speed === null ? null : speed > movingSpeed)

/** A way being measured: its last place, and the one that metres count from. */
export interface Meter { sum: Omit<PathSum, 'maxSpeed'>, last: Place, anchor: Place }

export const meterAt = (place: Place): Meter => ({ sum: { metres: 0, gapMetres: 0, gapMs: 0, movingMs: 0, idleMs: 0 }, last: place, anchor: place })

/**
 * Goes on to the next place. A halt within the way adds nothing: metres count from the place where it began, once the
 * vehicle is farther from there than its receiver trembles. Legs that nothing can drive add nothing.
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

/** Sums along a way. */
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

/** A speed more than this above both neighbours is a slip of the receiver. */
const spike = 20

/** The highest speed (km/h) the device told, single-point spikes left out; null when it told none. */
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
