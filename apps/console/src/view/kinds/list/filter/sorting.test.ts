import { describe, expect, it } from 'vitest'
import type { Sort } from '../list-state.ts'
import { rankOf, sortableFields, sortedAlso, sortedBy } from './sorting.ts'

const name: Sort = { field: 'name', order: 'ASC' }
const date: Sort = { field: 'date', order: 'DESC' }

describe('sorting by several columns', () => {
  it('starts anew at a click and turns round the column that was clicked', () => {
    expect(sortedBy([date, name], 'phone')).toEqual([{ field: 'phone', order: 'ASC' }])
    expect(sortedBy([date, name], 'name')).toEqual([{ field: 'name', order: 'DESC' }])
    expect(sortedBy([date], 'date')).toEqual([{ field: 'date', order: 'ASC' }])
  })

  it('adds with Shift, turns round in place, and lets go at the third time', () => {
    const two = sortedAlso([date], 'name')
    expect(two).toEqual([date, name])
    const turned = sortedAlso(two, 'name')
    expect(turned).toEqual([date, { field: 'name', order: 'DESC' }])
    expect(sortedAlso(turned, 'name')).toEqual([date])
    expect(sortedAlso([date], 'date')).toEqual([{ field: 'date', order: 'ASC' }])
    const five = ['a', 'b', 'c', 'd', 'e'].map((field): Sort => ({ field, order: 'ASC' }))
    expect(sortedAlso(five, 'f')).toEqual(five)
  })

  it('ranks only where there are several', () => {
    expect(rankOf([date], 'date')).toBeUndefined()
    expect([rankOf([date, name], 'date'), rankOf([date, name], 'name'), rankOf([date, name], 'phone')]).toEqual([1, 2, undefined])
  })

  it("offers the columns and the view's own field", () => {
    expect(sortableFields({ columns: [{ key: 'name', sortable: true }, { key: 'phone' }], sort: date })).toEqual(['name', 'date'])
  })
})
