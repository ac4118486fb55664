import type { Point } from '@outpost/rules/places/distance'
import { longitudeNear, metresPerDegree, type CompiledShape } from './shape.ts'

/** An interval of a path as fractions: 0 is its start, 1 its end. */
export type Interval = [from: number, to: number]

/** The path relative to its start, in metres: its direction, and the scale of a degree. */
interface LocalPath {
  startX: number
  startY: number
  x: number
  y: number
  perLongitude: number
}

/**
 * The intervals of the straight path between two positions that lie inside a fence, in order; none when it misses the fence. A route
 * without width gives intervals of zero length.
 */
export function intervalsInside(shape: CompiledShape, from: Point, to: Point): Interval[] {
  const startX = longitudeNear(from.longitude, (shape.box.west + shape.box.east) / 2)
  const endX = longitudeNear(to.longitude, startX)
  if (!reaches(shape, { longitude: startX, latitude: from.latitude }, { longitude: endX, latitude: to.latitude })) return []
  const perLongitude = metresPerDegree * Math.cos((((from.latitude + to.latitude) / 2) * Math.PI) / 180)
  const way: LocalPath = {
    startX,
    startY: from.latitude,
    x: (endX - startX) * perLongitude,
    y: (to.latitude - from.latitude) * metresPerDegree,
    perLongitude,
  }
  return shape.kind === 'polygon' ? throughRings(shape.lines, way) : throughCorridor(shape.lines[0]!, shape.radius, way)
}

function reaches({ box }: CompiledShape, from: Point, to: Point): boolean {
  return (
    Math.min(from.longitude, to.longitude) <= box.east &&
    Math.max(from.longitude, to.longitude) >= box.west &&
    Math.min(from.latitude, to.latitude) <= box.north &&
    Math.max(from.latitude, to.latitude) >= box.south
  )
}

/** Crossings of all rings in order: between the first and the second the path is inside, and so on. */
function throughRings(rings: readonly Float64Array[], way: LocalPath): Interval[] {
  const shares: number[] = []
  let isInside = false
  for (const ring of rings) {
    for (let at = 2; at < ring.length; at += 2) {
      const [ax, ay, bx, by] = edgeOf(ring, at, way)
      // Does a ray from the start to the east cross this edge?
      if (ay > 0 !== by > 0 && ax - (ay * (bx - ax)) / (by - ay) > 0) isInside = !isInside
      const share = crossing([ax, ay, bx, by], way)
      if (share !== undefined) shares.push(share)
    }
  }
  shares.sort((a, b) => a - b)
  const bounds = isInside ? [0, ...shares] : shares
  if (bounds.length % 2 === 1) bounds.push(1)
  return Array.from({ length: bounds.length / 2 }, (_, pair): Interval => [bounds[2 * pair]!, bounds[2 * pair + 1]!])
}

type Edge = [ax: number, ay: number, bx: number, by: number]

/** The edge that ends at this point of the line, in metres from the start of the path. */
function edgeOf(line: Float64Array, at: number, { startX, startY, perLongitude }: LocalPath): Edge {
  const before = Math.max(0, at - 2)
  return [
    (line[before]! - startX) * perLongitude,
    (line[before + 1]! - startY) * metresPerDegree,
    (line[at]! - startX) * perLongitude,
    (line[at + 1]! - startY) * metresPerDegree,
  ]
}

/** Where the path crosses an edge. Only one end of the edge counts, so that a corner is counted once. */
function crossing([ax, ay, bx, by]: Edge, { x, y }: LocalPath): number | undefined {
  const sideA = x * ay - y * ax
  const sideB = x * by - y * bx
  if (sideA > 0 === sideB > 0) return undefined
  const part = sideA / (sideA - sideB)
  const [meetX, meetY] = [ax + part * (bx - ax), ay + part * (by - ay)]
  const share = (meetX * x + meetY * y) / (x * x + y * y)
  return share >= 0 && share <= 1 ? share : undefined
}

/** A corridor consists of its segments, each a stadium: their intervals are merged where they overlap. */
function throughCorridor(line: Float64Array, radius: number, way: LocalPath): Interval[] {
  const stretches: Interval[] = []
  for (let at = line.length === 2 ? 0 : 2; at < line.length; at += 2) {
    const edge = edgeOf(line, at, way)
    const stretch = isNear(edge, radius, way) ? throughStadium(edge, radius, way) : undefined
    if (stretch) stretches.push(stretch)
  }
  stretches.sort((a, b) => a[0] - b[0])
  const joined: Interval[] = []
  for (const [from, to] of stretches) {
    const last = joined.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

/** Do the boxes of a segment and the path intersect? Most segments of a long corridor are far away. */
function isNear([ax, ay, bx, by]: Edge, radius: number, { x, y }: LocalPath): boolean {
  return (
    Math.min(ax, bx) - radius <= Math.max(0, x) &&
    Math.max(ax, bx) + radius >= Math.min(0, x) &&
    Math.min(ay, by) - radius <= Math.max(0, y) &&
    Math.max(ay, by) + radius >= Math.min(0, y)
  )
}

/** A stadium is two discs and a strip between them. It is convex, so their intervals merge into one. */
function throughStadium(edge: Edge, radius: number, way: LocalPath): Interval | undefined {
  const [ax, ay, bx, by] = edge
  const parts = [throughDisc(ax, ay, radius, way), throughDisc(bx, by, radius, way), throughStrip(edge, radius, way)].filter(
    (part) => part !== undefined,
  )
  return parts.length > 0 ? [Math.min(...parts.map(([from]) => from)), Math.max(...parts.map(([, to]) => to))] : undefined
}

function throughDisc(centreX: number, centreY: number, radius: number, { x, y }: LocalPath): Interval | undefined {
  const length = x * x + y * y
  const beyond = centreX * centreX + centreY * centreY - radius * radius
  if (length === 0) return beyond <= 0 ? [0, 1] : undefined
  const nearest = (centreX * x + centreY * y) / length
  const half = nearest * nearest - beyond / length
  if (half < 0) return undefined
  return within(nearest - Math.sqrt(half), nearest + Math.sqrt(half))
}

function throughStrip([ax, ay, bx, by]: Edge, radius: number, { x, y }: LocalPath): Interval | undefined {
  const length = Math.hypot(bx - ax, by - ay)
  if (length === 0) return undefined
  const [alongX, alongY] = [(bx - ax) / length, (by - ay) / length]
  const along = between(-(ax * alongX + ay * alongY), x * alongX + y * alongY, 0, length)
  const across = between(-(ay * alongX - ax * alongY), y * alongX - x * alongY, -radius, radius)
  return along && across && within(Math.max(along[0], across[0]), Math.min(along[1], across[1]))
}

/** For which fractions start + fraction * step lies between two bounds. */
function between(start: number, step: number, least: number, most: number): Interval | undefined {
  if (step === 0) return start >= least && start <= most ? [-Infinity, Infinity] : undefined
  const [first, second] = [(least - start) / step, (most - start) / step]
  return first < second ? [first, second] : [second, first]
}

function within(from: number, to: number): Interval | undefined {
  const stretch: Interval = [Math.max(0, from), Math.min(1, to)]
  return stretch[0] <= stretch[1] ? stretch : undefined
}
