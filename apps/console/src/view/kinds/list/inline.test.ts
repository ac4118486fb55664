import { describe, expect, it } from 'vitest'
import type { FieldView } from '@outpost/contract/fields'
import type { ListView } from '@outpost/contract/views'
import { editableField, editableKeys, entryOf, nextCell } from './inline.ts'

const town: FieldView = { key: 'city', kind: 'text', label: 'Town', required: true, maxLength: 10 }
const inline = { submit: { method: 'PUT' as const, path: '/api/leads/:id' }, one: 'lead', fields: [town, { key: 'notes', kind: 'longText' as const, label: 'Notes' }] }
const view = { inline } as unknown as ListView

describe('cells that may be changed', () => {
  it('are those the server names and a cell has room for', () => {
    expect(editableField(view, 'city')).toBe(town)
    expect([editableField(view, 'notes'), editableField(view, 'status'), editableField({ ...view, inline: undefined }, 'city')]).toEqual([undefined, undefined, undefined])
    expect(editableKeys(view, ['name', 'city', 'notes'])).toEqual(['city'])
  })

  it('follow one another along the row and into the next, and end', () => {
    const go = (id: string, key: string, step: 1 | -1) => nextCell(['1', '2'], ['a', 'b'], { id, key }, step)
    expect([go('1', 'a', 1), go('1', 'b', 1), go('2', 'a', -1)]).toEqual([{ id: '1', key: 'b' }, { id: '2', key: 'a' }, { id: '1', key: 'b' }])
    expect([go('2', 'b', 1), go('1', 'a', -1)]).toEqual([undefined, undefined])
  })

  it('send what changed, as the form would, and say what is wrong', () => {
    const row = { Id: '1', city: 'Thika', version: 3 }
    expect(entryOf(town, row, ' Nakuru ')).toEqual({ values: { city: 'Nakuru' } })
    expect(entryOf(town, row, 'Thika ')).toEqual({ values: {} })
    expect(entryOf(town, row, '  ')).toEqual({ wrong: 'is required', values: {} })
    expect(entryOf(town, row, 'A town with a long name').wrong).toBe('may hold 10 characters at most')
  })
})
