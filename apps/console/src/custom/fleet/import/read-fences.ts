import type { ImportRow } from './read-devices.ts'

interface Geometry {
  type: string
  coordinates?: unknown
  geometries?: Geometry[]
}
interface Feature {
  type: 'Feature'
  geometry: Geometry | null
  properties: Record<string, unknown> | null
}

/** Half the width of a corridor and the radius of a point, in metres, where a file says nothing. */
const usualRadius = 100

/**
 * Fences of a file: GeoJSON, KML, or Traccar's text, a fence a line ("Yard; CIRCLE (-1.3 36.8, 200)"). Points become points of
 * interest, areas fences, lines corridors. Throws an Error with words for whoever chose the file.
 */
export async function readFences(fileName: string, text: string): Promise<ImportRow[]> {
  const start = text.trimStart()
  if (start.startsWith('{')) return fromGeoJson(readJson(text), fileName)
  if (start.startsWith('<')) return fromGeoJson(await readKml(text), fileName)
  return fromTraccarText(text)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Error('The file is no GeoJSON: it cannot be read as JSON')
  }
}

async function readKml(text: string): Promise<unknown> {
  const [{ kml }, document] = [await import('@tmcw/togeojson'), new DOMParser().parseFromString(text, 'text/xml')]
  if (document.querySelector('parsererror') || document.documentElement.localName !== 'kml') throw new Error('The file is no KML')
  return kml(document)
}

function fromGeoJson(given: unknown, fileName: string): ImportRow[] {
  const features = featuresOf(given)
  if (features.length === 0) throw new Error('The file holds no areas, lines or points')
  const stem = fileName.replace(/\.[^.]*$/, '')
  return features.flatMap(({ geometry, properties }, index) =>
    partsOf(geometry).map((part, of, all) => {
      const { name, title, description, type } = properties ?? {}
      const [radius, speedLimit] = [numberOf(properties?.radius), numberOf(properties?.speedLimit)]
      const called = [name, title].find((one) => typeof one === 'string' && one.trim() !== '') as string | undefined
      const numbered = `${called ?? `${stem} ${index + 1}`}${all.length > 1 ? ` (${of + 1})` : ''}`
      return {
        at: index + 1,
        values: {
          name: numbered.slice(0, 120),
          area: part,
          type: part.type === 'Point' && (type === 'poi' || radius === undefined) ? 'poi' : 'geofence',
          ...(part.type === 'Polygon' ? {} : { radius: radius ?? usualRadius }),
          ...(typeof description === 'string' ? { description: description.slice(0, 1_000) } : {}),
          ...(speedLimit === undefined ? {} : { speedLimit }),
        },
      }
    }),
  )
}

/** KML has numbers as texts. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function featuresOf(given: unknown): Feature[] {
  const one = given as { type?: unknown; features?: unknown; geometry?: unknown } | null
  if (one?.type === 'FeatureCollection' && Array.isArray(one.features)) return one.features as Feature[]
  if (one?.type === 'Feature') return [one as Feature]
  if (typeof one?.type === 'string') return [{ type: 'Feature', geometry: one as Geometry, properties: null }]
  throw new Error('The file is no GeoJSON: it needs features, or a geometry')
}

/** Places without their heights: one fence holds one area, line or point. */
function partsOf(geometry: Geometry | null): Geometry[] {
  if (geometry === null) return []
  if (geometry.type === 'GeometryCollection') return (geometry.geometries ?? []).flatMap(partsOf)
  const single = /^Multi(Point|LineString|Polygon)$/.exec(geometry.type)?.[1]
  if (single && Array.isArray(geometry.coordinates))
    return geometry.coordinates.map((coordinates: unknown) => ({ type: single, coordinates: flat(coordinates) }))
  return [{ type: geometry.type, coordinates: flat(geometry.coordinates) }]
}

function flat(coordinates: unknown): unknown {
  if (!Array.isArray(coordinates)) return coordinates
  return typeof coordinates[0] === 'number' ? coordinates.slice(0, 2) : coordinates.map(flat)
}

const line = /^\s*(?:(.*?)\s*[;\t]\s*)?((?:CIRCLE|POLYGON|LINESTRING)\s*\(.*\))\s*$/i

function fromTraccarText(text: string): ImportRow[] {
  return text.split(/\r?\n/).flatMap((words, index) => {
    if (words.trim() === '') return []
    const [, name, area = ''] = line.exec(words) ?? []
    if (area === '')
      throw new Error(
        `Line ${index + 1} is no fence: write a name, a semicolon and CIRCLE (lat lon, metres), POLYGON ((lat lon, ...)) or LINESTRING (lat lon, ...)`,
      )
    const isLine = /^LINESTRING/i.test(area)
    return [{ at: index + 1, values: { name: name?.trim() || `Fence ${index + 1}`, area, ...(isLine ? { radius: usualRadius } : {}) } }]
  })
}
