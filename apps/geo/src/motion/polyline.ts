import { metresToPath } from '@outpost/rules/routes/route-track'
import type { Point } from '@outpost/rules/places/distance'

/** Places as an encoded polyline of five digits (Google's "Encoded Polyline Algorithm Format"; latitude first). */
export function encodePolyline(places: readonly Point[]): string {
  let [text, latitude, longitude] = ['', 0, 0]
  for (const place of places) {
    const [nextLatitude, nextLongitude] = [Math.round(place.latitude * 1e5), Math.round(place.longitude * 1e5)]
    text += encodeNumber(nextLatitude - latitude) + encodeNumber(nextLongitude - longitude)
    ;[latitude, longitude] = [nextLatitude, nextLongitude]
  }
  return text
}

function encodeNumber(value: number): string {
  let rest = value < 0 ? -2 * value - 1 : 2 * value
  let text = ''
  for (; rest >= 32; rest = Math.floor(rest / 32)) text += String.fromCharCode((rest % 32) + 32 + 63)
  return text + String.fromCharCode(rest + 63)
}

/** The places of an encoded polyline of five digits. */
export function decodePolyline(text: string): Point[] {
  const places: Point[] = []
  let [at, latitude, longitude] = [0, 0, 0]
  const next = (): number => {
    let [value, factor, digit] = [0, 1, 0]
    do {
      digit = text.charCodeAt(at) - 63
      at += 1
      value += (digit % 32) * factor
      factor *= 32
    } while (digit >= 32)
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }
  while (at < text.length) {
    latitude += next()
    longitude += next()
    places.push({ latitude: latitude / 1e5, longitude: longitude / 1e5 })
  }
  return places
}

/** The fewest of the places (Douglas and Peucker) such that none is further than this many metres from the line; 0 keeps all. */
export function simplify<Kind extends Point>(places: readonly Kind[], tolerance: number): Kind[] {
  if (places.length < 3 || tolerance <= 0) return [...places]
  const kept = new Uint8Array(places.length)
  kept[0] = kept[places.length - 1] = 1
  const parts: [number, number][] = [[0, places.length - 1]]
  for (let part = parts.pop(); part; part = parts.pop()) {
    const [first, last] = part
    const farthest = farthestIn(places, first, last)
    if (farthest.metres <= tolerance) continue
    kept[farthest.index] = 1
    parts.push([first, farthest.index], [farthest.index, last])
  }
  return places.filter((_, index) => kept[index] === 1)
}

function farthestIn(places: readonly Point[], first: number, last: number): { index: number; metres: number } {
  const line = [places[first] as Point, places[last] as Point]
  const farthest = { index: first, metres: 0 }
  for (let index = first + 1; index < last; index += 1) {
    const metres = metresToPath(places[index] as Point, line)
    if (metres > farthest.metres) Object.assign(farthest, { index, metres })
  }
  return farthest
}
