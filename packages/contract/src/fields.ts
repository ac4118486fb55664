import type { CallView } from './call-view.ts'

/** The kinds of field a form, list or filter knows; each has one input and one cell in the console. */
export const fieldKinds = [
  'text',
  'longText',
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
  'multiChoice',
  'reference',
  'multiReference',
  'location',
  'address',
  'file',
  'image',
  'password',
  'permissionTree',
  'tags',
  'colour',
  'json',
  'lines',
] as const
export type FieldKind = (typeof fieldKinds)[number]

export interface Option {
  value: string
  label: string
  colour?: string
  /** Name of the small picture beside its words; a console without it shows the words. */
  picture?: string
}

/** A condition as data, with four operators; it never grows into a language. */
export type Condition =
  | { eq: [field: string, value: string | number | boolean | null] }
  | { in: [field: string, values: (string | number)[]] }
  | { not: Condition }
  | { and: Condition[] }

/** Where the options of a reference field are fetched: a list call and the keys in its rows. */
export interface ReferenceView {
  to: string
  path: string
  many: string
  idKey: string
  labelKey: string
  screen?: string
}

/** One field as the console receives it. */
export interface FieldView {
  key: string
  kind: FieldKind
  label: string
  help?: string
  required?: boolean
  readOnly?: boolean
  min?: number
  max?: number
  maxLength?: number
  /** Kind longText: may be read from a file of the device, of these endings (.xml). */
  fromFile?: string
  options?: Option[]
  reference?: ReferenceView
  /** Kind reference: the record that was chosen is read by `load`, and its fields of these keys are copied into what is empty. */
  fills?: { load: CallView; one: string; keys: string[] }
  defaultValue?: unknown
  /** Kind dateTime: a new record begins at this full hour from now on; 1 is the next one. Kept views are days old, so no time is named. */
  defaultHour?: number
  visibleIf?: Condition
  requiredIf?: Condition
  /** Kind number: the screen with the rows that it counts; `:key` is filled from the record. */
  opens?: string
  /** The value is that of a field which differs from row to row: the row's key that holds its FieldView. Labels beside it go by this field's own key. */
  drawnBy?: string
  /** Kind lines: the fields of a line. */
  fields?: FieldView[]
  /** Kind money: the field of the record that names the currency; without: the company's. Its decimals hold. */
  currency?: string
  /** Masked in lists and never cached offline. */
  sensitive?: boolean
}

/** True when the condition holds for the record. */
export function holds(condition: Condition, record: Record<string, unknown>): boolean {
  if ('eq' in condition) return (record[condition.eq[0]] ?? null) === condition.eq[1]
  if ('in' in condition) return condition.in[1].includes(record[condition.in[0]] as string | number)
  if ('not' in condition) return !holds(condition.not, record)
  return condition.and.every((part) => holds(part, record))
}
