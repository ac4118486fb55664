import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { officeHours, type WorkingTime } from '../calendar/working-time.ts'
import { allowedMinutes, dueAt, elapsedMinutes } from './complaint-clocks.ts'

const time: WorkingTime = { shifts: officeHours, holidays: new Set(['2026-12-25']), timeZone: 'Africa/Johannesburg' }
const at = (text: string) => Date.parse(`${text}+02:00`)

describe('the clocks of a complaint', () => {
  it('pause while it waits for the client, and at night', () => {
    const start = at('2026-11-23T09:00')
    const pauses = [{ start: at('2026-11-23T10:00'), end: at('2026-11-24T16:00') }]
    expect(elapsedMinutes(start, at('2026-11-24T17:00'), { time, pauses })).toBe(120)
    expect(dueAt(start, 120, { time, pauses, now: at('2026-11-25T12:00') })).toBe(at('2026-11-24T17:00'))
    expect(dueAt(start, 121, { time, pauses, now: at('2026-11-25T12:00') })).toBe(at('2026-11-25T08:01'))
  })

  it('move on with a pause that lasts, and overlapping pauses count once', () => {
    const start = at('2026-11-23T09:00')
    const pauses = [
      { start: at('2026-11-23T10:00'), end: at('2026-11-23T12:00') },
      { start: at('2026-11-23T11:00'), end: null },
    ]
    expect(elapsedMinutes(start, at('2026-11-23T16:00'), { time, pauses })).toBe(60)
    expect(dueAt(start, 90, { time, pauses, now: at('2026-11-23T16:00') })).toBe(at('2026-11-23T16:30'))
    // What was over before the pause began stays over.
    expect(dueAt(start, 30, { time, pauses, now: at('2026-11-23T16:00') })).toBe(at('2026-11-23T09:30'))
  })

  it('give a critical complaint a quarter of the time', () => {
    const times = { firstResponseHours: 8, resolutionDays: 5 }
    expect(allowedMinutes('Medium', times, time)).toEqual({ firstResponse: 480, resolution: 2_700 })
    expect(allowedMinutes('Critical', times, time)).toEqual({ firstResponse: 120, resolution: 675 })
  })

  it('have run out exactly when they are due, whatever paused them', () => {
    const moment = fc
      .integer({ min: at('2026-01-01T00:00') / 60_000, max: at('2026-12-01T00:00') / 60_000 })
      .map((minutes) => minutes * 60_000)
    const pause = fc
      .tuple(moment, fc.integer({ min: 1, max: 20_000 }))
      .map(([start, minutes]) => ({ start, end: start + minutes * 60_000 }))
    fc.assert(
      fc.property(moment, fc.array(pause, { maxLength: 4 }), fc.integer({ min: 1, max: 5_000 }), (start, pauses, minutes) => {
        const due = dueAt(start, minutes, { time, pauses, now: at('2028-01-01T00:00') })
        expect(elapsedMinutes(start, due, { time, pauses })).toBeCloseTo(minutes, 6)
      }),
      { numRuns: 60 },
    )
  })
})
