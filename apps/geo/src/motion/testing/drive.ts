import type { Point } from '../point.ts'

/** One phase of a simulated vehicle: drives a distance at a speed in km/h on a course, or is stationary for some seconds. */
export type Phase = { drive: number; kmh: number; course?: number } | { stand: number; ignition?: boolean }

export interface Drive {
  phases: readonly Phase[]
  /** Seconds between reports while driving and while stationary. */
  every?: number
  everyStationary?: number
  /** Receiver noise in metres (one sigma, each axis). */
  noise?: number
  hasSpeed?: boolean
  hasIgnition?: boolean
  seed?: number
  start?: number
}

export interface Driven {
  points: Point[]
  stands: { from: number; to: number }[]
  metres: number
}

/** A seeded random generator: numbers from 0 to 1, the same at every run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

const degree = (Math.PI / 180) * 6_371_000
const second = 1_000

/** A simulated drive around Nairobi with its ground truth: when it was stationary, and its metres. It brakes and accelerates at 2 m/s². */
export function drive({
  phases,
  every = 10,
  everyStationary = every,
  noise = 0,
  hasSpeed = true,
  hasIgnition = true,
  seed = 1,
  start = Date.UTC(2026, 0, 5, 6),
}: Drive): Driven {
  const next = seededRandom(seed)
  const tremble = () => noise * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const driven: Driven = { points: [], stands: [], metres: 0 }
  const at = { time: start, north: 0, east: 0, speed: 0, reported: -Infinity }
  const tick = (ignition: boolean, gap: number) => {
    if (at.time - at.reported >= gap * second) {
      at.reported = at.time
      driven.points.push({
        time: at.time,
        latitude: -1.28 + (at.north + tremble()) / degree,
        longitude: 36.82 + (at.east + tremble()) / (degree * Math.cos((1.28 * Math.PI) / 180)),
        isValid: true,
        speed: hasSpeed ? Math.round(at.speed * 3.6) : null,
        accuracy: noise || null,
        ignition: hasIgnition ? ignition : null,
      })
    }
    at.time += second
  }
  for (const phase of phases) {
    if ('stand' in phase) {
      driven.stands.push({ from: at.time, to: at.time + (phase.stand - 1) * second })
      at.speed = 0
      for (let tock = 0; tock < phase.stand; tock += 1) tick(phase.ignition ?? false, everyStationary)
      continue
    }
    const course = ((phase.course ?? 90) * Math.PI) / 180
    for (let left = phase.drive; left > 0;) {
      // As fast as requested, as the distance so far allows, and as the remaining distance allows to brake.
      at.speed = Math.max(1, Math.min(phase.kmh / 3.6, at.speed + 2, Math.sqrt(4 * left)))
      const step = Math.min(left, at.speed)
      left -= step
      at.north += step * Math.cos(course)
      at.east += step * Math.sin(course)
      driven.metres += step
      tick(true, every)
    }
  }
  return driven
}
