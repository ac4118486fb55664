import { holds } from '@outpost/contract/fields'
import type { FieldView } from '@outpost/contract/fields'
import { fieldKindView } from '../../fields/index.ts'
import { serverNow } from '../../../session/token.ts'
import { isBlank } from '../../formats.ts'

export type RecordValues = Record<string, unknown>

export const isVisible = (field: FieldView, record: RecordValues): boolean => !field.visibleIf || holds(field.visibleIf, record)
export const isRequired = (field: FieldView, record: RecordValues): boolean =>
  field.required === true || (field.requiredIf !== undefined && holds(field.requiredIf, record))

/** Values a form starts with: the record's, else the fields' defaults. */
export function startValues(fields: readonly FieldView[], record: RecordValues | undefined): RecordValues {
  return Object.fromEntries(fields.map((field) => [field.key, record ? (record[field.key] ?? undefined) : defaultOf(field)]))
}

const hourMs = 3_600_000
const defaultOf = ({ defaultHour, defaultValue }: FieldView): unknown =>
  defaultHour === undefined ? defaultValue : new Date((Math.ceil(serverNow() / hourMs) + defaultHour - 1) * hourMs).toISOString()

/** References that the address of a new record names (?leadId=...): what it is about is filled in. */
export function givenValues(fields: readonly FieldView[], address: Readonly<Record<string, unknown>>): RecordValues {
  const named = fields.filter(({ key, readOnly }) => !readOnly && typeof address[key] === 'string')
  return Object.fromEntries(
    named.flatMap(({ key, kind }) =>
      kind === 'reference' ? [[key, address[key]]] : kind === 'multiReference' ? [[key, [address[key]]]] : [],
    ),
  )
}

/** What a form sends: fields that can be entered and are visible, each as the wire wants it. */
export function wireValues(fields: readonly FieldView[], record: RecordValues): RecordValues {
  const sent = fields
    .filter((field) => !field.readOnly && isVisible(field, record))
    .map((field) => {
      const { toWire } = fieldKindView(field.kind)
      return [field.key, toWire ? toWire(record[field.key], field) : (record[field.key] ?? null)] as const
    })
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined))
}

/** The part of what a form sends that is not what the record holds already; a new record sends what was filled in. */
export function changedValues(fields: readonly FieldView[], sent: RecordValues, base: RecordValues | undefined): RecordValues {
  const before = base ? wireValues(fields, base) : {}
  return Object.fromEntries(Object.entries(sent).filter(([key, value]) => (base ? !isSameValue(value, before[key]) : !isBlank(value))))
}

export const isSameValue = (a: unknown, b: unknown): boolean => (isBlank(a) && isBlank(b)) || JSON.stringify(a) === JSON.stringify(b)

/** Why a value does not do, in words after the field's label; undefined when it does. Some rules are those of the company's country. */
export function checkValue(field: FieldView, record: RecordValues, country = '', currency = ''): string | undefined {
  const value = record[field.key]
  const isEmpty = isBlank(typeof value === 'string' ? value.trim() : value)
  if (isEmpty) return isRequired(field, record) ? 'is required' : undefined
  return fieldKindView(field.kind).check?.(value, field, country, { record, currency })
}

/** Values that may be kept on this device: no secrets, nothing sensitive. */
export function storableValues(fields: readonly FieldView[], record: RecordValues): RecordValues {
  const kept = fields.filter((field) => !field.sensitive && !field.readOnly && !['password', 'file', 'image'].includes(field.kind))
  return Object.fromEntries(kept.map((field) => [field.key, record[field.key]]).filter(([, value]) => !isBlank(value)))
}
