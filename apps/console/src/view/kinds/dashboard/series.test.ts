import { describe, expect, it } from 'vitest'
import { marksOf, niceCeiling, slicePath, topMarks, valueAt } from './series.ts'

describe('the figures of a widget', () => {
  it('come from rows or from a map', () => {
    const widget = { value: 'a.b', labelKey: 'status', valueKey: 'count' }
    expect(marksOf(widget, { a: { b: [{ status: 'New', count: '4' }, null] } })).toEqual([
      { label: 'New', value: 4, row: { status: 'New', count: '4' } },
    ])
    expect(marksOf({ value: 'a' }, { a: { UI: 2 } })).toMatchObject([{ label: 'UI', value: 2 }])
    expect(marksOf(widget, {})).toEqual([])
    expect(valueAt({ a: [{ b: 3 }] }, 'a.0.b')).toBe(3)
  })

  it('become one where there are too many', () => {
    const marks = [5, 9, 1, 2].map((value) => ({ label: String(value), value, row: { value } }))
    expect(topMarks(marks, 3).map(({ label, value }) => [label, value])).toEqual([
      ['9', 9],
      ['5', 5],
      ['2 others', 3],
    ])
  })

  it('end on a round axis', () => {
    expect([0, 7, 56, 120, 999].map(niceCeiling)).toEqual([1, 8, 60, 150, 1000])
  })

  it('draw a whole ring without folding it to nothing', () => {
    expect(slicePath(0, 1, { radius: 10, hole: 5, centre: 10 })).toMatch(/^M 10\.00 0\.00 A 10 10 0 1 1 9\.99/)
  })
})

describe('what is called the rest', () => {
  const mark = (label: string, value: number) => ({ label, value, row: {} })
  it('is last, however much it is', () => {
    expect(topMarks([mark('Other', 9), mark('A', 1), mark('B', 2)], 6).map(({ label }) => label)).toEqual(['A', 'B', 'Other'])
    expect(
      topMarks([mark('Others', 9), mark('A', 1), mark('B', 2), mark('C', 3)], 3).map(({ label, value }) => `${label} ${value}`),
    ).toEqual(['C 3', 'B 2', '2 others 10'])
  })
})
