import { describe, expect, it } from 'vitest'
import { columnWidths, fitWidths } from './widths.ts'
import type { ColumnState } from './columns.ts'

const view = {
  titleKey: 'name',
  columns: [{ key: 'name', sortable: true }, { key: 'status' }, { key: 'days', sortable: true }, { key: 'files' }],
  fields: [
    { key: 'name', kind: 'text', label: 'Name' },
    { key: 'status', kind: 'choice', label: 'Status', options: [{ value: '1', label: 'In progress' }] },
    { key: 'days', kind: 'number', label: 'Days in this stage' },
    { key: 'files', kind: 'file', label: 'Paper' },
  ],
} as const
const rows = [
  { Id: '1', name: 'A name that is written in full', status: '1', days: 3 },
  { Id: '2', name: null, status: null, days: null },
]
const widthsOf = (columns: ColumnState[] = view.columns.map(({ key }) => ({ key }))) =>
  columnWidths({ view: view as never, columns, density: 'medium', currency: 'KES', rows, measure: (text) => text.length * 8 })

describe('widths of the columns of a table', () => {
  it('are the usual ones where they fit, and never cut a heading', () => {
    expect([...fitWidths(widthsOf(), Infinity)]).toEqual([
      ['name', 230],
      ['status', 165],
      ['days', 188],
      ['files', 180],
    ])
  })
  it('go down to what headings and words need, so that all columns fit if they can', () => {
    const widths = widthsOf()
    const least = [230, 116, 188, 180]
    expect(widths.map((column) => column.least)).toEqual(least)
    expect([...fitWidths(widths, 750).values()]).toEqual([230, 152, 188, 180])
    expect([...fitWidths(widths, 400).values()]).toEqual(least)
  })
  it('are as the user chose them', () => {
    expect([...fitWidths(widthsOf([{ key: 'name', width: 300 }, { key: 'status' }]), 320)]).toEqual([
      ['name', 300],
      ['status', 116],
    ])
  })
})
