import type { FenceShape, Geometry, Position } from './shape.ts'

const number = String.raw`[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?`
const circle = new RegExp(String.raw`^\(\s*(${number})\s+(${number})\s*,\s*(${number})\s*\)$`)
const pair = new RegExp(String.raw`^\s*(${number})\s+(${number})\s*$`)

/**
 * Parses a fence in Traccar's text: CIRCLE (lat lon, metres), POLYGON ((lat lon, ...)) and LINESTRING (lat lon, ...), latitude first,
 * unlike standard WKT. The text does not contain the width of a line: it is Traccar's attribute polylineDistance and is passed as the
 * radius.
 */
export function readTraccarText(text: string): { geometry: Geometry; radius?: number } | { message: string } {
  const found = /^\s*(CIRCLE|POLYGON|LINESTRING)\s*(\(.*\))\s*$/is.exec(text)
  const fault = 'Write the area as CIRCLE (lat lon, metres), POLYGON ((lat lon, lat lon, ...)) or LINESTRING (lat lon, lat lon, ...)'
  if (!found) return { message: fault }
  const [, kind, body] = found as unknown as [string, string, string]
  if (kind.toUpperCase() === 'CIRCLE') return readCircle(body) ?? { message: fault }
  const paths = (kind.toUpperCase() === 'POLYGON' ? ringsOf(body) : [body.slice(1, -1)])?.map((path) => path.split(',').map(readPair))
  if (!paths) return { message: fault }
  const missing = paths.flat().indexOf(null)
  if (missing >= 0) return { message: `Point ${missing + 1} is not a latitude and a longitude parted by a space` }
  const wrong = (paths.flat() as Position[]).findIndex((position) => !isPlace(position))
  if (wrong >= 0) return { message: `Point ${wrong + 1} is no place on earth (latitude comes first here)` }
  return {
    geometry:
      kind.toUpperCase() === 'POLYGON'
        ? { type: 'Polygon', coordinates: paths as Position[][] }
        : { type: 'LineString', coordinates: paths[0] as Position[] },
  }
}

function readCircle(body: string): { geometry: Geometry; radius?: number } | { message: string } | undefined {
  const found = circle.exec(body)
  if (!found) return undefined
  const [latitude, longitude, radius] = found.slice(1).map(Number) as [number, number, number]
  const coordinates: Position = [longitude, latitude]
  return isPlace(coordinates)
    ? { geometry: { type: 'Point', coordinates }, radius }
    : { message: 'The centre is no place on earth (latitude comes first here)' }
}

function ringsOf(body: string): string[] | undefined {
  const inner = /^\(\s*\((.*)\)\s*\)$/s.exec(body)?.[1]
  return inner?.split(/\)\s*,\s*\(/)
}

function readPair(text: string): Position | null {
  const found = pair.exec(text)
  return found && [Number(found[2]), Number(found[1])]
}

const isPlace = ([longitude, latitude]: Position) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360

/** Writes a fence as Traccar's text, with the attributes that accompany it. `lost` names what the text cannot express, or null. */
export function toTraccarText({ area, radius }: FenceShape): { text: string; attributes: Record<string, number>; lost: string | null } {
  const words = ([longitude, latitude]: Position) => `${latitude} ${longitude}`
  if (area.type === 'Point') return { text: `CIRCLE (${words(area.coordinates)}, ${radius ?? 0})`, attributes: {}, lost: null }
  if (area.type === 'LineString')
    return { text: `LINESTRING (${area.coordinates.map(words).join(', ')})`, attributes: { polylineDistance: radius ?? 0 }, lost: null }
  const [outline, ...holes] = area.coordinates
  return {
    text: `POLYGON ((${outline!.map(words).join(', ')}))`,
    attributes: {},
    lost: holes.length > 0 ? `${holes.length} hole(s)` : null,
  }
}
