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

/** A silence longer than this is a hole: the same that trips are cut by (geo/src/motion/settings.ts). */
const silenceMs = 900_000

/** Where the vehicle was at a moment: on the straight way between two fixes; nowhere before the first. Holes are not bridged. */
export function placeAt(fixes: readonly Fix[], time: number): Fix | undefined {
  const after = firstAfter(fixes, time)
  const [from, to] = [fixes[after - 1], fixes[after]]
  if (!from) return undefined
  if (!to || to.time - from.time > silenceMs) return { ...from, time }
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

/** The way in pieces: a hole begins another. */
export function piecesOf(fixes: readonly Fix[]): Fix[][] {
  const pieces: Fix[][] = []
  for (const [index, fix] of fixes.entries()) {
    const before = fixes[index - 1]
    if (!before || fix.time - before.time > silenceMs) pieces.push([])
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

const columnOf = (time: number, { from, to, width }: Strip): number => Math.round(((time - from) / Math.max(1, to - from)) * width)

/** Columns of the first value after each silence: a line through a silence would show values that nobody reported. */
function columnsAfterSilence<Row extends { time: number }>(
  rows: readonly Row[],
  strip: Strip,
  hasValue: (row: Row) => boolean = () => true,
): ReadonlySet<number> {
  const columns = new Set<number>()
  let isAfter = false
  for (const [index, row] of rows.entries()) {
    isAfter ||= row.time - (rows[index - 1]?.time ?? row.time) > silenceMs
    if (!isAfter || !hasValue(row)) continue
    columns.add(columnOf(row.time, strip))
    isAfter = false
  }
  return columns
}

/** A line through the points, from left to right, that begins anew at each of these columns; a point alone is a dash. */
function pathOf(points: readonly (readonly [x: number, y: number])[], starts: ReadonlySet<number>): string {
  const isStart = (index: number) => index === 0 || starts.has(points[index]?.[0] ?? 0)
  return points
    .map(([x, y], index) => {
      const isAlone = isStart(index) && (index + 1 === points.length || isStart(index + 1))
      return `${isStart(index) ? 'M' : 'L'}${x} ${y.toFixed(1)}${isAlone ? 'h1' : ''}`
    })
    .join('')
}

/** An SVG path of a reading over the day between its lowest and highest value, and these two; undefined when there are fewer than two values. */
export function readingPath(
  readings: readonly Reading[],
  key: 'power' | 'fuel',
  strip: Strip,
): { path: string; lowest: number; highest: number } | undefined {
  const byColumn = new Map<number, number>()
  for (const { time, [key]: value } of readings) if (value !== null) byColumn.set(columnOf(time, strip), value)
  if (byColumn.size < 2) return undefined
  const values = [...byColumn.values()]
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const y = (value: number) => strip.height - 3 - ((value - lowest) / Math.max(0.01, highest - lowest)) * (strip.height - 6)
  const points = [...byColumn].toSorted(([a], [b]) => a - b).map(([x, value]) => [x, y(value)] as const)
  const starts = columnsAfterSilence(readings, strip, (reading) => reading[key] !== null)
  return { path: pathOf(points, starts), lowest, highest }
}

/** The spans with the ignition on; one without a reported end ends with its last message, as does one that a silence interrupts. */
export function ignitionSpans(readings: readonly Reading[]): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = []
  let from: number | undefined
  let [last, heard] = [0, 0]
  for (const { time, ignition } of readings) {
    const isHole = time - heard > silenceMs
    if (from !== undefined && (isHole || ignition === false)) {
      spans.push({ from, to: isHole ? heard : time })
      from = undefined
    }
    if (ignition) from ??= time
    if (ignition !== null) last = time
    heard = time
  }
  return from === undefined ? spans : [...spans, { from, to: last }]
}

/** An SVG path of the speed over the day; at most one point a pixel, the fastest of it. A sketch leaves out messages, so its holes say nothing. */
export function speedPath(fixes: readonly Fix[], strip: Strip, isSketch = false): string {
  const fastest = new Map<number, number>()
  for (const { time, speed } of fixes) {
    const column = columnOf(time, strip)
    fastest.set(column, Math.max(fastest.get(column) ?? 0, speed))
  }
  const top = Math.max(60, ...fastest.values())
  const points = [...fastest]
    .toSorted(([a], [b]) => a - b)
    .map(([x, speed]) => [x, strip.height - (speed / top) * (strip.height - 4)] as const)
  return pathOf(points, columnsAfterSilence(isSketch ? [] : fixes, strip))
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
