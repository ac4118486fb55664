import { metresBetween, type Point } from '@outpost/rules/places/distance'
import { intervalsInside } from './segment.ts'
import type { CompiledShape } from './shape.ts'
import { between, type Seen } from './track.ts'

type Place = Point & { time: number }

/** Where and when the path between two positions on different sides of the edge first crosses it. */
export function crossingBetween(shape: CompiledShape, { from, to, isOutward }: { from: Seen; to: Seen; isOutward: boolean }): Place {
  const [first] = intervalsInside(shape, from, to)
  // No intersection: the positions are so close to the edge that plane and sphere disagree. The given position is as accurate.
  const share = first ? first[isOutward ? 1 : 0] : isOutward ? 0 : 1
  return between(from, to, share)
}

/** Metres of the path between two positions that lie inside a fence, and when that part starts and ends; nulls when it misses the fence. */
export function metresInside(shape: CompiledShape, from: Seen, to: Seen): { metres: number; from: Place | null; until: number | null } {
  const stretches = intervalsInside(shape, from, to)
  if (stretches.length === 0) return { metres: 0, from: null, until: null }
  const share = stretches.reduce((sum, [begin, end]) => sum + end - begin, 0)
  return {
    metres: share * metresBetween(from, to),
    from: between(from, to, stretches[0]![0]),
    until: between(from, to, stretches.at(-1)![1]).time,
  }
}
