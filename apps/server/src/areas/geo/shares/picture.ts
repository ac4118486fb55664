import { escape } from 'es-toolkit/string/escape'

export interface Spot {
  latitude: number
  longitude: number
}
interface Drawn {
  place: Spot
  /** Degrees from north; null while it is stationary. */
  course: number | null
  /** Metres around the place in which it may be; 0: at it. */
  blurMetres: number
  trail: readonly Spot[]
  /** Of the nearest known place. */
  words: string | null
}

const [width, height] = [440, 300]
const metresADegree = 111_320
const nice = [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000]

/** A map without a script: rings of distance, the way of the last hour and the mark, north up. Presentation is by class alone, as the page's policy asks. */
export function pictureOf({ place, course, blurMetres, trail, words }: Drawn): string {
  const east = (spot: Spot) => (spot.longitude - place.longitude) * metresADegree * Math.cos((place.latitude * Math.PI) / 180)
  const north = (spot: Spot) => (spot.latitude - place.latitude) * metresADegree
  const farthest = Math.max(
    400,
    blurMetres * 1.6,
    ...trail.map((spot) => Math.max(Math.abs(east(spot)), Math.abs(north(spot)) * (width / height))),
  )
  const scale = (width / 2 - 30) / farthest
  const [x, y] = [(spot: Spot) => width / 2 + east(spot) * scale, (spot: Spot) => height / 2 - north(spot) * scale]
  const step = nice.find((metres) => metres * scale >= 60) ?? nice[nice.length - 1]!
  const rings = [1, 2, 3].map((count) => {
    const radius = count * step * scale
    const label = count * step >= 1_000 ? `${(count * step) / 1_000} km` : `${count * step} m`
    return `<circle class="map-line" cx="${width / 2}" cy="${height / 2}" r="${radius.toFixed(1)}"/><text class="map-words" x="${(width / 2 + 4).toFixed(1)}" y="${(height / 2 - radius + 13).toFixed(1)}">${label}</text>`
  })
  const path = [...trail, place].map((spot) => `${x(spot).toFixed(1)},${y(spot).toFixed(1)}`).join(' ')
  const mark =
    blurMetres > 0
      ? `<circle class="map-haze" cx="${width / 2}" cy="${height / 2}" r="${(blurMetres * scale).toFixed(1)}"/>`
      : course === null
        ? `<circle class="map-mark" cx="${width / 2}" cy="${height / 2}" r="9"/>`
        : `<path class="map-mark" d="M0 -14 L9 11 L0 6 L-9 11 Z" transform="translate(${width / 2} ${height / 2}) rotate(${Math.round(course)})"/>`
  return [
    `<svg viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">`,
    `<rect class="map-ground" width="${width}" height="${height}"/>`,
    ...rings,
    `<path class="map-line" d="M${width / 2} 0V${height}M0 ${height / 2}H${width}"/>`,
    `<text class="map-words" x="${width - 18}" y="20">N</text>`,
    ...(words === null ? [] : [`<text class="map-words" x="12" y="${height - 12}">${escape(words)}</text>`]),
    ...(trail.length > 0 ? [`<polyline class="map-trail" points="${path}"/>`] : []),
    mark,
    '</svg>',
  ].join('')
}

/** The middle of the square of that many metres in which a place lies: the same for all places in it, so that many looks tell no more than one. */
export function blurred({ latitude, longitude }: Spot, metres: number): Spot {
  if (metres <= 0) return { latitude, longitude }
  const rows = metres / metresADegree
  const row = (Math.floor(latitude / rows) + 0.5) * rows
  const columns = metres / (metresADegree * Math.max(0.05, Math.cos((row * Math.PI) / 180)))
  return { latitude: row, longitude: (Math.floor(longitude / columns) + 0.5) * columns }
}
