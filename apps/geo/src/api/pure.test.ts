import { Failure } from '@outpost/contract/errors'
import { expect, test } from 'vitest'
import { attributes, searchText, time } from './input.ts'
import { boxesAround } from './mapzoom.ts'
import { readPositionId } from './positions/fields.ts'
import { windowOf } from './trips/days.ts'

test('days are whole days of the company, the last one included, and clock changes make them shorter', () => {
  const nairobi = windowOf({ fromdate: '2026-11-01', todate: '2026-11-02' }, 'Africa/Nairobi')
  expect([nairobi.from.toISOString(), nairobi.until.toISOString()]).toEqual(['2026-10-31T21:00:00.000Z', '2026-11-02T21:00:00.000Z'])
  const berlin = windowOf({ fromdate: '2026-03-29', todate: '2026-03-29' }, 'Europe/Berlin')
  expect((berlin.until.getTime() - berlin.from.getTime()) / 3_600_000).toBe(23)
  for (const todate of ['2026-10-31', '2027-11-01']) expect(() => windowOf({ fromdate: '2026-11-01', todate }, 'UTC')).toThrow(Failure)
})

test('attributes are accepted by name, as {type, value} and as {t, v}', () => {
  expect(attributes.parse({ speed: 5, on: true })).toEqual({ speed: 5, on: true })
  expect(
    attributes.parse([
      { type: 'fuel', value: 40 },
      { t: 'colour', v: 'red' },
    ]),
  ).toEqual({ fuel: 40, colour: 'red' })
  for (const bad of [[{ value: 1 }], [1], 'x', { deep: { er: 1 } }]) expect(attributes.safeParse(bad).success).toBe(false)
})

test("the specification's wildcards match everything, and are stripped around a word", () => {
  expect([searchText({ search: '%%' }), searchText({}), searchText({ search: '%kaa 1%' })]).toEqual([undefined, undefined, 'kaa 1'])
})

test('times have an offset or are dates', () => {
  expect(time.parse('2026-11-22T10:00:00+03:00').toISOString()).toBe('2026-11-22T07:00:00.000Z')
  for (const bad of ['yesterday', '2026-11-22T10:00:00', '22/11/2026']) expect(time.safeParse(bad).success).toBe(false)
})

test('a tile includes its neighbours, across the antimeridian and at the edges of the map too', () => {
  const [[west, south, east, north]] = boxesAround({ zoom: 10, x: 617, y: 515 }) as [[number, number, number, number]]
  // Nairobi: 36.82 E, 1.29 S, in the middle tile of the nine.
  expect(west < 36.6 && east > 37.2 && south < -1.5 && north > -1.2).toBe(true)
  expect(east - west).toBeCloseTo((3 * 360) / 1_024, 9)
  expect(boxesAround({ zoom: 4, x: 0, y: 8 }).map(([from, , to]) => [from, to])).toEqual([
    [157.5, 180],
    [-180, -135],
  ])
  expect(boxesAround({ zoom: 4, x: 15, y: 0 }).map(([from, , to, top]) => [from, to, top])).toEqual([
    [135, 180, 90],
    [-180, -157.5, 90],
  ])
  expect(boxesAround({ zoom: 1, x: 0, y: 0 })).toEqual([[-180, -90, 180, 90]])
})

test('the id of a position contains its device and its time', () => {
  const id = '0199a4f0-0000-7000-8000-000000000001'
  expect(readPositionId(`${id}_1763805600123`)).toEqual({ deviceId: id, fixTime: new Date(1763805600123) })
  for (const bad of ['', id, `${id}_`, `x_1`, `${id}_1e3`]) expect(readPositionId(bad)).toBeUndefined()
})
