import { describe, expect, it } from 'vitest'
import type { FieldView } from '@outpost/contract/fields'
import type { ListView } from '@outpost/contract/views'
import { editableField, editableKeys, entryOf, nextCell } from './inline.ts'

const town: FieldView = { key: 'city', kind: 'text', label: 'Town', required: true, maxLength: 10 }
const inline = {
  submit: { method: 'PUT' as const, path: '/api/leads/:id' },
  one: 'lead',
  fields: [town, { key: 'notes', kind: 'longText' as const, label: 'Notes' }],
}
const view = { inline, columns: [], fields: [] } as unknown as ListView
const record = { Id: '1', version: 1 }

describe('cells that may be changed', () => {
  it('are those the server names and a cell has room for', () => {
    expect(editableField(view, 'city', record)).toBe(town)
    expect([
      editableField(view, 'notes', record),
      editableField(view, 'status', record),
      editableField({ ...view, inline: undefined }, 'city', record),
    ]).toEqual([undefined, undefined, undefined])
    expect(editableKeys(view, ['name', 'city', 'notes'])).toEqual(['city'])
  })

  it('follow one another along the row and into the next, and end', () => {
    const go = (id: string, key: string, step: 1 | -1) => nextCell(['1', '2'], ['a', 'b'], { id, key }, step)
    expect([go('1', 'a', 1), go('1', 'b', 1), go('2', 'a', -1)]).toEqual([
      { id: '1', key: 'b' },
      { id: '2', key: 'a' },
      { id: '1', key: 'b' },
    ])
    expect([go('2', 'b', 1), go('1', 'a', -1)]).toEqual([undefined, undefined])
  })

  it('offer a row the values that may follow its own, under their conditions, and none where it stays', () => {
    const options = ['New', 'Contacted', 'Qualified', 'Lost'].map((value) => ({ value, label: value }))
    const moves = {
      call: { method: 'PUT' as const, path: '/x/:id' },
      one: 'lead',
      next: { New: ['Contacted', 'Lost'], Contacted: ['Qualified'] },
      conditions: { Qualified: { eq: ['consent', true] as [string, boolean] } },
      forms: {},
      kept: {},
      offline: 'lead',
    }
    const moving = {
      ...view,
      fields: [{ key: 'status', kind: 'choice', label: 'Status', readOnly: true, options }],
      columns: [{ key: 'status', moves }],
    } as unknown as ListView
    const offered = (row: object) => editableField(moving, 'status', row as Record<string, unknown>)?.options?.map(({ value }) => value)
    expect(offered({ status: 'New', version: 1 })).toEqual(['New', 'Contacted', 'Lost'])
    expect([
      offered({ status: 'Contacted', version: 1, consent: false }),
      offered({ status: 'Contacted', version: 1, consent: true }),
    ]).toEqual([undefined, ['Contacted', 'Qualified']])
    expect([offered({ status: 'Lost', version: 1 }), offered({ status: 'unknown', version: 1 }), offered({ status: 'New' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    const open = (place: { id: string }) => place.id !== '2'
    expect(nextCell(['1', '2', '3'], ['status'], { id: '1', key: 'status' }, 1, open)).toEqual({ id: '3', key: 'status' })
    expect(nextCell(['1', '2'], ['status'], { id: '1', key: 'status' }, 1, open)).toBeUndefined()
  })

  it('send what changed, as the form would, and say what is wrong', () => {
    const row = { Id: '1', city: 'Thika', version: 3 }
    expect(entryOf(town, row, ' Nakuru ')).toEqual({ values: { city: 'Nakuru' } })
    expect(entryOf(town, row, 'Thika ')).toEqual({ values: {} })
    expect(entryOf(town, row, '  ')).toEqual({ wrong: 'is required', values: {} })
    expect(entryOf(town, row, 'A town with a long name').wrong).toBe('may hold 10 characters at most')
  })
})
