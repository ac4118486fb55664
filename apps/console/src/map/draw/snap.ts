import type { Place } from '../shapes.ts'

interface Pixel {
  x: number
  y: number
}
/** Lines whose corners and edges attract what is drawn; `isClosed` joins the last corner to the first. */
export interface SnapLine {
  corners: readonly Place[]
  isClosed: boolean
}
export interface SnapOptions {
  project: (lng: number, lat: number) => Pixel
  unproject: (x: number, y: number) => Place
  /** Pixels within which a corner, or else an edge, attracts. */
  reach?: number
}
const usualReach = 12

/** The nearest corner in reach, else the nearest place on an edge in reach, else undefined. A corner goes before an edge that is nearer. */
export function snapped(lines: readonly SnapLine[], at: Place, { project, unproject, reach = usualReach }: SnapOptions): Place | undefined {
  const here = project(at.lng, at.lat)
  const [north, south] = [unproject(here.x - reach, here.y - reach), unproject(here.x + reach, here.y + reach)]
  const isFar = (one: Place, other: Place) =>
    Math.max(one.lat, other.lat) < south.lat ||
    Math.min(one.lat, other.lat) > north.lat ||
    Math.max(one.lng, other.lng) < north.lng ||
    Math.min(one.lng, other.lng) > south.lng
  let corner: { place: Place; distance: number } | undefined
  let edge: { place: Place; distance: number } | undefined
  for (const { corners, isClosed } of lines)
    for (const [index, place] of corners.entries()) {
      const next = corners[index + 1] ?? (isClosed ? corners[0] : undefined) ?? place
      if (isFar(place, next)) continue
      const [a, b] = [project(place.lng, place.lat), project(next.lng, next.lat)]
      for (const [end, pixel] of [
        [place, a],
        [next, b],
      ] as const) {
        const distance = Math.hypot(pixel.x - here.x, pixel.y - here.y)
        if (distance <= reach && distance < (corner?.distance ?? Infinity)) corner = { place: end, distance }
      }
      const foot = footOf(a, b, here)
      const distance = Math.hypot(foot.x - here.x, foot.y - here.y)
      if (distance <= reach && distance < (edge?.distance ?? Infinity)) edge = { place: unproject(foot.x, foot.y), distance }
    }
  return (corner ?? edge)?.place
}

/** The place of an edge that is nearest to a point, in pixels. */
function footOf(a: Pixel, b: Pixel, point: Pixel): Pixel {
  const [x, y] = [b.x - a.x, b.y - a.y]
  const length = x * x + y * y
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((point.x - a.x) * x + (point.y - a.y) * y) / length))
  return { x: a.x + share * x, y: a.y + share * y }
}
