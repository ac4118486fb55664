import fc from 'fast-check'
import { expect, it } from 'vitest'
import { metresToPath } from '@outpost/rules/routes/route-track'
import { decodePolyline, encodePolyline, simplify } from './polyline.ts'

const place = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})
const near = fc.record({
  latitude: fc.double({ min: -1.3, max: -1.2, noNaN: true }),
  longitude: fc.double({ min: 36.8, max: 36.9, noNaN: true }),
})

it("writes the line of the format's own example", () => {
  expect(
    encodePolyline([
      { latitude: 38.5, longitude: -120.2 },
      { latitude: 40.7, longitude: -120.95 },
      { latitude: 43.252, longitude: -126.453 },
    ]),
  ).toBe('_p~iF~ps|U_ulLnnqC_mqNvxq`@')
  expect(encodePolyline([])).toBe('')
})

it('reads what it wrote, to five digits', () => {
  fc.assert(
    fc.property(fc.array(place), (places) => {
      const back = decodePolyline(encodePolyline(places))
      expect(back).toHaveLength(places.length)
      for (const [index, { latitude, longitude }] of places.entries()) {
        expect(back[index]?.latitude).toBeCloseTo(latitude, 4)
        expect(back[index]?.longitude).toBeCloseTo(longitude, 4)
      }
    }),
  )
})

it('leaves out only places that lie within the tolerance of the line, and keeps both ends', () => {
  fc.assert(
    fc.property(fc.array(near, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 2_000 }), (places, tolerance) => {
      const kept = simplify(places, tolerance)
      expect([kept[0], kept.at(-1)]).toEqual([places[0], places.at(-1)])
      for (const one of places) expect(metresToPath(one, kept)).toBeLessThanOrEqual(tolerance + 0.01)
    }),
  )
  expect(
    simplify(
      [
        { latitude: 0, longitude: 0 },
        { latitude: 0, longitude: 1 },
        { latitude: 0, longitude: 2 },
      ],
      5,
    ),
  ).toHaveLength(2)
})
