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
  const flat = flattened(places)
  const parts: [number, number][] = [[0, places.length - 1]]
  for (let part = parts.pop(); part; part = parts.pop()) {
    const [first, last] = part
    const farthest = farthestIn(flat, first, last)
    if (farthest === undefined) continue
    if (metresToPath(places[farthest] as Point, [places[first] as Point, places[last] as Point]) <= tolerance) continue
    kept[farthest] = 1
    parts.push([first, farthest], [farthest, last])
  }
  return places.filter((_, index) => kept[index] === 1)
}

/** Places as plain numbers: a day with a message each second is compared a million times. */
interface Flat {
  latitude: Float64Array
  longitude: Float64Array
  /** How much shorter a degree of longitude is than one of latitude. */
  squeeze: Float64Array
}

function flattened(places: readonly Point[]): Flat {
  const latitude = Float64Array.from(places, (place) => place.latitude)
  return {
    latitude,
    longitude: Float64Array.from(places, (place) => place.longitude),
    squeeze: latitude.map((degrees) => Math.cos((degrees * Math.PI) / 180)),
  }
}

/** The place between two others that is farthest from the straight line between them; undefined where there is none. */
function farthestIn({ latitude, longitude, squeeze }: Flat, first: number, last: number): number | undefined {
  const [fromX, fromY, toX, toY] = [longitude[first], latitude[first], longitude[last], latitude[last]] as [number, number, number, number]
  const dy = toY - fromY
  let farthest = first
  let most = -1
  for (let index = first + 1; index < last; index += 1) {
    const narrow = squeeze[index] as number
    const ax = (fromX - (longitude[index] as number)) * narrow
    const ay = fromY - (latitude[index] as number)
    const dx = (toX - fromX) * narrow
    const length = dx * dx + dy * dy
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length))
    const square = (ax + dx * share) * (ax + dx * share) + (ay + dy * share) * (ay + dy * share)
    if (square <= most) continue
    farthest = index
    most = square
  }
  return farthest === first ? undefined : farthest
}
