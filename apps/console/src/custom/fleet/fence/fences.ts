import type { MapArea } from '../../../map/index.ts'

export interface GeoShape {
  type: string
  coordinates: unknown
}
export interface Fence {
  id: string
  name: string
  type: 'geofence' | 'poi'
  shape: 'circle' | 'polygon' | 'route'
  area: GeoShape
  radius: number | null
  colour: string | null
  description?: string | null
  speedLimit?: number | null
}

type Position = [longitude: number, latitude: number]
const flipped = (positions: readonly Position[]) => positions.map(([lng, lat]) => [lat, lng] as const)

/** Fences as areas of a map; a corridor is drawn as circles along its line, close enough to be one band. */
export function areasOf(fences: readonly Fence[]): MapArea[] {
  return fences.flatMap(({ id, name, type, shape, area, radius }): MapArea[] => {
    const look = { label: name, tone: type === 'poi' ? ('good' as const) : ('info' as const) }
    if (shape === 'circle') {
      const [lng, lat] = area.coordinates as Position
      return [{ id, ...look, lat, lng, radius: radius ?? 50 }]
    }
    if (shape === 'polygon') {
      const parts = (area.type === 'MultiPolygon' ? area.coordinates : [area.coordinates]) as Position[][][]
      return parts.map(([outline = [], ...holes], index) => ({
        id: `${id} ${index}`,
        ...look,
        corners: flipped(outline.slice(0, -1)),
        holes: holes.map((hole) => flipped(hole.slice(0, -1))),
      }))
    }
    return (area.coordinates as Position[]).map(([lng, lat], index) => ({ id: `${id} ${index}`, ...look, lat, lng, radius: radius ?? 50 }))
  })
}
