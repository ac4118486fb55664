import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { integrityLimits, checkPosition, type TrackPoint } from './integrity.ts'

const start = Date.parse('2026-11-21T08:00:00Z')
const at = (minutes: number, over: Partial<TrackPoint> = {}): TrackPoint => ({
  latitude: -1.28,
  longitude: 36.82,
  accuracy: 10,
  source: 'live',
  at: start + minutes * 60_000,
  ...over,
})
const mombasa = { latitude: -4.05, longitude: 39.67 }

describe('doubts about a position', () => {
  it('Nairobi to Mombasa in ten minutes is a teleport, in five hours it is not', () => {
    expect(checkPosition({ earlier: [at(0)], point: at(10, mombasa) })).toEqual(['teleport'])
    expect(checkPosition({ earlier: [at(0)], point: at(300, mombasa) })).toEqual([])
  })

  it('a reused fix neither jumps nor is jumped from', () => {
    expect(checkPosition({ earlier: [at(0)], point: at(1, { ...mombasa, source: 'cached' }) })).toEqual([])
    expect(checkPosition({ earlier: [at(0, { ...mombasa, source: 'cached' })], point: at(1) })).toEqual([])
  })

  it('two bad fixes of one place are not a journey', () => {
    expect(checkPosition({ earlier: [at(0, { accuracy: 3_000 })], point: at(0.5, { latitude: -1.3, accuracy: 500 }) })).toEqual([])
  })

  it('the same coordinates ten times are flagged, nine times not', () => {
    const same = Array.from({ length: integrityLimits.identical - 1 }, (_, index) => at(index))
    expect(checkPosition({ earlier: same, point: at(20) })).toEqual(['identical'])
    expect(checkPosition({ earlier: same.slice(1), point: at(20) })).toEqual([])
    expect(checkPosition({ earlier: same, point: at(20, { latitude: -1.280001 }) })).toEqual([])
  })

  it('an accuracy of 9999 and a clock more than ten minutes off are flagged', () => {
    expect(checkPosition({ earlier: [], point: at(0, { accuracy: 9_999, source: 'cached_old' }) })).toEqual(['inaccurate'])
    for (const skewMs of [600_001, -600_001]) expect(checkPosition({ earlier: [], point: at(0), skewMs })).toEqual(['clock_skew'])
    expect(checkPosition({ earlier: [], point: at(0), skewMs: 600_000 })).toEqual([])
  })

  it('movement below the limit is never doubted', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 190, noNaN: true }), fc.double({ min: 0.1, max: 60, noNaN: true }), (kmh, minutes) => {
        const degrees = (kmh * minutes) / 60 / 111.3
        expect(checkPosition({ earlier: [at(0)], point: at(minutes, { latitude: -1.28 + degrees }) })).toEqual([])
      }),
    )
  })
})
