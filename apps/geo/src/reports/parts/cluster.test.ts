import fc from 'fast-check'
import { expect, test } from 'vitest'
import { metresBetween, type Point } from '@outpost/rules/places/distance'
import { clustersOf } from './cluster.ts'

/** Groups found by comparing everything with everything. */
function plainly(points: readonly Point[], radius: number): number[][] {
  const group = points.map((_, index) => index)
  for (let changed = true; changed;) {
    changed = false
    for (let a = 0; a < points.length; a += 1) {
      for (let b = 0; b < a; b += 1) {
        if (group[a] === group[b] || metresBetween(points[a]!, points[b]!) > radius) continue
        const [from, to] = [group[a], group[b]]
        group.forEach((one, index) => {
          if (one === from) group[index] = to!
        })
        changed = true
      }
    }
  }
  return [...Map.groupBy(points.keys(), (index) => group[index]!).values()].filter(({ length }) => length > 1)
}

const inOrder = (groups: readonly number[][]) => groups.map((group) => group.toSorted((a, b) => a - b)).toSorted((a, b) => a[0]! - b[0]!)

test('finds the same groups as a full comparison, at the equator, near the pole and across the date line', () => {
  const centre = fc.constantFrom<Point>(
    { latitude: -1.2864, longitude: 36.8172 },
    { latitude: 0, longitude: 0 },
    { latitude: 69.65, longitude: 18.96 },
    { latitude: -17.8, longitude: 180 },
    { latitude: -33.9, longitude: 18.4 },
  )
  const offset = fc.record({
    north: fc.double({ min: -600, max: 600, noNaN: true }),
    east: fc.double({ min: -600, max: 600, noNaN: true }),
  })
  fc.assert(
    fc.property(centre, fc.array(offset, { maxLength: 60 }), ({ latitude, longitude }, offsets) => {
      const points = offsets.map(({ north, east }): Point => {
        const at = longitude + east / (111_194.9 * Math.cos((latitude * Math.PI) / 180))
        return { latitude: latitude + north / 111_194.9, longitude: at > 180 ? at - 360 : at }
      })
      expect(inOrder(clustersOf(points, 75))).toEqual(inOrder(plainly(points, 75)))
    }),
    { numRuns: 300 },
  )
})

test('thousands of stops in one yard are one group, and a single one is none', () => {
  const yard = Array.from({ length: 20_000 }, (_, index): Point => ({
    latitude: -1.3 + (index % 40) * 1e-6,
    longitude: 36.8 + (index % 7) * 1e-6,
  }))
  expect(clustersOf([...yard, { latitude: 2, longitude: 2 }], 75).map(({ length }) => length)).toEqual([20_000])
})
