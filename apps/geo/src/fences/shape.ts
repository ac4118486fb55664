import { earthRadius } from '@outpost/rules/distance'

/** Longitude first, as GeoJSON writes it; degrees. */
export type Position = [longitude: number, latitude: number]

export type Geometry =
  | { type: 'Point', coordinates: Position }
  | { type: 'LineString', coordinates: Position[] }
  /** The outline first, then the holes; each ring ends where it began. */
  | { type: 'Polygon', coordinates: Position[][] }

/**
 * What a fence looks like: circle and poi are a point with a radius, a route is a line with half the width of its
 * corridor as radius (0: only crossing it counts), a polygon has none. Metres.
 */
export interface FenceShape { type: 'circle' | 'polygon' | 'route' | 'poi', area: Geometry, radius: number | null }

/** West may lie below -180 and east above 180: a shape is held in one piece over the antimeridian. */
export interface Box { west: number, south: number, east: number, north: number }

/** A shape made ready for sums: its lines as flat [longitude, latitude, ...] in one piece over the antimeridian. */
export interface CompiledShape {
  kind: 'circle' | 'polygon' | 'route'
  lines: Float64Array[]
  /** metres; 0 for a polygon */
  radius: number
  box: Box
  /** metres across where the shape is narrowest by its box: a place less sure than this says nothing of it */
  width: number
}

export const metresPerDegree = (earthRadius * Math.PI) / 180

/** The same longitude, written nearest to another one: 179 near -180 is -181. */
export function longitudeNear(longitude: number, other: number): number {
  return longitude + 360 * Math.round((other - longitude) / 360)
}

/** Makes a shape ready for distances, crossings and the index. The shape is one that readShape accepted. */
export function compileShape({ type, area, radius }: FenceShape): CompiledShape {
  const start = (area.type === 'Point' ? area.coordinates : area.type === 'LineString' ? area.coordinates[0]! : area.coordinates[0]![0]!)[0]
  const paths = area.type === 'Point' ? [[area.coordinates]] : area.type === 'LineString' ? [area.coordinates] : area.coordinates
  const lines = paths.map((path) => unwrapped(path, start))
  const reach = radius ?? 0
  const box = grown(boxOf(lines[0]!), reach)
  const kind = type === 'poi' ? 'circle' : type
  return { kind, lines, radius: reach, box, width: kind === 'polygon' ? narrowest(box) : 2 * reach }
}

/** Every longitude within half a turn of the one before it, so that a shape over the antimeridian stays in one piece. */
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

/** The box with metres added on each side; a circle over a pole reaches every longitude. */
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
