import { squareMetres } from './area.ts'
import { faultOfRings } from './rings.ts'
import { compileShape, type FenceShape, type Geometry, type Position } from './shape.ts'
import { readTraccarText } from './traccar-text.ts'

export interface Problem {
  field: 'type' | 'area' | 'radius'
  message: string
}

export type ReadShape = { shape: FenceShape; problems?: undefined } | { shape?: undefined; problems: Problem[] }

/**
 * Input of a call: type circle, polygon, route, poi or geofence (the area decides); area as a GeoJSON geometry or feature, or in
 * Traccar's text.
 */
export interface ShapeInput {
  type?: unknown
  area?: unknown
  radius?: unknown
}

const maxPoints = 10_000
const defaultRadius = { circle: 250, poi: 100, route: 25 }
const maxRadius = { circle: 500_000, poi: 50_000, route: 5_000 }
const geometryOf = { circle: 'Point', poi: 'Point', route: 'LineString', polygon: 'Polygon' } as const
const typeOf = { Point: 'circle', LineString: 'route', Polygon: 'polygon' } as const

type ShapeType = FenceShape['type']

/**
 * Parses and validates the shape of a fence. Open rings are closed and repeated points removed; every other error is reported with its
 * field.
 */
export function readShape({ type, area, radius }: ShapeInput): ReadShape {
  const read = typeof area === 'string' ? readTraccarText(area) : readGeometry(area)
  if ('message' in read) return refuse('area', read.message)
  const shapeType = readType(type, read.geometry)
  if (typeof shapeType !== 'string') return { problems: [shapeType] }
  const metres = readRadius(shapeType, radius ?? read.radius)
  if (typeof metres === 'object' && metres !== null) return { problems: [metres] }
  const tidy = normalised(read.geometry)
  const shape: FenceShape = { type: shapeType, area: tidy, radius: metres }
  const fault = faultOfArea(tidy, shape)
  return fault ? refuse('area', fault) : { shape }
}

const refuse = (field: Problem['field'], message: string): ReadShape => ({ problems: [{ field, message }] })

function readType(type: unknown, geometry: Geometry): ShapeType | Problem {
  if (type === undefined || type === null || type === 'geofence') return typeOf[geometry.type]
  if (typeof type !== 'string' || !Object.hasOwn(geometryOf, type))
    return { field: 'type', message: 'The type of a fence is circle, polygon, route or poi' }
  const wanted = geometryOf[type as ShapeType]
  return wanted === geometry.type
    ? (type as ShapeType)
    : { field: 'area', message: `A fence of type ${type} has a ${wanted} as its area, not a ${geometry.type}` }
}

function readRadius(type: ShapeType, radius: unknown): number | null | Problem {
  if (type === 'polygon') return null
  const metres = radius === undefined || radius === null || radius === '' ? defaultRadius[type] : Number(radius)
  const least = type === 'route' ? 0 : 1
  if (metres >= least && metres <= maxRadius[type]) return metres
  return { field: 'radius', message: `The radius of a ${type} is between ${least} and ${maxRadius[type].toLocaleString('en')} metres` }
}

type ReadGeometry = { geometry: Geometry; radius?: number } | { message: string }

/** A geometry, or a feature that contains one; each coordinate is validated. */
function readGeometry(input: unknown): ReadGeometry {
  if (typeof input !== 'object' || input === null)
    return { message: 'Give the area as GeoJSON (Point, LineString or Polygon) or as CIRCLE, POLYGON or LINESTRING text' }
  const { type, coordinates, geometry } = input as Record<string, unknown>
  if (type === 'Feature') return readGeometry(geometry)
  const fault =
    type === 'Point'
      ? faultOfPosition(coordinates, 'The point')
      : type === 'LineString'
        ? faultOfPath(coordinates, 'the line')
        : type === 'Polygon'
          ? faultOfPaths(coordinates)
          : 'The area is a Point, LineString or Polygon'
  return fault === null ? { geometry: { type, coordinates } as Geometry } : { message: fault }
}

function faultOfPaths(rings: unknown): string | null {
  if (!Array.isArray(rings) || rings.length === 0) return 'A Polygon has a list of rings: the outline, then the holes'
  for (const [at, ring] of rings.entries()) {
    const fault = faultOfPath(ring, at === 0 ? 'the outline' : `hole ${at}`)
    if (fault) return fault
  }
  return null
}

function faultOfPath(path: unknown, name: string): string | null {
  if (!Array.isArray(path)) return `${name[0]!.toUpperCase()}${name.slice(1)} is not a list of points`
  for (const [at, position] of path.entries()) {
    const fault = faultOfPosition(position, `Point ${at + 1} of ${name}`)
    if (fault) return fault
  }
  return null
}

function faultOfPosition(position: unknown, name: string): string | null {
  if (!Array.isArray(position) || position.length < 2 || !Number.isFinite(position[0]) || !Number.isFinite(position[1]))
    return `${name} is not [longitude, latitude]`
  const [longitude, latitude] = position as Position
  if (Math.abs(latitude) > 90)
    return `${name} has latitude ${latitude}, which is not between -90 and 90${Math.abs(longitude) <= 90 ? ' (longitude comes first)' : ''}`
  // Maps that were dragged around the world send 181 for -179.
  if (Math.abs(longitude) > 360) return `${name} has longitude ${longitude}, which is not between -180 and 180`
  return null
}

/** Removes repeated points and altitudes, and closes rings. */
function normalised(geometry: Geometry): Geometry {
  if (geometry.type === 'Point') return { type: 'Point', coordinates: flat(geometry.coordinates) }
  if (geometry.type === 'LineString') return { type: 'LineString', coordinates: withoutRepeats(geometry.coordinates) }
  return { type: 'Polygon', coordinates: geometry.coordinates.map((ring) => withoutRepeats(ring.length > 0 ? [...ring, ring[0]!] : [])) }
}

const flat = ([longitude, latitude]: Position): Position => [longitude, latitude]

function withoutRepeats(path: readonly Position[]): Position[] {
  return path.filter((position, at) => at === 0 || position[0] !== path[at - 1]![0] || position[1] !== path[at - 1]![1]).map(flat)
}

function faultOfArea(geometry: Geometry, shape: FenceShape): string | null {
  if (geometry.type === 'Point') return null
  const paths = geometry.type === 'LineString' ? [geometry.coordinates] : geometry.coordinates
  const points = paths.reduce((sum, path) => sum + path.length, 0)
  if (points > maxPoints) return `The area has ${points.toLocaleString('en')} points; a fence may have ${maxPoints.toLocaleString('en')}`
  if (geometry.type === 'LineString') return geometry.coordinates.length < 2 ? 'A route has at least two different points' : null
  const short = paths.findIndex((path) => path.length < 4)
  if (short >= 0) return `${short === 0 ? 'The outline' : `Hole ${short}`} has fewer than three different points`
  const compiled = compileShape(shape)
  return faultOfRings(compiled.lines) ?? (squareMetres(compiled) > 0 ? null : 'The outline encloses no area')
}
