import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayOf, minuteOf } from '../time-zone.ts'
import { addWorkingMinutes, calendarOf, minutesOfDay, officeHours, workingMinutesBetween, type WorkingTime } from './working-time.ts'
import { isWorkingDay, weekdayOf } from './working-days.ts'

const nairobi: WorkingTime = { shifts: officeHours, holidays: new Set(), timeZone: 'Africa/Nairobi' }
const at = (text: string) => Date.parse(text)

describe('working time', () => {
  it('passes on working days between opening and closing alone', () => {
    // Friday 16:00 to Monday 09:30 in Nairobi.
    expect(workingMinutesBetween(at('2026-11-20T16:00+03:00'), at('2026-11-23T09:30+03:00'), nairobi)).toBe(150)
    expect(addWorkingMinutes(at('2026-11-20T16:00+03:00'), 150, nairobi)).toBe(at('2026-11-23T09:30+03:00'))
    expect(addWorkingMinutes(at('2026-11-21T12:00+03:00'), 1, nairobi)).toBe(at('2026-11-23T08:01+03:00'))
  })

  it('stops on a holiday, and ends where the working day ends', () => {
    const withHoliday = { ...nairobi, holidays: new Set(['2026-12-25']) }
    expect(addWorkingMinutes(at('2026-12-24T16:30+03:00'), 30, withHoliday)).toBe(at('2026-12-24T17:00+03:00'))
    expect(addWorkingMinutes(at('2026-12-24T16:30+03:00'), 31, withHoliday)).toBe(at('2026-12-28T08:01+03:00'))
  })

  it('is as long as the clock says on the days when it is changed', () => {
    const around = {
      shifts: [7].map((weekday) => ({ weekday, from: 0, to: 1_440 })),
      holidays: new Set<string>(),
      timeZone: 'Europe/Berlin',
    }
    expect(workingMinutesBetween(at('2026-03-28T00:00+01:00'), at('2026-03-31T00:00+02:00'), around)).toBe(23 * 60)
    expect(workingMinutesBetween(at('2026-10-24T00:00+02:00'), at('2026-10-27T00:00+01:00'), around)).toBe(25 * 60)
    // Opening hours are on the clock of the wall: an hour earlier in UTC once summer time holds.
    const berlin = { ...nairobi, timeZone: 'Europe/Berlin' }
    expect(addWorkingMinutes(at('2026-03-27T17:00+01:00'), 1, berlin)).toBe(at('2026-03-30T08:01+02:00'))
  })

  it('needs hours of work to end somewhere', () => {
    expect(() => addWorkingMinutes(at('2026-01-01T00:00Z'), 1, { ...nairobi, shifts: [] })).toThrow(RangeError)
    expect(minutesOfDay(nairobi)).toBe(540)
  })

  const zone = fc.constantFrom('Africa/Nairobi', 'Europe/Berlin', 'Africa/Cairo', 'America/St_Johns', 'Africa/Johannesburg')
  const shifts = fc
    .array(
      fc.record({
        weekday: fc.integer({ min: 1, max: 7 }),
        cuts: fc.uniqueArray(fc.integer({ min: 0, max: 48 }), { minLength: 2, maxLength: 4 }),
      }),
      {
        minLength: 1,
        maxLength: 7,
      },
    )
    .map((days) =>
      [...new Map(days.map((day) => [day.weekday, day])).values()].flatMap(({ weekday, cuts }) => {
        const [a = 0, b = 0, c, d] = cuts.toSorted((one, two) => one - two).map((half) => half * 30)
        return [{ weekday, from: a, to: b }, ...(c !== undefined && d !== undefined ? [{ weekday, from: c, to: d }] : [])]
      }),
    )
  const moment = fc
    .integer({ min: at('2025-01-01T00:00Z') / 60_000, max: at('2027-12-31T00:00Z') / 60_000 })
    .map((minutes) => minutes * 60_000)
  const time = fc.record({
    shifts,
    timeZone: zone,
    holidays: fc.array(moment, { maxLength: 20 }).map((days) => new Set(days.map((one) => dayOf(one, 'UTC')))),
  })
  const span = fc.integer({ min: 0, max: 20 * 1_440 })

  it('adds up, never runs backwards, and is undone by its inverse', () => {
    fc.assert(
      fc.property(time, moment, span, span, fc.integer({ min: 1, max: 6_000 }), (when, start, one, two, minutes) => {
        const [middle, end] = [start + one * 60_000, start + (one + two) * 60_000]
        const [first, second] = [workingMinutesBetween(start, middle, when), workingMinutesBetween(middle, end, when)]
        expect(first).toBeGreaterThanOrEqual(0)
        expect(first).toBeLessThanOrEqual(one)
        expect(workingMinutesBetween(start, end, when)).toBeCloseTo(first + second, 6)
        const due = addWorkingMinutes(start, minutes, when)
        expect(workingMinutesBetween(start, due, when)).toBeCloseTo(minutes, 6)
        // It is the first such moment: a minute earlier less has passed.
        expect(workingMinutesBetween(start, due - 60_000, when)).toBeLessThan(minutes)
      }),
      { numRuns: 60 },
    )
  })

  it('agrees with looking at every minute', () => {
    fc.assert(
      fc.property(time, moment, fc.integer({ min: 0, max: 2_000 }), (when, start, minutes) => {
        // The hour that a clock change gives twice is one stretch or none: leave the days of a change to the vectors above.
        const end = start + minutes * 60_000
        const isChanged = offsetOf(start - 86_400_000, when.timeZone) !== offsetOf(end + 86_400_000, when.timeZone)
        fc.pre(!isChanged)
        let worked = 0
        for (let now = start; now < end; now += 60_000) {
          const [day, minute] = [dayOf(now, when.timeZone), minuteOf(now, when.timeZone)]
          const isOpen = when.shifts.some(({ weekday, from, to }) => weekday === weekdayOf(day) && from <= minute && minute < to)
          if (isOpen && isWorkingDay(day, calendarOf(when))) worked += 1
        }
        expect(workingMinutesBetween(start, end, when)).toBeCloseTo(worked, 6)
      }),
      { numRuns: 40 },
    )
  })
})

function offsetOf(time: number, timeZone: string): string | undefined {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(time)
  return parts.find(({ type }) => type === 'timeZoneName')?.value
}
