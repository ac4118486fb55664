import type { Fence, Position } from '../fence/fences.ts'

/** Fences as GeoJSON; what GeoJSON has no word for (radius, kind, speed limit) is a property, which the import reads back. */
export const toGeoJson = (fences: readonly Fence[]): string =>
  JSON.stringify(
    {
      type: 'FeatureCollection',
      features: fences.map((fence) => ({ type: 'Feature', properties: Object.fromEntries(propertiesOf(fence)), geometry: fence.area })),
    },
    null,
    1,
  )

/** Fences as KML: areas with their holes, lines and points. */
export const toKml = (fences: readonly Fence[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>\n${fences.map(placemark).join('\n')}\n</Document></kml>\n`

/**
 * Fences in Traccar's text, one a line, latitude first. Holes follow the outline as further rings; the width of a corridor has no place
 * in this text.
 */
export const toTraccarText = (fences: readonly Fence[]): string =>
  fences.map((fence) => `${fence.name.replaceAll(/\s*[;\t\r\n]+\s*/g, ', ')}; ${traccarShape(fence)}\n`).join('')

function propertiesOf({ name, type, description, radius, speedLimit, shape }: Fence): [string, string | number][] {
  return [
    ['name', name],
    ['type', type],
    ...(description ? [['description', description] as [string, string]] : []),
    ...(radius === null || shape === 'polygon' ? [] : [['radius', radius] as [string, number]]),
    ...(speedLimit === null || speedLimit === undefined ? [] : [['speedLimit', speedLimit] as [string, number]]),
  ]
}

function placemark(fence: Fence): string {
  const own = propertiesOf(fence).filter(([key]) => key !== 'name' && key !== 'description')
  const data = own.map(([key, value]) => `<Data name="${key}"><value>${escaped(String(value))}</value></Data>`).join('')
  const words = fence.description ? `<description>${escaped(fence.description)}</description>` : ''
  return `<Placemark><name>${escaped(fence.name)}</name>${words}<ExtendedData>${data}</ExtendedData>${kmlShape(fence)}</Placemark>`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const tuples = (positions: readonly Position[]) => positions.map(([lng, lat]) => `${lng},${lat}`).join(' ')
const coordinates = (positions: readonly Position[]) => `<coordinates>${tuples(positions)}</coordinates>`

function kmlShape({ area }: Fence): string {
  if (area.type === 'Point') return `<Point>${coordinates([area.coordinates])}</Point>`
  if (area.type === 'LineString') return `<LineString>${coordinates(area.coordinates)}</LineString>`
  const rings = area.coordinates.map((ring) => `<LinearRing>${coordinates(ring)}</LinearRing>`)
  const boundaries = rings.map((ring, index) =>
    index === 0 ? `<outerBoundaryIs>${ring}</outerBoundaryIs>` : `<innerBoundaryIs>${ring}</innerBoundaryIs>`,
  )
  return `<Polygon>${boundaries.join('')}</Polygon>`
}

function traccarShape({ area, radius }: Fence): string {
  const pairs = (positions: readonly Position[]) => positions.map(([lng, lat]) => `${lat} ${lng}`).join(', ')
  if (area.type === 'Point') return `CIRCLE (${pairs([area.coordinates])}, ${radius ?? 100})`
  if (area.type === 'LineString') return `LINESTRING (${pairs(area.coordinates)})`
  return `POLYGON (${area.coordinates.map((ring) => `(${pairs(ring)})`).join(', ')})`
}
