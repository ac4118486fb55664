/** A moment of a day that is replayed; ms since 1970, km/h, degrees. */
export interface Fix {
  time: number
  lat: number
  lng: number
  speed: number
  course: number | null
}

/** What a message reported beside the place; null where it reported nothing. Volts; fuel in litres or percent, as the tracker has it. */
export interface Reading {
  time: number
  ignition: boolean | null
  power: number | null
  fuel: number | null
}

/** Where the vehicle was at a moment: on the straight way between two fixes; nowhere before the first. Holes longer than ten minutes are not bridged. */
export function placeAt(fixes: readonly Fix[], time: number): Fix | undefined {
  const after = firstAfter(fixes, time)
  const [from, to] = [fixes[after - 1], fixes[after]]
  if (!from) return undefined
  if (!to || to.time - from.time > 600_000) return { ...from, time }
  const share = (time - from.time) / (to.time - from.time)
  return {
    time,
    lat: from.lat + (to.lat - from.lat) * share,
    lng: from.lng + (to.lng - from.lng) * share,
    speed: from.speed + (to.speed - from.speed) * share,
    course: from.course,
  }
}

/** Index of the first fix later than the moment. */
export function firstAfter(fixes: readonly Fix[], time: number): number {
  let [low, high] = [0, fixes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((fixes[middle]?.time ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return low
}

/** The way in pieces: a hole of more than ten minutes begins another. */
export function piecesOf(fixes: readonly Fix[]): Fix[][] {
  const pieces: Fix[][] = []
  for (const [index, fix] of fixes.entries()) {
    const before = fixes[index - 1]
    if (!before || fix.time - before.time > 600_000) pieces.push([])
    pieces.at(-1)?.push(fix)
  }
  return pieces
}

interface Strip {
  from: number
  to: number
  width: number
  height: number
}

/** An SVG path of a reading over the day between its lowest and highest value, and these two; undefined when there are fewer than two values. */
export function readingPath(
  readings: readonly Reading[],
  key: 'power' | 'fuel',
  { from, to, width, height }: Strip,
): { path: string; lowest: number; highest: number } | undefined {
  const byColumn = new Map<number, number>()
  for (const reading of readings) {
    const value = reading[key]
    if (value !== null) byColumn.set(Math.round(((reading.time - from) / Math.max(1, to - from)) * width), value)
  }
  if (byColumn.size < 2) return undefined
  const values = [...byColumn.values()]
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const y = (value: number) => (height - 3 - ((value - lowest) / Math.max(0.01, highest - lowest)) * (height - 6)).toFixed(1)
  const points = [...byColumn].toSorted(([a], [b]) => a - b)
  return { path: points.map(([x, value], index) => `${index === 0 ? 'M' : 'L'}${x} ${y(value)}`).join(''), lowest, highest }
}

/** The spans with the ignition on; one without a reported end ends with its last message. */
export function ignitionSpans(readings: readonly Reading[]): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = []
  let from: number | undefined
  let last = 0
  for (const { time, ignition } of readings) {
    if (ignition === null) continue
    if (ignition) from ??= time
    else if (from !== undefined) {
      spans.push({ from, to: time })
      from = undefined
    }
    last = time
  }
  return from === undefined ? spans : [...spans, { from, to: last }]
}

/** An SVG path of the speed over the day, `width` by `height`; at most one point a pixel, the fastest of it. */
export function speedPath(fixes: readonly Fix[], { from, to, width, height }: Strip): string {
  const fastest = new Map<number, number>()
  for (const { time, speed } of fixes) {
    const column = Math.round(((time - from) / Math.max(1, to - from)) * width)
    fastest.set(column, Math.max(fastest.get(column) ?? 0, speed))
  }
  const top = Math.max(60, ...fastest.values())
  const points = [...fastest].toSorted(([a], [b]) => a - b)
  return points.map(([x, speed], index) => `${index === 0 ? 'M' : 'L'}${x} ${(height - (speed / top) * (height - 4)).toFixed(1)}`).join('')
}

const iso = (time: number) => new Date(time).toISOString()
const text = (words: string) => words.replace(/[<>&"]/g, (one) => `&#${one.charCodeAt(0)};`)

/** The way as a file other programs read. */
export const exportsOf: Readonly<
  Record<'gpx' | 'kml' | 'geojson' | 'csv', { type: string; write: (name: string, fixes: readonly Fix[]) => string }>
> = {
  gpx: {
    type: 'application/gpx+xml',
    write: (name, fixes) =>
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<gpx version="1.1" creator="Outpost" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>${text(name)}</name>`,
        ...piecesOf(fixes).map(
          (piece) =>
            `<trkseg>${piece.map(({ lat, lng, time }) => `<trkpt lat="${lat}" lon="${lng}"><time>${iso(time)}</time></trkpt>`).join('')}</trkseg>`,
        ),
        '</trk></gpx>',
      ].join('\n'),
  },
  kml: {
    type: 'application/vnd.google-earth.kml+xml',
    write: (name, fixes) =>
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><name>${text(name)}</name>`,
        ...piecesOf(fixes).map(
          (piece) =>
            `<Placemark><name>${text(name)}</name><gx:Track>${piece.map(({ time }) => `<when>${iso(time)}</when>`).join('')}${piece
              .map(({ lat, lng }) => `<gx:coord>${lng} ${lat} 0</gx:coord>`)
              .join('')}</gx:Track></Placemark>`,
        ),
        '</Document></kml>',
      ].join('\n'),
  },
  geojson: {
    type: 'application/geo+json',
    write: (name, fixes) =>
      JSON.stringify({
        type: 'Feature',
        properties: { name, times: fixes.map(({ time }) => iso(time)), speeds: fixes.map(({ speed }) => Math.round(speed)) },
        geometry: { type: 'MultiLineString', coordinates: piecesOf(fixes).map((piece) => piece.map(({ lat, lng }) => [lng, lat])) },
      }),
  },
  csv: {
    type: 'text/csv',
    write: (_, fixes) =>
      [
        'time,latitude,longitude,speed_kmh,course',
        ...fixes.map(({ time, lat, lng, speed, course }) => [iso(time), lat, lng, speed, course ?? ''].join(',')),
      ].join('\r\n'),
  },
}
