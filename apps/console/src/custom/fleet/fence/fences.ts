import type { CallData } from '../../../data/calls.ts'
import type { MapArea } from '../../../map/index.ts'

type StoredFence = CallData<'fences.all'>['geofences'][number]
/** GeoJSON of a fence: a point with a radius, an area with its holes, or the line of a corridor. */
export type GeoShape = StoredFence['area']
export type Position = [longitude: number, latitude: number]
export type Fence = Pick<StoredFence, 'id' | 'name' | 'type' | 'shape' | 'area' | 'radius'> &
  Partial<Pick<StoredFence, 'description' | 'speedLimit'>>

const flipped = (positions: readonly Position[]) => positions.map(([lng, lat]) => [lat, lng] as const)

/** Fences as areas of a map; a corridor is drawn as circles along its line, close enough to be one band. */
export function areasOf(fences: readonly Fence[]): MapArea[] {
  return fences.flatMap(({ id, name, type, area, radius }): MapArea[] => {
    const look = { label: name, tone: type === 'poi' ? ('good' as const) : ('info' as const) }
    if (area.type === 'Polygon') {
      const [outline = [], ...holes] = area.coordinates
      const corners = flipped(outline.slice(0, -1))
      return [{ id: `${id} 0`, ...look, corners, holes: holes.map((hole) => flipped(hole.slice(0, -1))) }]
    }
    const places = area.type === 'Point' ? [area.coordinates] : area.coordinates
    return places.map(([lng, lat], index) => ({
      id: area.type === 'Point' ? id : `${id} ${index}`,
      ...look,
      lat,
      lng,
      radius: radius ?? 50,
    }))
  })
}
