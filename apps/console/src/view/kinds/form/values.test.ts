import { describe, expect, it } from 'vitest'
import type { FieldView } from '@outpost/contract/fields'
import { conflictsOf } from './conflict.ts'
import { changedValues, checkValue, storableValues, wireValues } from './values.ts'

const fields: FieldView[] = [
  { key: 'firstName', kind: 'personName', label: 'First name', required: true },
  { key: 'phone', kind: 'phone', label: 'Phone' },
  { key: 'works', kind: 'boolean', label: 'Works' },
  { key: 'employer', kind: 'text', label: 'Employer', visibleIf: { eq: ['works', true] }, requiredIf: { eq: ['works', true] } },
  {
    key: 'type',
    kind: 'choice',
    label: 'Type',
    options: [
      { value: '1', label: 'Group' },
      { value: '2', label: 'Company' },
    ],
  },
  { key: 'idNumber', kind: 'idNumber', label: 'ID', sensitive: true },
  { key: 'secret', kind: 'password', label: 'Secret' },
  { key: 'dateCreated', kind: 'dateTime', label: 'Captured', readOnly: true },
]

describe('the values of a form', () => {
  it.each([
    ['KE', '7 to 20 digits'],
    ['ZA', '13 to 20 digits'],
    ['', '13 to 20 digits'],
  ])('names the digits an identity number has in %s', (country, words) => {
    const field = fields.find(({ kind }) => kind === 'idNumber')!
    expect(checkValue(field, { idNumber: '123' }, country)).toBe(`must be ${words}`)
    expect(checkValue(field, { idNumber: '8001015009087' }, country)).toBeUndefined()
  })

  it("leave out what is hidden, read-only or an empty secret, and take the wire's shape", () => {
    expect(wireValues(fields, { firstName: ' Amina ', phone: '', works: false, employer: 'Acme', type: '2', dateCreated: 'x' })).toEqual({
      firstName: 'Amina',
      phone: null,
      works: false,
      type: 2,
      idNumber: null,
    })
    expect(wireValues(fields, { works: true, employer: 'Acme' })).toMatchObject({ employer: 'Acme' })
  })

  it('are changed only where they differ from the record', () => {
    const base = { firstName: 'Amina', phone: null, works: false, type: 2 }
    expect(changedValues(fields, wireValues(fields, { ...base, phone: '0712345678' }), base)).toEqual({ phone: '0712345678' })
    expect(changedValues(fields, wireValues(fields, base), base)).toEqual({})
  })

  it('are checked by kind and by condition', () => {
    const words = (key: string, record: Record<string, unknown>) =>
      checkValue(
        fields.find((field) => field.key === key)!,
        record,
      )
    expect(words('firstName', { firstName: '  ' })).toBe('is required')
    expect(words('firstName', { firstName: 'Am1na' })).toContain('letters')
    expect(words('phone', { phone: '0712345678' })).toBeUndefined()
    expect(words('phone', { phone: '712' })).toContain('phone number')
    expect(words('employer', { works: true })).toBe('is required')
    expect(words('employer', { works: false })).toBeUndefined()
  })

  it('are kept in a draft without secrets and without what is sensitive', () => {
    expect(storableValues(fields, { firstName: 'A', idNumber: '1234567890123', secret: 'x', dateCreated: 'y', phone: '' })).toEqual({
      firstName: 'A',
    })
  })

  it('are in conflict only where both sides changed the same field differently', () => {
    const base = { Id: '1', firstName: 'A', phone: '0711111111', works: false }
    const theirs = { ...base, firstName: 'B', phone: '0722222222' }
    const mine = wireValues(fields, { ...base, firstName: 'C', phone: '0722222222', works: true })
    expect(conflictsOf(fields, mine, base, theirs).map(({ field }) => field.key)).toEqual(['firstName'])
  })
})
