import { earthRadius } from '@outpost/rules/places/distance'
import type { CompiledShape } from './shape.ts'

const radians = (degrees: number) => (degrees * Math.PI) / 180

/**
 * Area of a fence in square metres; for a route, that of its corridor ignoring bends. Polygons follow Chamberlain and Duquette, "Some
 * Algorithms for Polygons on a Sphere" (JPL 2007); holes are subtracted.
 */
export function squareMetres({ kind, lines, radius }: CompiledShape): number {
  if (kind === 'circle') return Math.PI * radius ** 2
  if (kind === 'route') return lengthOf(lines[0]!) * 2 * radius + Math.PI * radius ** 2
  const [outline, ...holes] = lines.map(ringArea)
  return outline! - holes.reduce((sum, hole) => sum + hole, 0)
}

function ringArea(ring: Float64Array): number {
  let sum = 0
  for (let at = 2; at < ring.length; at += 2) {
    sum += radians(ring[at]! - ring[at - 2]!) * (2 + Math.sin(radians(ring[at - 1]!)) + Math.sin(radians(ring[at + 1]!)))
  }
  return Math.abs((sum * earthRadius ** 2) / 2)
}

function lengthOf(line: Float64Array): number {
  let sum = 0
  for (let at = 2; at < line.length; at += 2) {
    const across = Math.cos(radians((line[at - 1]! + line[at + 1]!) / 2))
    sum += earthRadius * Math.hypot(radians(line[at]! - line[at - 2]!) * across, radians(line[at + 1]! - line[at - 1]!))
  }
  return sum
}
