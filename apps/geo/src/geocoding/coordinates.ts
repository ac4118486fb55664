import type { Point } from '@outpost/rules/distance'

/**
 * Reads "lat,lng". "lng,lat" is known by a first number that no latitude can be; everything else is read as lat,lng.
 * Null when it is no place on earth.
 */
export function readCoordinates(text: string): Point | null {
  const found = /^\s*([-+]?\d{1,3}(?:\.\d{0,15})?)\s*[,; ]\s*([-+]?\d{1,3}(?:\.\d{0,15})?)\s*$/.exec(text)
  if (!found) return null
  const [first, second] = [Number(found[1]), Number(found[2])]
  const [latitude, longitude] = Math.abs(first) > 90 ? [second, first] : [first, second]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

/** A place as its coordinates: five decimals are about a metre. */
export function writeCoordinates({ latitude, longitude }: Point): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
}

/** Names the cell of about 11 metres that a place lies in. */
export function cellOf({ latitude, longitude }: Point): string {
  // No -0.0000 beside 0.0000.
  return [latitude, longitude].map((degrees) => (Math.round(degrees * 10_000) / 10_000 || 0).toFixed(4)).join(',')
}
