import type { FenceShape } from './shape.ts'

/** The columns of a fence's shape: type geofence or poi (the specification's), the shape, its area and radius. */
export interface ShapeRow {
  type: 'geofence' | 'poi'
  shape: 'circle' | 'polygon' | 'route'
  area: FenceShape['area']
  radius: number | null
}

export function rowOfShape({ type, area, radius }: FenceShape): ShapeRow {
  return type === 'poi' ? { type, shape: 'circle', area, radius } : { type: 'geofence', shape: type, area, radius }
}

export function shapeOfRow({ type, shape, area, radius }: ShapeRow): FenceShape {
  return { type: type === 'poi' ? 'poi' : shape, area, radius }
}
