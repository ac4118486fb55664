import type { CallData } from '../../../data/calls.ts'
import type { MapArea } from '../../../map/index.ts'

type StoredFence = CallData<'fences.all'>['geofences'][number]
/** GeoJSON of a fence: a point with a radius, an area with its holes, or the line of a corridor. */
export type GeoShape = StoredFence['area']
export type Position = [longitude: number, latitude: number]
export type Fence = Pick<StoredFence, 'id' | 'name' | 'type' | 'shape' | 'area' | 'radius'> &
  Partial<Pick<StoredFence, 'description' | 'speedLimit'>>

const flipped = (positions: readonly Position[]) => positions.map(([lng, lat]) => [lat, lng] as const)

/** Metres of a degree of latitude. */
const degreeMetres = 111_195
/** A sharp bend would throw the edge of a band far out. */
const sharpest = 2

/** The edge of a band along a line, so many metres to each side: its left side there and its right side back. */
export function bandOf(line: readonly Position[], metres: number): (readonly [lat: number, lng: number])[] {
  const narrow = Math.cos(((line[0]?.[1] ?? 0) * Math.PI) / 180)
  const ways = line.slice(1).map(([lng, lat], index) => {
    const [fromLng, fromLat] = line[index] ?? [lng, lat]
    const [x, y] = [(lng - fromLng) * narrow, lat - fromLat]
    const length = Math.hypot(x, y) || 1
    return [x / length, y / length] as const
  })
  const side = (sign: 1 | -1) =>
    line.map(([lng, lat], index) => {
      const [before, after] = [ways[index - 1] ?? ways[index], ways[index] ?? ways[index - 1]]
      const [bx, by] = before ?? [1, 0]
      const [ax, ay] = after ?? [1, 0]
      const [x, y] = [bx + ax, by + ay]
      const length = Math.hypot(x, y) || 1
      // Where the line bends, the edge lies further out.
      const reach = Math.min(sharpest, 2 / Math.max(length, 0.01)) * (metres / degreeMetres)
      return [lat + (sign * x * reach) / length, lng - (sign * y * reach) / length / narrow] as const
    })
  return [...side(1), ...side(-1).toReversed()]
}

/** Fences as areas of a map; a corridor is a band along its line. */
export function areasOf(fences: readonly Fence[]): MapArea[] {
  return fences.flatMap(({ id, name, type, area, radius }): MapArea[] => {
    const look = { label: name, tone: type === 'poi' ? ('good' as const) : ('info' as const) }
    if (area.type === 'Polygon') {
      const [outline = [], ...holes] = area.coordinates
      const corners = flipped(outline.slice(0, -1))
      return [{ id: `${id} 0`, ...look, corners, holes: holes.map((hole) => flipped(hole.slice(0, -1))) }]
    }
    if (area.type === 'LineString') return [{ id: `${id} 0`, ...look, corners: bandOf(area.coordinates, radius ?? 50) }]
    const [lng, lat] = area.coordinates
    return [{ id, ...look, lat, lng, radius: radius ?? 50 }]
  })
}
