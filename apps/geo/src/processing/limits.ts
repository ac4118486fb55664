import { metresToEdge } from '../fences/distance.ts'
import { fencesAlong, indexFences } from '../fences/fence-index.ts'
import type { Limit, MotionSettings } from '../motion/settings.ts'
import type { LinkedFence } from './fences.ts'

/** Adds the limits of fences to the settings: inside a fence its limit overrides the device's, of several the lowest. */
export function withLimits(settings: MotionSettings, fences: readonly LinkedFence[]): MotionSettings {
  const limited = new Map(fences.flatMap(({ id, speedLimit }) => (speedLimit === null ? [] : [[id, speedLimit] as const])))
  if (limited.size === 0) return settings
  const index = indexFences(fences.filter(({ id }) => limited.has(id)))
  return {
    ...settings,
    limitAt: (place) => {
      const limits = fencesAlong(index, place, place, () => true)
        .filter(({ since, compiled }) => since <= place.time && metresToEdge(compiled, place) <= 0)
        .map(({ id }): Limit => ({ limit: limited.get(id)!, fenceId: id }))
      return limits.toSorted((a, b) => a.limit - b.limit || (a.fenceId! < b.fenceId! ? -1 : 1))[0] ?? null
    },
  }
}
