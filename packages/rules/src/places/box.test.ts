import { box } from '@outpost/contract/box'
import { expect, test } from 'vitest'
import { boxAround, isInBox } from './box.ts'
import { metresBetween } from './distance.ts'

const at = (longitude: number, latitude: number) => ({ longitude, latitude })

test('a place on the edge of a box is inside', () => {
  expect([at(36.8, -1.3), at(36.9, -1.2), at(36.85, -1.25)].map((place) => isInBox([36.8, -1.3, 36.9, -1.2], place))).toEqual([
    true,
    true,
    true,
  ])
  expect(
    [at(36.79, -1.25), at(36.91, -1.25), at(36.85, -1.31), at(36.85, -1.19)].map((place) => isInBox([36.8, -1.3, 36.9, -1.2], place)),
  ).toEqual([false, false, false, false])
})

test('over the date line', () => {
  expect([at(179.5, -17), at(-179.5, -17), at(180, -17), at(-180, -17)].map((place) => isInBox([179, -20, -179, -15], place))).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect([at(178, -17), at(-178, -17), at(0, -17)].map((place) => isInBox([179, -20, -179, -15], place))).toEqual([false, false, false])
})

test('an invalid box is refused', () => {
  expect(
    [
      [36.8, -1.3, 36.9, -1.2],
      [179, -20, -179, -15],
      [-180, -90, 180, 90],
    ].map((value) => box.safeParse(value).success),
  ).toEqual([true, true, true])
  expect(
    [
      [36.8, -1.2, 36.9, -1.3],
      [181, 0, 182, 1],
      [0, 0, 1],
      [0, 0, 1, 1, 1],
      [0, 0, Number.NaN, 1],
      ['0', 0, 1, 1],
    ].map((value) => box.safeParse(value).success),
  ).toEqual([false, false, false, false, false, false])
})

test('the box around a path holds what is so near, and little more', () => {
  const path = [at(36.8, -1.3), at(36.9, -1.2)]
  const [west, south, east, north] = boxAround(path, 1_000)
  const gaps = [
    metresBetween(at(west, -1.3), at(36.8, -1.3)),
    metresBetween(at(36.8, south), at(36.8, -1.3)),
    metresBetween(at(east, -1.2), at(36.9, -1.2)),
    metresBetween(at(36.9, north), at(36.9, -1.2)),
  ]
  for (const gap of gaps) expect(gap).toBeCloseTo(1_002, -1)
  // Degrees of longitude are half as wide at 60 degrees.
  const [left, , right] = boxAround([at(10, 60)], 1_000)
  expect(metresBetween(at(left, 60), at(right, 60))).toBeCloseTo(2_003, -1)
})
