import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon'
import type { MapPoint, Place } from './shapes.ts'
import { boundsOf, isInside } from './viewport.ts'

/** Ids of the points inside the ring (closed automatically); none when it has fewer than three corners. */
export function idsInside(points: readonly MapPoint[], corners: readonly Place[]): string[] {
  const [first] = corners
  const bounds = boundsOf(corners)
  if (!first || !bounds || corners.length < 3) return []
  const ring = [...corners, first].map(({ lat, lng }) => [lng, lat])
  const polygon = { type: 'Polygon' as const, coordinates: [ring] }
  return points.filter((point) => isInside(point, bounds) && booleanPointInPolygon([point.lng, point.lat], polygon)).map(({ id }) => id)
}
