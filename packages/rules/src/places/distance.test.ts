import { expect, it } from 'vitest'
import { metresBetween } from './distance.ts'

it('measures one degree on the equator, and nothing between equal points', () => {
  expect(metresBetween({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 1 })).toBeCloseTo(111_194.93, 1)
  expect(metresBetween({ latitude: -1.29, longitude: 36.8 }, { latitude: -1.29, longitude: 36.8 })).toBe(0)
  expect(metresBetween({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 })).toBeCloseTo(Math.PI * 6_371_000, 0)
})
