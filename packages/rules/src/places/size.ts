import { earthRadius } from './distance.ts'

/** Longitude, latitude, longitude, latitude ... in degrees, each longitude within half a turn of the one before it. */
export type FlatLine = ArrayLike<number>

const radians = (degrees: number) => (degrees * Math.PI) / 180

/**
 * Square metres within a ring that ends where it began. Chamberlain and Duquette, "Some Algorithms for Polygons on a Sphere" (JPL 2007).
 */
export function ringSquareMetres(ring: FlatLine): number {
  let sum = 0
  for (let at = 2; at + 1 < ring.length; at += 2) {
    sum += radians(ring[at]! - ring[at - 2]!) * (2 + Math.sin(radians(ring[at - 1]!)) + Math.sin(radians(ring[at + 1]!)))
  }
  return Math.abs((sum * earthRadius ** 2) / 2)
}

/** Metres along a line. Between neighbours the earth counts as flat: fences are small. */
export function lineMetres(line: FlatLine): number {
  let sum = 0
  for (let at = 2; at + 1 < line.length; at += 2) {
    const across = Math.cos(radians((line[at - 1]! + line[at + 1]!) / 2))
    sum += earthRadius * Math.hypot(radians(line[at]! - line[at - 2]!) * across, radians(line[at + 1]! - line[at - 1]!))
  }
  return sum
}

export interface ShapeSize {
  squareMetres: number
  /** Metres round a circle, along the edge of an area with its holes, or along the line of a corridor. */
  edgeMetres: number
}

/** How large a fence is. `lines`: the outline and then the holes of a polygon, the line of a route; radius in metres. */
export function sizeOfShape(kind: 'circle' | 'polygon' | 'route', lines: readonly FlatLine[], radius: number): ShapeSize {
  if (kind === 'circle') return { squareMetres: Math.PI * radius ** 2, edgeMetres: 2 * Math.PI * radius }
  const edgeMetres = lines.reduce((sum, line) => sum + lineMetres(line), 0)
  // A corridor without regard to its bends.
  if (kind === 'route') return { squareMetres: edgeMetres * 2 * radius + Math.PI * radius ** 2, edgeMetres }
  const [outline = 0, ...holes] = lines.map(ringSquareMetres)
  return { squareMetres: outline - holes.reduce((sum, hole) => sum + hole, 0), edgeMetres }
}
