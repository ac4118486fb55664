import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fleetVectors } from '../../../../tests/support/fleet-vectors.ts'
import { withoutRollover } from './rollover.ts'

const week = 7 * 24 * 3_600_000
const now = Date.parse('2026-11-21T12:00:00Z')

describe('dates of devices whose GPS weeks started again', () => {
  it('brings a date of one cycle back to today, and one of two cycles too', () => {
    expect(withoutRollover(now - 1024 * week, now)).toBe(now)
    expect(withoutRollover(now - 2048 * week - 5_000, now)).toBe(now - 5_000)
  })

  it('does not change days, years and the future', () => {
    for (const time of [now, now - 3 * 365 * 86_400_000, now + week, now - (1024 * week - 90 * 86_400_000)])
      expect(withoutRollover(time, now)).toBe(time)
  })

  it('does not change the GPS epoch and dates before it', () => {
    for (const time of [Date.parse('1980-01-06T00:00:00Z'), 0, -1]) expect(withoutRollover(time, now)).toBe(time)
  })

  it('never moves a date beyond 90 days from now, and moves whole cycles only', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1980, 0, 7), max: now }), (time) => {
        const moved = withoutRollover(time, now)
        expect((moved - time) % (1024 * week)).toBe(0)
        expect(moved - now).toBeLessThanOrEqual(90 * 86_400_000)
        expect(now - moved).toBeLessThanOrEqual(1024 * week - 90 * 86_400_000)
      }),
    )
  })
})

const file = fleetVectors() as { gpsWeekRollover: { now: string; cases: { input: string }[] } } | null

describe.skipIf(!file)('third-party cases (../shared/fleet-vectors.json)', () => {
  it('agrees with them', () => {
    const then = Date.parse(file?.gpsWeekRollover.now ?? '')
    expect(file?.gpsWeekRollover.cases.map(({ input }) => input)).toEqual(['now - 1024 weeks', '1980-01-06T00:00:00Z'])
    expect(withoutRollover(then - 1024 * week, then)).toBe(then)
    expect(withoutRollover(Date.parse('1980-01-06T00:00:00Z'), then)).toBe(Date.parse('1980-01-06T00:00:00Z'))
  })
})
