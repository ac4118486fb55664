import { metresBetween, type Point } from '@outpost/rules/places/distance'
import { longitudeNear, metresPerDegree, type CompiledShape } from './shape.ts'

/**
 * Metres from a position to the nearest edge of a fence: negative inside, positive outside. Exact near the edge, where it matters (a
 * plane tangent to the earth at the position); far away only sign and magnitude matter. Edges are straight in longitude and latitude, as
 * maps draw them.
 */
export function metresToEdge(shape: CompiledShape, place: Point): number {
  const [line] = shape.lines
  if (shape.kind === 'circle') return metresBetween(place, { longitude: line![0]!, latitude: line![1]! }) - shape.radius
  const longitude = longitudeNear(place.longitude, (shape.box.west + shape.box.east) / 2)
  const here: Point = { longitude, latitude: place.latitude }
  if (shape.kind === 'route') return Math.sqrt(scan(line!, here).squared) - shape.radius
  let squared = Infinity
  let isInside = false
  for (const ring of shape.lines) {
    const found = scan(ring, here)
    squared = Math.min(squared, found.squared)
    // Even-odd rule: each hole inverts the side.
    if (found.isOdd) isInside = !isInside
  }
  return isInside ? -Math.sqrt(squared) : Math.sqrt(squared)
}

/** One pass along a line: the least squared distance in metres, and whether a ray to the east crosses it an odd number of times. */
function scan(line: Float64Array, { longitude, latitude }: Point): { squared: number; isOdd: boolean } {
  const perLongitude = metresPerDegree * Math.cos((latitude * Math.PI) / 180)
  let squared = Infinity
  let isOdd = false
  let x = (line[0]! - longitude) * perLongitude
  let y = (line[1]! - latitude) * metresPerDegree
  if (line.length === 2) return { squared: x * x + y * y, isOdd }
  for (let at = 2; at < line.length; at += 2) {
    const nextX = (line[at]! - longitude) * perLongitude
    const nextY = (line[at + 1]! - latitude) * metresPerDegree
    const alongX = nextX - x
    const alongY = nextY - y
    const length = alongX * alongX + alongY * alongY
    const share = length === 0 ? 0 : Math.max(0, Math.min(1, -(x * alongX + y * alongY) / length))
    const offX = x + share * alongX
    const offY = y + share * alongY
    squared = Math.min(squared, offX * offX + offY * offY)
    if (y > 0 !== nextY > 0 && x - (y * alongX) / alongY > 0) isOdd = !isOdd
    x = nextX
    y = nextY
  }
  return { squared, isOdd }
}
