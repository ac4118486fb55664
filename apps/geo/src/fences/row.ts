import { sizeOfShape } from '@outpost/rules/places/size'
import { compileShape, type FenceShape } from './shape.ts'

/** The columns of a fence's shape: type geofence or poi (the specification's), the shape, its area and radius. */
export interface ShapeRow {
  type: 'geofence' | 'poi'
  shape: 'circle' | 'polygon' | 'route'
  area: FenceShape['area']
  radius: number | null
}

/** What is kept beside a shape so that lists can show and sort by it. */
export interface SizeRow {
  squareMetres: number
  edgeMetres: number
}

export function rowOfShape(given: FenceShape): ShapeRow & SizeRow {
  const { type, area, radius } = given
  const { kind, lines, radius: reach } = compileShape(given)
  const size = sizeOfShape(kind, lines, reach)
  return type === 'poi' ? { type, shape: 'circle', area, radius, ...size } : { type: 'geofence', shape: type, area, radius, ...size }
}

export function shapeOfRow({ type, shape, area, radius }: ShapeRow): FenceShape {
  return { type: type === 'poi' ? 'poi' : shape, area, radius }
}
