import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minuteOf } from '../time-zone.ts'
import { quietUntil } from './quiet-hours.ts'

const night = { from: 21, until: 7, timeZone: 'Africa/Nairobi' }
const at = (text: string) => Date.parse(`${text}+03:00`)

describe('quiet hours', () => {
  it.each([
    ['2026-11-24T20:59', null],
    ['2026-11-24T21:00', '2026-11-25T07:00'],
    ['2026-11-25T00:30', '2026-11-25T07:00'],
    ['2026-11-25T06:59', '2026-11-25T07:00'],
    ['2026-11-25T07:00', null],
  ])('at %s end at %s', (now, end) => expect(quietUntil(at(now), night)).toBe(end && at(end)))

  it('may be in the middle of the day, or none', () => {
    expect(quietUntil(at('2026-11-24T12:30'), { ...night, from: 12, until: 14 })).toBe(at('2026-11-24T14:00'))
    expect(quietUntil(at('2026-11-24T14:00'), { ...night, from: 12, until: 14 })).toBeNull()
    expect(quietUntil(at('2026-11-24T12:30'), { ...night, from: 12, until: 12 })).toBeNull()
  })

  it('end within a day, on the full hour, and never in quiet hours', () => {
    const hour = fc.integer({ min: 0, max: 23 })
    const zone = fc.constantFrom('Africa/Nairobi', 'Africa/Lagos', 'Asia/Kolkata')
    fc.assert(
      fc.property(hour, hour, zone, fc.integer({ min: 1.7e12, max: 1.9e12 }), (from, until, timeZone, now) => {
        const end = quietUntil(now, { from, until, timeZone })
        if (end === null) return
        expect(end - now).toBeGreaterThan(0)
        expect(end - now).toBeLessThanOrEqual(24 * 3_600_000)
        expect(minuteOf(end, timeZone)).toBe(until * 60)
        expect(quietUntil(end, { from, until, timeZone })).toBeNull()
      }),
    )
  })
})
