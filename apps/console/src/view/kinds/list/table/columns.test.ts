import { describe, expect, it } from 'vitest'
import { arrange, changeColumn, drawnColumns, moveColumn } from './columns.ts'

const view = { columns: [{ key: 'name', width: 200 }, { key: 'phone' }, { key: 'status' }, { key: 'notes', hidden: true }] }

describe('the columns of a list', () => {
  it('follow the kept order, forget unknown ones and add new ones at the end', () => {
    expect(
      arrange(view, [{ key: 'status' }, { key: 'gone' }, { key: 'name', width: 5000 }, { key: 'status' }]).map((column) => column.key),
    ).toEqual(['status', 'name', 'phone', 'notes'])
    expect(arrange(view, [{ key: 'name', width: 5000 }])[0]).toEqual({ key: 'name' })
  })

  it('draw the pinned ones first and leave out the hidden ones', () => {
    expect(
      drawnColumns(view, [{ key: 'phone' }, { key: 'name', pin: 'left' }, { key: 'status', isHidden: true }]).map(({ key, width }) => [
        key,
        width,
      ]),
    ).toEqual([
      ['name', 200],
      ['phone', undefined],
    ])
  })

  it('never become none', () => {
    const one = [{ key: 'name' }, { key: 'phone', isHidden: true }]
    expect(changeColumn(one, 'name', { isHidden: true })).toEqual(one)
    expect(arrange({ columns: [{ key: 'name' }] }, [{ key: 'name', isHidden: true }])).toEqual([{ key: 'name' }])
  })

  it('move', () => {
    expect(moveColumn([{ key: 'a' }, { key: 'b' }, { key: 'c' }], 0, 2).map((column) => column.key)).toEqual(['b', 'c', 'a'])
  })
})
