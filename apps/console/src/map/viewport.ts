import { isPosition } from '@outpost/rules/validation'
import type { Bounds, Place, Viewport } from './shapes.ts'

const digits = 5

/** A viewport in the form of the address: "-1.29210,36.82190,12". */
export const viewportText = ({ lat, lng, zoom }: Viewport): string => `${lat.toFixed(digits)},${lng.toFixed(digits)},${Math.round(zoom)}`

/** Parses a viewport from the address; undefined when it is invalid. */
export function parseViewport(text: unknown): Viewport | undefined {
  if (typeof text !== 'string') return undefined
  const parts = text.split(',')
  const [lat, lng, zoom] = parts.map(Number)
  if (parts.length !== 3 || lat === undefined || lng === undefined || zoom === undefined) return undefined
  const isGood = Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && Number.isInteger(zoom) && zoom >= 0 && zoom <= 19
  return isGood ? { lat, lng, zoom } : undefined
}

/** Filters records with a valid position: numbers in range, and not 0, 0, which devices send for "unknown". */
export const hasPlace = (place: { lat: unknown; lng: unknown }): place is Place =>
  typeof place.lat === 'number' && typeof place.lng === 'number' && isPosition(place.lat, place.lng)

/** The smallest bounds around the places; undefined for none. */
export function boundsOf(places: readonly Place[]): Bounds | undefined {
  if (places.length === 0) return undefined
  const bounds = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity }
  for (const { lat, lng } of places) {
    bounds.west = Math.min(bounds.west, lng)
    bounds.east = Math.max(bounds.east, lng)
    bounds.south = Math.min(bounds.south, lat)
    bounds.north = Math.max(bounds.north, lat)
  }
  return bounds
}

export const isInside = ({ lat, lng }: Place, { west, south, east, north }: Bounds): boolean =>
  lat >= south && lat <= north && lng >= west && lng <= east
