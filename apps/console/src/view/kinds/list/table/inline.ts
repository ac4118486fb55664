import type { FieldKind, FieldView } from '@outpost/contract/fields'
import type { ListView, MovesView } from '@outpost/contract/views'
import type { Row } from '../../../../data/records.ts'
import { followers } from '../../../actions/moving.ts'
import { changedValues, checkValue, wireValues } from '../../form/values.ts'
import type { RecordValues } from '../../form/values.ts'

/** Kinds whose input has room in a cell. */
const cellKinds = new Set<FieldKind>([
  'text',
  'personName',
  'email',
  'phone',
  'idNumber',
  'number',
  'money',
  'percent',
  'boolean',
  'date',
  'dateTime',
  'choice',
  'reference',
])
/** Kinds where choosing is the whole entry: nothing is left to confirm. */
const chosenKinds = new Set<FieldKind>(['boolean', 'date', 'dateTime', 'choice', 'reference'])
export const isChosen = (kind: FieldKind): boolean => chosenKinds.has(kind)

/** A place in the table. */
export interface CellPlace {
  id: string
  key: string
}

/** The field as the edit form has it, or with the values that may follow the row's own, when the caller may change it in this cell. */
export const editableField = (view: ListView, key: string, row: Row): FieldView | undefined =>
  movesOf(view, key) ? movableField(view, key, row) : formField(view, key)

const formField = (view: ListView, key: string) => view.inline?.fields.find((field) => field.key === key && cellKinds.has(field.kind))

/** How the column's values follow each other, where that is by moves. */
export const movesOf = (view: Pick<ListView, 'columns'>, key: string): MovesView | undefined =>
  view.columns.find((column) => column.key === key)?.moves

/** The choice with the row's own value and those it may go to now; undefined where it stays as it is. */
function movableField(view: ListView, key: string, row: Row): FieldView | undefined {
  const [moves, field] = [movesOf(view, key), view.fields.find((one) => one.key === key)]
  const from = String(row[key] ?? '')
  const to = moves ? followers(moves, row, key) : []
  if (!field?.options || to.length === 0) return undefined
  return { ...field, readOnly: false, required: true, options: field.options.filter(({ value }) => value === from || to.includes(value)) }
}

/** Keys of the columns on the screen whose cells may be changed, in their order. */
export const editableKeys = (view: ListView, drawn: readonly string[]): string[] =>
  drawn.filter((key) => movesOf(view, key) ?? formField(view, key))

/** The next or former cell that may be changed: along the row, then into the next one, past those that may not be. */
export function nextCell(
  ids: readonly string[],
  keys: readonly string[],
  { id, key }: CellPlace,
  step: 1 | -1,
  mayOpen: (place: CellPlace) => boolean = () => true,
): CellPlace | undefined {
  for (let at = ids.indexOf(id) * keys.length + keys.indexOf(key) + step; at >= 0; at += step) {
    const [nextId, nextKey] = [ids[Math.floor(at / keys.length)], keys[at % keys.length]]
    if (nextId === undefined || nextKey === undefined) return undefined
    if (mayOpen({ id: nextId, key: nextKey })) return { id: nextId, key: nextKey }
  }
  return undefined
}

export interface Entry {
  wrong?: string
  values: RecordValues
}

/** What a cell sends: nothing when it holds the same as before; `wrong` in words after the field's label. */
export function entryOf(field: FieldView, row: Row, value: unknown): Entry {
  const record = { ...row, [field.key]: value }
  const wrong = checkValue(field, record)
  return wrong === undefined ? { values: changedValues([field], wireValues([field], record), row) } : { wrong, values: {} }
}
