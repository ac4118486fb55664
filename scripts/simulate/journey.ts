import type { Road } from './roads.ts'

/**
 * A phase of a vehicle's round trip: driving between two points of its road, waiting with the engine on, or parked. Times in ms of the
 * round trip.
 */
export interface Phase {
  kind: 'drive' | 'wait' | 'park'
  from: number
  to: number
  startMetres: number
  metres: number
  cruise: number
}
/** Back and forth without end. */
export interface Journey {
  way: Road
  phases: readonly Phase[]
  lasts: number
  metres: number
  shift: number
}
export interface Moment {
  phase: Phase
  metres: number
  speed: number
  total: number
}

/** Metres per second squared, when accelerating and braking. */
const acceleration = 1.1

/** A number from 0 to 1, always the same for the same seed and salt. */
export function chance(seed: number, salt: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(Math.floor(salt) ^ (Math.floor(salt / 2 ** 32) * 31), 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}

/** The round trip of the vehicle with that seed: some kilometres, a traffic light, some kilometres, a customer; parked at both ends. */
export function journeyOn(way: Road, seed: number): Journey {
  const phases: Phase[] = []
  let [at, clock, turn] = [0, 0, 0]
  const add = (kind: Phase['kind'], seconds: number, metres: number, cruise: number) => {
    phases.push({ kind, from: clock, to: clock + seconds * 1000, startMetres: at, metres, cruise })
    clock += seconds * 1000
    at += metres
  }
  for (const end of [way.length, 2 * way.length]) {
    while (end - at > 1) {
      turn += 1
      const step = 700 + 2600 * chance(seed, turn)
      const metres = end - at - step < 700 ? end - at : step
      const cruise = Math.min((36 + 54 * chance(seed, turn + 1000)) / 3.6, Math.sqrt(metres * acceleration))
      add('drive', metres / cruise + cruise / acceleration, metres, cruise)
      if (end - at > 1) add(...pauseOf(chance(seed, turn + 2000)), 0, 0)
    }
    const rest = end === way.length ? 0.4 : 3
    add('park', rest * 3600 * (0.6 + chance(seed, turn + 3000)), 0, 0)
  }
  return { way, phases, lasts: clock, metres: 2 * way.length, shift: chance(seed, 7) * clock }
}

/** Mostly a traffic light; sometimes a customer, the engine on or off. */
function pauseOf(luck: number): ['wait' | 'park', number] {
  if (luck < 0.08) return ['park', 60 * (5 + 60 * luck)]
  if (luck < 0.16) return ['wait', 60 * (3 + 20 * (luck - 0.08))]
  return ['wait', 8 + 50 * luck]
}

/** The state of a vehicle at a time (epoch ms): metres along its road, metres a second, and metres driven since 2026 began. */
export function momentOf(journey: Journey, time: number): Moment {
  const since = time + journey.shift - Date.UTC(2026, 0, 1)
  const round = Math.floor(since / journey.lasts)
  const clock = since - round * journey.lasts
  const phase = journey.phases.find(({ to }) => clock < to) ?? (journey.phases.at(-1) as Phase)
  const { metres, speed } = driven(phase, (clock - phase.from) / 1000)
  return { phase, metres: phase.startMetres + metres, speed, total: Math.max(0, round) * journey.metres + phase.startMetres + metres }
}

/** Accelerating, cruising, braking. */
function driven({ kind, metres, cruise, from, to }: Phase, seconds: number): { metres: number; speed: number } {
  if (kind !== 'drive') return { metres: 0, speed: 0 }
  const ramp = cruise / acceleration
  const left = (to - from) / 1000 - seconds
  if (seconds < ramp) return { metres: (acceleration * seconds ** 2) / 2, speed: acceleration * seconds }
  if (left < ramp) return { metres: metres - (acceleration * left ** 2) / 2, speed: acceleration * left }
  return { metres: (cruise * ramp) / 2 + cruise * (seconds - ramp), speed: cruise }
}

/** The times (epoch ms, whole seconds) after `from` and up to `to` at which the engine is switched on or off. */
export function switchesBetween(journey: Journey, from: number, to: number): number[] {
  const switches: number[] = []
  const start = Date.UTC(2026, 0, 1) - journey.shift
  const first = Math.floor((from - start) / journey.lasts)
  for (let round = first - 1; start + round * journey.lasts <= to; round++) {
    for (const { kind, from: begins, to: ends } of journey.phases) {
      if (kind === 'park') switches.push(...[begins, ends].map((clock) => Math.ceil((start + round * journey.lasts + clock) / 1000) * 1000))
    }
  }
  return switches.filter((time) => time > from && time <= to)
}
