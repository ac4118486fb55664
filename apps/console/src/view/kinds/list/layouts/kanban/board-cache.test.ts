import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KanbanLayout } from '@outpost/contract/views'
import { columnQuery, columnsLeft, rowsOf, totalOf, without, withOnTop } from './board-cache.ts'
import type { ColumnPages } from './board-cache.ts'
import { windowOf } from './window.ts'

const layout = {
  kind: 'kanban',
  field: 'status',
  columns: ['New', 'Won', 'Lost'].map((value) => ({ value, label: value })),
  titleKey: 'name',
  lines: [],
} satisfies KanbanLayout
const pages = (ids: readonly string[], total = ids.length): ColumnPages => ({
  pageParams: [1],
  pages: [{ rows: ids.map((Id) => ({ Id, status: 'New' })), meta: { page: 1, size: 50, total }, source: 'server' }],
})
const ids = (given: ColumnPages) => rowsOf(given, 'Id').map(({ Id }) => Id)

describe('a column of a board', () => {
  it('asks for its own value in place of whatever the filter says of that field', () => {
    expect(
      columnQuery(
        layout,
        {
          filter: [
            { field: 'status', op: 'in', value: ['New', 'Won'] },
            { field: 'name', op: 'contains', value: 'a' },
          ],
        },
        'Won',
      ).filter,
    ).toEqual([
      { field: 'name', op: 'contains', value: 'a' },
      { field: 'status', op: 'eq', value: 'Won' },
    ])
  })
  it('stays when the filter leaves it over', () => {
    const left = (...terms: Parameters<typeof columnsLeft>[1][]) =>
      columnsLeft(
        layout,
        terms.flat().filter((term) => term !== undefined),
      ).map(({ value }) => value)
    expect(left()).toEqual(['New', 'Won', 'Lost'])
    expect(left([{ field: 'status', op: 'in', value: ['New', 'Lost'] }])).toEqual(['New', 'Lost'])
    expect(left([{ field: 'status', op: 'ne', value: 'New' }], [{ field: 'other', op: 'eq', value: 'x' }])).toEqual(['Won', 'Lost'])
    expect(left([{ field: 'status', op: 'empty' }])).toEqual([])
  })
  it('gives a card away and takes it back with the counts right', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 30 }), fc.nat(), (all, pick) => {
        const id = all[pick % all.length]!
        const before = pages(all, all.length + 7)
        const after = without(before, id, 'Id')
        expect(ids(after)).toEqual(all.filter((one) => one !== id))
        expect(totalOf(after).total).toBe(all.length + 6)
        const back = withOnTop(after, { Id: id })
        expect(ids(back).toSorted()).toEqual(all.toSorted())
        expect(totalOf(back).total).toBe(all.length + 7)
        expect(without(before, 'nobody', 'Id')).toBe(before)
      }),
    )
  })
  it('shows a card once when pages overlap', () => {
    const [first] = pages(['a', 'b']).pages
    const [second] = pages(['b', 'c']).pages
    expect(ids({ pageParams: [1, 2], pages: [first!, second!] })).toEqual(['a', 'b', 'c'])
  })
})

describe('the window of a column', () => {
  it('covers what is in view, with four cards more on each side, and stays within the cards', () => {
    expect(windowOf({ top: 1000, size: 500 }, 100, 100)).toEqual({ first: 6, last: 19 })
    expect(windowOf({ top: 0, size: 500 }, 3, 100)).toEqual({ first: 0, last: 2 })
    expect(windowOf({ top: 9000, size: 500 }, 0, 100)).toEqual({ first: 0, last: -1 })
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(2000), fc.integer({ min: 1, max: 5000 }), (top, size, count) => {
        const { first, last } = windowOf({ top, size }, count, 104)
        expect(first).toBeGreaterThanOrEqual(0)
        expect(last).toBeLessThan(count)
        expect(last - first).toBeLessThanOrEqual(Math.ceil(size / 104) + 2 * 4 + 1)
      }),
    )
  })
})
