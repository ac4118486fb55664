import { earthRadius } from '@outpost/rules/places/distance'

/** Longitude first, as GeoJSON writes it; degrees. */
export type Position = [longitude: number, latitude: number]

export type Geometry =
  | { type: 'Point'; coordinates: Position }
  | { type: 'LineString'; coordinates: Position[] }
  /** The outline first, then the holes; each ring ends where it began. */
  | { type: 'Polygon'; coordinates: Position[][] }

/**
 * The shape of a fence. Circle and poi are a point with a radius; a route is a line whose radius is half the width of its corridor (0:
 * only crossing it counts); a polygon has no radius. Metres.
 */
export interface FenceShape {
  type: 'circle' | 'polygon' | 'route' | 'poi'
  area: Geometry
  radius: number | null
}

/** West may be below -180 and east above 180: a shape stays in one piece across the antimeridian. */
export interface Box {
  west: number
  south: number
  east: number
  north: number
}

/** A shape prepared for calculation: its lines as flat [longitude, latitude, ...], continuous across the antimeridian. */
export interface CompiledShape {
  kind: 'circle' | 'polygon' | 'route'
  lines: Float64Array[]
  /** metres; 0 for a polygon */
  radius: number
  box: Box
  /** metres across at the narrowest side of its box: a position with a greater error is ignored for this fence */
  width: number
}

export const metresPerDegree = (earthRadius * Math.PI) / 180

/** The same longitude, expressed nearest to another one: 179 near -180 is -181. */
export function longitudeNear(longitude: number, other: number): number {
  return longitude + 360 * Math.round((other - longitude) / 360)
}

/** Prepares a shape for distances, crossings and the index. readShape must have accepted it. */
export function compileShape({ type, area, radius }: FenceShape): CompiledShape {
  const start = (area.type === 'Point' ? area.coordinates : area.type === 'LineString' ? area.coordinates[0]! : area.coordinates[0]![0]!)[0]
  const paths = area.type === 'Point' ? [[area.coordinates]] : area.type === 'LineString' ? [area.coordinates] : area.coordinates
  const lines = paths.map((path) => unwrapped(path, start))
  const reach = radius ?? 0
  const box = grown(boxOf(lines[0]!), reach)
  const kind = type === 'poi' ? 'circle' : type
  return { kind, lines, radius: reach, box, width: kind === 'polygon' ? narrowest(box) : 2 * reach }
}

/** Makes every longitude lie within half a turn of the previous one, so that a shape across the antimeridian is continuous. */
function unwrapped(path: readonly Position[], near: number): Float64Array {
  const flat = new Float64Array(path.length * 2)
  let before = near
  path.forEach(([longitude, latitude], at) => {
    before = longitudeNear(longitude, before)
    flat[2 * at] = before
    flat[2 * at + 1] = latitude
  })
  return flat
}

function boxOf(line: Float64Array): Box {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity }
  for (let at = 0; at < line.length; at += 2) {
    box.west = Math.min(box.west, line[at]!)
    box.east = Math.max(box.east, line[at]!)
    box.south = Math.min(box.south, line[at + 1]!)
    box.north = Math.max(box.north, line[at + 1]!)
  }
  return box
}

/** The box enlarged by metres on each side; a circle over a pole covers every longitude. */
function grown({ west, south, east, north }: Box, metres: number): Box {
  if (metres === 0) return { west, south, east, north }
  const high = metres / metresPerDegree
  const farthest = Math.max(Math.abs(south), Math.abs(north))
  const sine = Math.sin(metres / earthRadius) / Math.cos((farthest * Math.PI) / 180)
  const wide = farthest + high >= 90 ? 180 : (Math.asin(Math.min(1, sine)) * 180) / Math.PI
  return { west: west - wide, south: south - high, east: east + wide, north: north + high }
}

function narrowest({ west, south, east, north }: Box): number {
  const across = Math.cos((((south + north) / 2) * Math.PI) / 180)
  return Math.min(east - west, 360) * across < north - south ? (east - west) * across * metresPerDegree : (north - south) * metresPerDegree
}
