import { metresBetween, type Point } from '@outpost/rules/distance'
import { stretchesInside } from './segment.ts'
import type { CompiledShape } from './shape.ts'
import { between, type Seen } from './track.ts'

type Place = Point & { time: number }

/** Where and when the way between two places first crosses the edge outward or inward. The two lie on different sides. */
export function crossingBetween(shape: CompiledShape, { from, to, isOutward }: { from: Seen, to: Seen, isOutward: boolean }): Place {
  const [first] = stretchesInside(shape, from, to)
  // None: the places are so near the edge that the plane and the sphere disagree; the place that told is as good.
  const share = first ? first[isOutward ? 1 : 0] : isOutward ? 0 : 1
  return between(from, to, share)
}

/** Metres of the way between two places inside a fence, where that began and when it ended; nulls when it misses the fence. */
export function metresInside(shape: CompiledShape, from: Seen, to: Seen): { metres: number, from: Place | null, until: number | null } {
  const stretches = stretchesInside(shape, from, to)
  if (stretches.length === 0) return { metres: 0, from: null, until: null }
  const share = stretches.reduce((sum, [begin, end]) => sum + end - begin, 0)
  return { metres: share * metresBetween(from, to), from: between(from, to, stretches[0]![0]), until: between(from, to, stretches.at(-1)![1]).time }
}
