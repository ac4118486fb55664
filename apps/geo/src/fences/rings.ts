import Flatbush from 'flatbush'

interface Edge {
  ring: number
  number: number
  ax: number
  ay: number
  bx: number
  by: number
}

/**
 * The error in a polygon's rings, in words, or null. No ring may cross itself or another; holes must lie within the outline and not
 * within each other. The rings are closed, continuous across the antimeridian ([longitude, latitude, ...]) and without repeated points.
 * 10,000 points take some milliseconds: edges are found through an index.
 */
export function faultOfRings(rings: readonly Float64Array[]): string | null {
  return faultOfCrossings(edgesOf(rings)) ?? faultOfHoles(rings)
}

function edgesOf(rings: readonly Float64Array[]): Edge[] {
  return rings.flatMap((line, ring) =>
    Array.from({ length: line.length / 2 - 1 }, (_, number): Edge => {
      const at = 2 * number
      return { ring, number, ax: line[at]!, ay: line[at + 1]!, bx: line[at + 2]!, by: line[at + 3]! }
    }),
  )
}

function faultOfCrossings(edges: readonly Edge[]): string | null {
  const index = new Flatbush(edges.length)
  for (const { ax, ay, bx, by } of edges) index.add(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by))
  index.finish()
  for (const [at, edge] of edges.entries()) {
    const { ax, ay, bx, by } = edge
    const [other] = index.search(
      Math.min(ax, bx),
      Math.min(ay, by),
      Math.max(ax, bx),
      Math.max(ay, by),
      (near) => near > at && doCross(edge, edges[near]!),
    )
    if (other !== undefined) return describeCrossing(edge, edges[other]!)
  }
  return null
}

function describeCrossing(one: Edge, other: Edge): string {
  const where = `between its points ${one.number + 1} and ${one.number + 2}`
  if (one.ring === other.ring)
    return `${nameOf(one.ring)} crosses itself ${where} (with the line from point ${other.number + 1} to ${other.number + 2})`
  return `${nameOf(other.ring)} crosses ${nameOf(one.ring).toLowerCase()} between points ${other.number + 1} and ${other.number + 2}`
}

const nameOf = (ring: number) => (ring === 0 ? 'The outline' : `Hole ${ring}`)

/** Twice the signed areas of the triangles formed with the ends of another line; the sign shows on which side an end lies. */
function sides({ ax, ay, bx, by }: Edge, other: Edge): [number, number] {
  return [(bx - ax) * (other.ay - ay) - (by - ay) * (other.ax - ax), (bx - ax) * (other.by - ay) - (by - ay) * (other.bx - ax)]
}

/** True when lines cross or overlap. Touching at an end alone does not count: neighbours always touch. */
function doCross(one: Edge, other: Edge): boolean {
  const [a, b] = sides(one, other)
  if (a === 0 && b === 0) return doOverlap(one, other)
  const [c, d] = sides(other, one)
  return a * b < 0 && c * d < 0
}

/** Do two collinear lines share more than a point? */
function doOverlap(one: Edge, other: Edge): boolean {
  const isSteep = Math.abs(one.by - one.ay) > Math.abs(one.bx - one.ax)
  const [a, b, c, d] = isSteep ? [one.ay, one.by, other.ay, other.by] : [one.ax, one.bx, other.ax, other.bx]
  return Math.min(Math.max(a, b), Math.max(c, d)) > Math.max(Math.min(a, b), Math.min(c, d))
}

function faultOfHoles([outline, ...holes]: readonly Float64Array[]): string | null {
  for (const [at, hole] of holes.entries()) {
    if (!isWithin(hole, outline!)) return `${nameOf(at + 1)} lies outside the outline`
    const other = holes.findIndex((another, number) => number !== at && isWithin(hole, another))
    if (other >= 0) return `${nameOf(at + 1)} lies within hole ${other + 1}`
  }
  return null
}

/** For rings that do not cross: one lies within the other when the middle of its first line does (a corner may only touch). */
function isWithin(ring: Float64Array, outer: Float64Array): boolean {
  const [x, y] = [(ring[0]! + ring[2]!) / 2, (ring[1]! + ring[3]!) / 2]
  let isInside = false
  for (let at = 2; at < outer.length; at += 2) {
    const [ax, ay, bx, by] = [outer[at - 2]!, outer[at - 1]!, outer[at]!, outer[at + 1]!]
    if (ay > y !== by > y && ax + ((y - ay) * (bx - ax)) / (by - ay) > x) isInside = !isInside
  }
  return isInside
}
