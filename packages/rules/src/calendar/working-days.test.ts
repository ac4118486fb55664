import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, countWorkingDays, dayOf, isWorkingDay, mondayToFriday, weekdayOf } from './working-days.ts'

const plain = { week: mondayToFriday, holidays: new Set<string>() }

describe('working days', () => {
  it.each([
    ['2026-11-01', '2026-11-30', 21],
    ['2026-11-21', '2026-11-22', 0],
    ['2026-11-23', '2026-11-23', 1],
    ['2026-11-24', '2026-11-23', 0],
  ])('from %s to %s there are %i', (from, to, days) => expect(countWorkingDays(from, to, plain)).toBe(days))

  it('leaves out a holiday, unless it falls on a free day anyway', () => {
    expect(countWorkingDays('2026-12-21', '2026-12-27', { ...plain, holidays: new Set(['2026-12-25', '2026-12-26']) })).toBe(4)
  })

  it('counts a six-day week', () => {
    expect(countWorkingDays('2026-11-01', '2026-11-30', { week: [1, 2, 3, 4, 5, 6], holidays: new Set() })).toBe(25)
  })

  it('agrees with checking each day, and two halves add up to the whole', () => {
    const day = fc.integer({ min: 18_000, max: 24_000 }).map((days) => dayOf(days * 86_400_000))
    const calendar = fc.record({
      week: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      holidays: fc.array(day, { maxLength: 40 }).map((days) => new Set(days)),
    })
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 }), calendar, (from, first, more, days) => {
        const [middle, to] = [addDays(from, first), addDays(from, first + more)]
        const each = Array.from({ length: first + more + 1 }, (_, index) => addDays(from, index)).filter((one) =>
          isWorkingDay(one, days),
        ).length
        expect(countWorkingDays(from, to, days)).toBe(each)
        expect(countWorkingDays(from, middle, days) + countWorkingDays(addDays(middle, 1), to, days)).toBe(each)
      }),
    )
  })

  it('knows Sunday as the seventh day', () => expect([weekdayOf('2026-11-22'), weekdayOf('2026-11-23')]).toEqual([7, 1]))
})
