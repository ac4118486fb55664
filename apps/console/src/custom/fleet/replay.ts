/** A moment of a day that is replayed; ms since 1970, km/h, degrees. */
export interface Fix {
  time: number
  lat: number
  lng: number
  speed: number
  course: number | null
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

/** An SVG path of the speed over the day, `width` by `height`; at most one point a pixel, the fastest of it. */
export function speedPath(
  fixes: readonly Fix[],
  { from, to, width, height }: { from: number; to: number; width: number; height: number },
): string {
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
  Record<'gpx' | 'geojson' | 'csv', { type: string; write: (name: string, fixes: readonly Fix[]) => string }>
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
