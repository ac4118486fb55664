import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { periodAround, periodBefore, progressOf, achievementOf } from './target-period.ts'
import { mondayToFriday } from '../calendar/working-days.ts'

const calendar = { week: mondayToFriday, holidays: new Set<string>() }
const november = { startDate: '2026-11-01', endDate: '2026-11-30' }

describe('the period of a target', () => {
  it.each([
    ['month', '2024-02-17', '2024-02-01', '2024-02-29'],
    ['quarter', '2026-11-21', '2026-10-01', '2026-12-31'],
    ['quarter', '2026-01-01', '2026-01-01', '2026-03-31'],
    ['week', '2026-11-22', '2026-11-16', '2026-11-22'],
  ] as const)('%s around %s is %s to %s', (kind, day, startDate, endDate) =>
    expect(periodAround(kind, day)).toEqual({ startDate, endDate }),
  )

  it('has one before it', () => {
    expect(periodBefore('month', { startDate: '2026-03-01', endDate: '2026-03-31' })).toEqual({
      startDate: '2026-02-01',
      endDate: '2026-02-28',
    })
    expect(periodBefore('custom', { startDate: '2026-03-11', endDate: '2026-03-20' })).toEqual({
      startDate: '2026-03-01',
      endDate: '2026-03-10',
    })
  })
})

describe('status of a target', () => {
  it('uses working days for the expected amount', () => {
    const achievement = achievementOf({ value: 42, actual: 30, period: november, today: '2026-11-20', calendar })
    expect(achievement).toEqual({ attainment: 71.4, expected: 30, variance: 0, projected: 42, workingDays: 21, workingDaysPassed: 15 })
  })
  it('expects nothing before it starts and all once it is over', () => {
    expect(achievementOf({ value: 10, actual: 0, period: november, today: '2026-10-30', calendar })).toMatchObject({
      expected: 0,
      projected: null,
    })
    expect(achievementOf({ value: 10, actual: 4, period: november, today: '2026-12-24', calendar })).toMatchObject({
      expected: 10,
      variance: -6,
      projected: 4,
    })
  })
  it('never expects more than the whole, nor less than the day before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 10_000 }), (days, value) => {
        const on = (offset: number) =>
          achievementOf({
            value,
            actual: 0,
            period: november,
            calendar,
            today: new Date(Date.UTC(2026, 9, 15 + offset)).toISOString().slice(0, 10),
          }).expected
        expect(on(days)).toBeGreaterThanOrEqual(on(days - 1))
        expect(on(days)).toBeLessThanOrEqual(value)
      }),
    )
  })
})

describe('the way to a target', () => {
  it('adds up what was done and expects by working days; days to come have done nothing', () => {
    // Friday to Monday: the weekend expects nothing more.
    const amounts = [3, 0.1, 0.2, 4].map((amount, index) => ({ day: `2026-11-${20 + index}`, amount }))
    expect(progressOf(amounts, { value: 10, today: '2026-11-22', calendar })).toEqual([
      { day: '2026-11-20', actual: 3, expected: 5 },
      { day: '2026-11-21', actual: 3.1, expected: 5 },
      { day: '2026-11-22', actual: 3.3, expected: 5 },
      { day: '2026-11-23', actual: null, expected: 10 },
    ])
  })
  it('expects all of it where no day is worked', () => {
    expect(progressOf([{ day: '2026-11-22', amount: 0 }], { value: 10, today: '2026-11-22', calendar })).toEqual([
      { day: '2026-11-22', actual: 0, expected: 10 },
    ])
  })
})
