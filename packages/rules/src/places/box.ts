import type { Box } from '@outpost/contract/box'
import type { Point } from './distance.ts'

/** True when a place lies in a box of the map, edges included. */
export function isInBox([west, south, east, north]: Box, { latitude, longitude }: Point): boolean {
  if (latitude < south || latitude > north) return false
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
}
