import { metresBetween, type Point } from '@outpost/rules/places/distance'
import { squareMetres } from '../fences/area.ts'
import { metresToEdge } from '../fences/distance.ts'
import { fencesAlong, type CompiledFence, type FenceIndex } from '../fences/fence-index.ts'

/**
 * The company's own name for a place, among the points of interest and fences that contain it: the point of interest first, then the
 * smallest. Metres to its centre for circles, 0 inside other shapes.
 */
export function nearestFence(
  index: FenceIndex,
  point: Point,
  maySee: (fenceId: string) => boolean,
): { fenceId: string; source: 'poi' | 'fence'; metres: number } | undefined {
  const [best] = fencesAlong(index, point, point, maySee)
    .filter(({ compiled }) => metresToEdge(compiled, point) <= 0)
    .map((fence) => ({ fence, rank: (fence.shape.type === 'poi' ? 0 : 1e15) + squareMetres(fence.compiled) }))
    .toSorted((a, b) => a.rank - b.rank)
  return (
    best && { fenceId: best.fence.id, source: best.fence.shape.type === 'poi' ? 'poi' : 'fence', metres: metresToCentre(best.fence, point) }
  )
}

function metresToCentre({ compiled: { kind, lines } }: CompiledFence, point: Point): number {
  return kind === 'circle' ? Math.round(metresBetween(point, { longitude: lines[0]![0]!, latitude: lines[0]![1]! })) : 0
}
