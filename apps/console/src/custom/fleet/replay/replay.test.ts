import { expect, test } from 'vitest'
import { exportsOf, firstAfter, ignitionSpans, piecesOf, placeAt, readingPath, speedPath, type Fix, type Reading } from './replay.ts'
import { partsOf } from './day.ts'

const at = (minutes: number, lng: number, speed = 60): Fix => ({ time: minutes * 60_000, lat: -1, lng, speed, course: 90 })
const day = [at(0, 36), at(1, 36.01), at(20, 36.2), at(21, 36.21, 0)]

test('between two fixes the vehicle is on the way between them, in a hole where it was last seen', () => {
  expect(placeAt(day, -1)).toBeUndefined()
  expect(placeAt(day, 30_000)).toEqual({ time: 30_000, lat: -1, lng: expect.closeTo(36.005, 6), speed: 60, course: 90 })
  expect(placeAt(day, 10 * 60_000)).toMatchObject({ lng: 36.01 })
  expect(placeAt(day, 99 * 60_000)).toMatchObject({ lng: 36.21, speed: 0 })
  expect([firstAfter(day, 0), firstAfter(day, 59_999), firstAfter(day, 1e9)]).toEqual([1, 1, 4])
})

test('a hole breaks the way, in the drawing and in the files', () => {
  expect(piecesOf(day).map((piece) => piece.length)).toEqual([2, 2])
  const gpx = exportsOf.gpx.write('KDA <1>', day)
  expect([gpx.match(/<trkseg>/g)?.length, gpx.includes('KDA &#60;1&#62;')]).toEqual([2, true])
  expect(JSON.parse(exportsOf.geojson.write('x', day)).geometry.coordinates[1]).toEqual([
    [36.2, -1],
    [36.21, -1],
  ])
  const kml = exportsOf.kml.write('KDA <1>', day)
  expect([kml.match(/<gx:Track>/g)?.length, kml.includes('<gx:coord>36 -1 0</gx:coord>'), kml.includes('<name>KDA &#60;1&#62;')]).toEqual([
    2,
    true,
    true,
  ])
  expect(exportsOf.csv.write('x', day).split('\r\n')[1]).toBe('1970-01-01T00:00:00.000Z,-1,36,60,90')
})

test('the strip holds the fastest of each pixel', () => {
  expect(speedPath([at(0, 36, 10), at(0, 36, 60), at(10, 36, 0)], { from: 0, to: 600_000, width: 100, height: 64 })).toBe('M0 4.0L100 64.0')
})

test('a silence breaks the strip; what is alone between two of them is a dash', () => {
  const strip = { from: 0, to: 6_000_000, width: 100, height: 64 }
  const day = [at(0, 36, 60), at(10, 36, 30), at(40, 36, 60), at(70, 36, 0), at(80, 36, 60)]
  expect(speedPath(day, strip)).toBe('M0 4.0L10 34.0M40 4.0h1M70 64.0L80 4.0')
  // Of a sketch nobody knows whether there was a message.
  expect(speedPath(day, strip, true)).toBe('M0 4.0L10 34.0L40 4.0L70 64.0L80 4.0')
  const readings = [told(0, { power: 12 }), told(10, { power: 14 }), told(12, {}), told(40, { power: 12 })]
  expect(readingPath(readings, 'power', { ...strip, height: 40 })?.path).toBe('M0 37.0L10 3.0M40 37.0h1')
})

const told = (minutes: number, more: Partial<Reading>): Reading => ({
  time: minutes * 60_000,
  ignition: null,
  power: null,
  fuel: null,
  ...more,
})

test('the ignition is on from its first word to the next, and until the last message where nobody says off', () => {
  expect(
    ignitionSpans([
      told(0, { ignition: true }),
      told(1, {}),
      told(2, { ignition: true }),
      told(3, { ignition: false }),
      told(5, { ignition: true }),
      told(7, { ignition: true }),
      told(9, {}),
    ]),
  ).toEqual([
    { from: 0, to: 180_000 },
    { from: 300_000, to: 420_000 },
  ])
  // Nobody knows of the silence whether it ran.
  const [first, second] = [told(0, { ignition: true }), told(10, { ignition: true })]
  const minutes = (from: number, to: number) => ({ from: from * 60_000, to: to * 60_000 })
  expect(ignitionSpans([first, second, told(60, { ignition: true }), told(65, { ignition: false })])).toEqual([
    minutes(0, 10),
    minutes(60, 65),
  ])
  expect(ignitionSpans([first, second, told(60, { ignition: false })])).toEqual([minutes(0, 10)])
})

test('a reading is drawn between its lowest and highest value, and not at all from one message', () => {
  const strip = { from: 0, to: 600_000, width: 100, height: 40 }
  expect(readingPath([told(0, { power: 12 }), told(5, { power: 14 }), told(10, { power: 13 })], 'power', strip)).toEqual({
    path: 'M0 37.0L50 3.0L100 20.0',
    lowest: 12,
    highest: 14,
  })
  expect(readingPath([told(0, { power: 12 })], 'power', strip)).toBeUndefined()
})

test('the parts of a day are the day: whole, in order, and no moment twice', () => {
  const day = { from: '2026-11-24T21:00:00.000Z', to: '2026-11-25T20:59:59.999Z' }
  const parts = partsOf(day, 6)
  expect(parts).toHaveLength(6)
  expect([parts[0]!.from, parts.at(-1)!.to]).toEqual([day.from, day.to])
  for (const [index, { from }] of parts.entries()) if (index > 0) expect(Date.parse(from) - Date.parse(parts[index - 1]!.to)).toBe(1)
  const moment = { from: day.from, to: day.from }
  expect(partsOf(moment, 6)).toEqual([moment])
})
