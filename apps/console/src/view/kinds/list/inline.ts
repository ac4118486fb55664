import type { FieldKind, FieldView } from '@outpost/contract/fields'
import type { ListView } from '@outpost/contract/views'
import type { Row } from '../../../data/records.ts'
import { changedValues, checkValue, wireValues } from '../form/values.ts'
import type { RecordValues } from '../form/values.ts'

/** Kinds whose input has room in a cell. */
const cellKinds = new Set<FieldKind>(['text', 'personName', 'email', 'phone', 'idNumber', 'number', 'money', 'percent', 'boolean', 'date', 'dateTime', 'choice', 'reference'])
/** Kinds where choosing is the whole entry: nothing is left to confirm. */
const chosenKinds = new Set<FieldKind>(['boolean', 'date', 'dateTime', 'choice', 'reference'])
export const isChosen = (kind: FieldKind): boolean => chosenKinds.has(kind)

/** A place in the table. */
export interface CellPlace { id: string, key: string }

/** The field as the edit form has it, when the caller may change it in a cell. */
export const editableField = (view: ListView, key: string): FieldView | undefined =>
  view.inline?.fields.find((field) => field.key === key && cellKinds.has(field.kind))

/** Keys of the columns on the screen whose cells may be changed, in their order. */
export const editableKeys = (view: ListView, drawn: readonly string[]): string[] => drawn.filter((key) => editableField(view, key) !== undefined)

/** The next or former cell that may be changed: along the row, then into the next one. */
export function nextCell(ids: readonly string[], keys: readonly string[], { id, key }: CellPlace, step: 1 | -1): CellPlace | undefined {
  const at = ids.indexOf(id) * keys.length + keys.indexOf(key) + step
  const [nextId, nextKey] = [ids[Math.floor(at / keys.length)], keys[at % keys.length]]
  return at >= 0 && nextId !== undefined && nextKey !== undefined ? { id: nextId, key: nextKey } : undefined
}

export interface Entry { wrong?: string, values: RecordValues }

/** What a cell sends: nothing when it holds the same as before; `wrong` in words after the field's label. */
export function entryOf(field: FieldView, row: Row, value: unknown): Entry {
  const record = { ...row, [field.key]: value }
  const wrong = checkValue(field, record)
  return wrong === undefined ? { values: changedValues([field], wireValues([field], record), row) } : { wrong, values: {} }
}
