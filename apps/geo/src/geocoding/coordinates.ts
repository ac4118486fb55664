import type { Point } from '@outpost/rules/places/distance'

/** Parses "lat,lng". A first number that cannot be a latitude means "lng,lat". Null when it is not a place on earth. */
export function readCoordinates(text: string): Point | null {
  const found = /^\s*([-+]?\d{1,3}(?:\.\d{0,15})?)\s*[,; ]\s*([-+]?\d{1,3}(?:\.\d{0,15})?)\s*$/.exec(text)
  if (!found) return null
  const [first, second] = [Number(found[1]), Number(found[2])]
  const [latitude, longitude] = Math.abs(first) > 90 ? [second, first] : [first, second]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

/** Formats a place as coordinates; five decimals are about a metre. */
export function writeCoordinates({ latitude, longitude }: Point): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
}

/** The key of the cell of about 11 metres that contains a place. */
export function cellOf({ latitude, longitude }: Point): string {
  // Avoids -0.0000 beside 0.0000.
  return [latitude, longitude].map((degrees) => (Math.round(degrees * 10_000) / 10_000 || 0).toFixed(4)).join(',')
}
