import { range } from 'es-toolkit/math/range'
import GeoJSONVT from 'geojson-vt'
import { feature } from 'topojson-client'
import { isInside } from '../viewport.ts'
import type { Bounds } from '../shapes.ts'

/** The shapes of the base map, split into tiles: countries with their borders, and lakes. */
export interface GroundShapes {
  land: GeoJSONVT
  lakes: GeoJSONVT
}
export interface PlaceName {
  name: string
  lat: number
  lng: number
  isCountry: boolean
}

type Topology = Parameters<typeof feature>[0]
type PlaceRow = [name: string, lng: number, lat: number, zoom: number]

/** Must match ground/assets.ts, which generates the files. */
const cellSize = 10
const cellZoom = 8

let shapes: Promise<GroundShapes> | undefined
let large: Promise<{ cells: ReadonlySet<string>; places: readonly PlaceRow[] }> | undefined
const cells = new Map<string, Promise<readonly PlaceRow[]>>()

/** The shapes of the world, fetched once per visit; rejects without a network unless the device has them cached. */
export function groundShapes(): Promise<GroundShapes> {
  shapes ??= Promise.all([shapesOf('land', 'countries'), shapesOf('lakes', 'lakes')]).then(([land, lakes]) => ({ land, lakes }))
  shapes.catch(() => {
    shapes = undefined
  })
  return shapes
}

/** The place names within the bounds at a zoom, the most important first. What cannot be fetched is omitted. */
export async function placeNames(bounds: Bounds, zoom: number): Promise<PlaceName[]> {
  const base = await largePlaces()
  const near = zoom < cellZoom ? [] : cellsIn(bounds).filter((cell) => base.cells.has(cell))
  const rows = [base.places, ...(await Promise.all(near.map(placesOf)))].flat()
  return rows
    .filter(([name, lng, lat, from]) => from <= zoom && (zoom < cellZoom || !isCountry(name)) && isInside({ lat, lng }, bounds))
    .toSorted((a, b) => a[3] - b[3])
    .map(([name, lng, lat]) => ({ name, lng, lat, isCountry: isCountry(name) }))
}

/** Country names are in capitals, and are hidden when the map shows only a part of the country. */
const isCountry = (name: string): boolean => name === name.toUpperCase()

async function largePlaces() {
  large ??= read<{ cells: string[]; places: PlaceRow[] }>('places').then(({ cells, places }) => ({ cells: new Set(cells), places }))
  return large.catch(() => {
    large = undefined
    return { cells: new Set<string>(), places: [] }
  })
}

function placesOf(cell: string): Promise<readonly PlaceRow[]> {
  const known = cells.get(cell)
  if (known) return known
  const coming = read<PlaceRow[]>(`places/${cell}`).catch(() => {
    cells.delete(cell)
    return []
  })
  cells.set(cell, coming)
  return coming
}

function cellsIn({ west, south, east, north }: Bounds): string[] {
  const cell = (degrees: number) => Math.floor(degrees / cellSize)
  return range(cell(west), cell(east) + 1).flatMap((x) => range(cell(south), cell(north) + 1).map((y) => `${x}_${y}`))
}

async function shapesOf(file: string, object: string): Promise<GeoJSONVT> {
  const topology = await read<Topology>(file)
  return new GeoJSONVT(feature(topology, topology.objects[object]!), { maxZoom: 19, indexMaxZoom: 2, buffer: 64 })
}

async function read<Data>(file: string): Promise<Data> {
  const answer = await fetch(`/ground/${file}.json`)
  if (!answer.ok) throw new Error(`/ground/${file}.json: ${answer.status}`)
  return (await answer.json()) as Data
}
