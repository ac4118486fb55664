import { expect, test } from 'vitest'
import { redo, startHistory, step, undo } from './history.ts'
import { areaOf, ringsOf, sizeOf, snapLinesOf } from './shape.ts'
import { areasOf, bandOf, type Fence, type GeoShape, type Position } from './fences.ts'

const outline: Position[] = [
  [36.8, -1.3],
  [36.81, -1.3],
  [36.81, -1.29],
  [36.8, -1.3],
]
const hole: Position[] = [
  [36.806, -1.298],
  [36.808, -1.298],
  [36.808, -1.296],
  [36.806, -1.298],
]
const ringed: Fence = {
  id: 'a',
  name: 'Yard',
  type: 'geofence',
  shape: 'polygon',
  area: { type: 'Polygon', coordinates: [outline, hole] },
  radius: null,
}

test('rings become GeoJSON and come back, holes too', () => {
  const rings = ringsOf(ringed.area)
  expect(rings.map((ring) => ring.length)).toEqual([3, 3])
  expect(areaOf(rings, 'polygon')).toEqual(ringed.area)
  const line: GeoShape = { type: 'LineString', coordinates: outline.slice(0, 3) }
  expect(areaOf(ringsOf(line), 'route')).toEqual(line)
})

test('a hole is left open on the map, and makes the area smaller', () => {
  expect(areasOf([ringed])[0]).toMatchObject({
    holes: [
      [
        [-1.298, 36.806],
        [-1.298, 36.808],
        [-1.296, 36.808],
      ],
    ],
  })
  const size = (area: Fence['area']) => sizeOf({ shape: 'polygon', rings: ringsOf(area), radius: null })!.squareMetres
  expect(size(ringed.area) / size({ type: 'Polygon', coordinates: [outline] })).toBeCloseTo(0.96, 3)
  expect(sizeOf({ shape: 'polygon', rings: [], radius: null })).toBeUndefined()
})

test('corners snap to other fences, not to the one in hand', () => {
  expect(snapLinesOf([ringed], undefined)).toHaveLength(2)
  expect(snapLinesOf([ringed], 'a')).toEqual([])
})

test('steps are taken back and done again; a new step ends what was taken back', () => {
  const three = step(step(startHistory(1), 2), 3)
  expect(undo(undo(three)).now).toBe(1)
  expect(undo(undo(undo(three)))).toEqual({ past: [], now: 1, future: [2, 3] })
  expect(redo(undo(three))).toEqual(three)
  expect(step(undo(three), 4)).toEqual({ past: [1, 2], now: 4, future: [] })
  expect(redo(three)).toBe(three)
})

test('a corridor is a band of its width along its line, and bends with it', () => {
  const straight = bandOf(
    [
      [36.8, 0],
      [36.9, 0],
    ],
    1_000,
  )
  const side = 1_000 / 111_195
  expect(straight.map((place) => place.map((degrees) => Number(degrees.toFixed(4))))).toEqual(
    [
      [side, 36.8],
      [side, 36.9],
      [-side, 36.9],
      [-side, 36.8],
    ].map((place) => place.map((degrees) => Number(degrees.toFixed(4)))),
  )
  // At a right angle the outer corner is as far from both lines as the sides are.
  const [, corner] = bandOf(
    [
      [36.8, 0],
      [36.9, 0],
      [36.9, -0.1],
    ],
    1_000,
  )
  expect(corner?.[0]).toBeCloseTo(side, 4)
  expect(corner?.[1]).toBeCloseTo(36.9 + side, 4)
})
