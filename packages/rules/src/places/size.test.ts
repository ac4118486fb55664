import { expect, test } from 'vitest'
import { lineMetres, ringSquareMetres, sizeOfShape } from './size.ts'

const square = (west: number, south: number, side: number) => [
  west,
  south,
  west + side,
  south,
  west + side,
  south + side,
  west,
  south + side,
  west,
  south,
]
const metresPerDegree = (6_371_000 * Math.PI) / 180

test('a square of a hundredth of a degree at the equator is 1.11 km wide, whichever way round its corners go', () => {
  const side = 0.01 * metresPerDegree
  const ring = square(36.8, -0.005, 0.01)
  expect(ringSquareMetres(ring)).toBeCloseTo(side ** 2, -1)
  const back = Array.from({ length: 5 }, (_, at) => ring.slice(8 - 2 * at, 10 - 2 * at)).flat()
  expect(ringSquareMetres(back)).toBeCloseTo(side ** 2, -1)
  expect(lineMetres(ring)).toBeCloseTo(4 * side, 0)
})

test('a hole takes its area away and adds its edge', () => {
  const outline = square(36.8, -1.3, 0.01)
  const hole = square(36.804, -1.296, 0.002)
  const whole = sizeOfShape('polygon', [outline], 0)
  const ringed = sizeOfShape('polygon', [outline, hole], 0)
  expect(whole.squareMetres - ringed.squareMetres).toBeCloseTo(ringSquareMetres(hole), 3)
  expect(ringed.squareMetres / whole.squareMetres).toBeCloseTo(0.96, 3)
  expect(ringed.edgeMetres - whole.edgeMetres).toBeCloseTo(lineMetres(hole), 6)
})

test('a circle and a corridor', () => {
  expect(sizeOfShape('circle', [[36.8, -1.3]], 100)).toEqual({ squareMetres: Math.PI * 10_000, edgeMetres: 200 * Math.PI })
  const line = [36.8, 0, 36.81, 0]
  const { squareMetres, edgeMetres } = sizeOfShape('route', [line], 50)
  expect(edgeMetres).toBeCloseTo(0.01 * metresPerDegree, 3)
  expect(squareMetres).toBeCloseTo(edgeMetres * 100 + Math.PI * 2_500, 3)
})
