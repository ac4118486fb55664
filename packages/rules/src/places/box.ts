import type { Box } from '@outpost/contract/box'
import type { Point } from './distance.ts'

/** True when a place lies in a box of the map, edges included. */
export function isInBox([west, south, east, north]: Box, { latitude, longitude }: Point): boolean {
  if (latitude < south || latitude > north) return false
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
}

/** A degree of latitude is 111 km everywhere, one of longitude shrinks towards the poles. */
const metresOfDegree = 111_000

/** The box that holds a path and all within so many metres of it; not for paths over the edge of the map. */
export function boxAround(path: readonly Point[], metres: number): Box {
  const [latitudes, longitudes] = [path.map(({ latitude }) => latitude), path.map(({ longitude }) => longitude)]
  const high = metres / metresOfDegree
  const wide = high / Math.max(0.01, Math.cos((Math.max(...latitudes.map(Math.abs)) * Math.PI) / 180))
  return [Math.min(...longitudes) - wide, Math.min(...latitudes) - high, Math.max(...longitudes) + wide, Math.max(...latitudes) + high]
}
