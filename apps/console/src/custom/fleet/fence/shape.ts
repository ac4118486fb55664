import { sizeOfShape, type ShapeSize } from '@outpost/rules/places/size'
import { areaText, distanceText } from '../../../map/distance.ts'
import type { Place, SnapLine } from '../../../map/index.ts'
import { t } from '../../../session/labels.ts'
import type { Fence, GeoShape, Position } from './fences.ts'

export type Rings = readonly (readonly Place[])[]
type Shape = Fence['shape']

const places = (positions: readonly Position[]): Place[] => positions.map(([lng, lat]) => ({ lat, lng }))

/** The outline of an area and its holes, or the line of a corridor; corners once each. None of a circle. */
export function ringsOf(area: GeoShape | null): Place[][] {
  if (area?.type === 'Polygon') return area.coordinates.map((ring) => places(ring.slice(0, -1)))
  return area?.type === 'LineString' ? [places(area.coordinates)] : []
}

/** GeoJSON of rings or of a line. */
export function areaOf(rings: Rings, shape: Shape): GeoShape {
  const positions = rings.map((ring) => ring.map(({ lat, lng }): Position => [lng, lat]))
  return shape === 'polygon'
    ? { type: 'Polygon', coordinates: positions.map((ring) => [...ring, ...ring.slice(0, 1)]) }
    : { type: 'LineString', coordinates: positions[0] ?? [] }
}

/** Size of a shape that is drawn; undefined where nothing is drawn yet. Radius in metres. */
export function sizeOf({ shape, rings, radius }: { shape: Shape; rings: Rings; radius: number | null }): ShapeSize | undefined {
  if (shape === 'circle') return sizeOfShape(shape, [], radius ?? 0)
  const lines = rings.map((ring) => {
    const start = ring[0]?.lng ?? 0
    return (shape === 'polygon' ? [...ring, ...ring.slice(0, 1)] : ring).flatMap(({ lat, lng }) => [
      lng + 360 * Math.round((start - lng) / 360),
      lat,
    ])
  })
  return lines.some((line) => line.length > 2) ? sizeOfShape(shape, lines, radius ?? 0) : undefined
}

export const sizeText = (shape: Shape, { squareMetres, edgeMetres }: ShapeSize): string =>
  `${areaText(squareMetres)} · ${t(shape === 'route' ? 'length' : 'edge')} ${distanceText(edgeMetres)}`

/** What attracts the corners of a new fence: edges of those that are there, but for the one in hand. */
export const snapLinesOf = (fences: readonly Fence[], own: string | undefined): SnapLine[] =>
  fences
    .filter(({ id }) => id !== own)
    .flatMap(({ area }) => ringsOf(area).map((corners) => ({ corners, isClosed: area.type === 'Polygon' })))
