import { fail, type FieldError } from '@outpost/contract/errors'
import { holds, type FieldView } from '@outpost/contract/fields'
import { Decimal, zero } from '../money.ts'
import type { Inputs } from './input-values.ts'
import type { Calculator, GridDefinition } from './types.ts'

type Entered = Readonly<Record<string, unknown>>
type Row = Readonly<Record<string, Decimal>>

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''
/** Twelve digits before and six after the decimal point: what a double holds without loss, in case the input is a JSON number. */
const numberShape = /^-?\d{1,12}(\.\d{1,6})?$/

/** Validates input against the fields; a missing field takes its default, null means empty. Throws INVALID naming each wrong field. */
export function readInputs(calculator: Calculator, fields: readonly FieldView[], given: Entered): Inputs {
  const defaults = Object.fromEntries(
    fields.flatMap((field) => (field.defaultValue === undefined ? [] : [[field.key, field.defaultValue]])),
  )
  const entered: Entered = { ...defaults, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
  const known = new Set([...fields.map((field) => field.key), ...(calculator.grid ? [calculator.grid.key] : [])])
  const shown = fields.filter((field) => !field.visibleIf || holds(field.visibleIf, entered))
  const errors: FieldError[] = [
    ...Object.keys(entered)
      .filter((key) => !known.has(key))
      .map((field) => ({ field, message: 'is not an input of this calculator' })),
    ...shown.flatMap((field) => problem(field, entered[field.key], calculator.whole)),
    ...(calculator.grid ? gridProblems(calculator.grid, entered[calculator.grid.key]) : []),
  ]
  if (errors.length > 0) fail('INVALID', { fields: errors })
  const implausible = implausibleIn(calculator, shown, entered)
  if (implausible.length > 0) fail('INVALID', { fields: implausible })
  return inputsOf(shown, entered, calculator.grid)
}

/** Implausible combinations: a net above its gross, a forced-sale value above the market value. */
function implausibleIn({ atMost = [] }: Calculator, shown: readonly FieldView[], entered: Entered): FieldError[] {
  const labelOf = (key: string) => shown.find((field) => field.key === key)?.label
  return atMost.flatMap(([key, limit]) => {
    const isGiven = [key, limit].every((one) => labelOf(one) !== undefined && !isEmpty(entered[one]))
    const isAbove = isGiven && new Decimal(entered[key] as string).gt(entered[limit] as string)
    return isAbove ? [{ field: key, message: `may not be above “${labelOf(limit)}”` }] : []
  })
}

function inputsOf(fields: readonly FieldView[], entered: Entered, grid?: GridDefinition): Inputs {
  // A field with a default that was left empty on purpose is stored as null: else a second run would fill it in.
  const kept = fields.filter((field) => !isEmpty(entered[field.key]) || field.defaultValue !== undefined)
  const record: Record<string, unknown> = Object.fromEntries(
    kept.map((field) => [field.key, isEmpty(entered[field.key]) ? null : recorded(field, entered[field.key])]),
  )
  const rows = grid ? (entered[grid.key] as Entered[]).map((row) => rowOf(grid, row)) : []
  if (grid) record[grid.key] = rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value.toFixed()])))
  return {
    record,
    has: (key) => record[key] !== undefined && record[key] !== null,
    amount: (key) => new Decimal((record[key] ?? zero) as string),
    text: (key) => String(record[key] ?? ''),
    flag: (key) => record[key] === true,
    rows: () => rows,
  }
}

const isNumeric = ({ kind }: FieldView) => kind === 'money' || kind === 'number' || kind === 'percent'
const recorded = (field: FieldView, value: unknown) => (isNumeric(field) ? new Decimal(value as string).toFixed() : value)
const rowOf = ({ columns }: GridDefinition, row: Entered): Row =>
  Object.fromEntries(columns.map(({ key }) => [key, isEmpty(row[key]) ? zero : new Decimal(row[key] as string)]))

function problem(field: FieldView, value: unknown, whole: readonly string[] = []): FieldError[] {
  const message = isEmpty(value) ? (field.required ? 'is required' : undefined) : wrong(field, value, whole.includes(field.key))
  return message === undefined ? [] : [{ field: field.key, message }]
}

function wrong(field: FieldView, value: unknown, isWhole: boolean): string | undefined {
  if (isNumeric(field)) return wrongNumber(field, value, isWhole)
  if (field.kind === 'boolean') return typeof value === 'boolean' ? undefined : 'must be true or false'
  if (field.kind === 'choice') return field.options?.some((option) => option.value === value) ? undefined : 'is not one of the options'
  return isDay(value) ? undefined : 'is not a date'
}

function wrongNumber({ kind, min = 0, max }: FieldView, value: unknown, isWhole: boolean): string | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  if (!numberShape.test(text)) return /^-?\d{13,}/.test(text) ? 'is too large' : 'must be a number'
  const number = new Decimal(text)
  if (number.lt(min)) return `may not be under ${min}`
  if (max !== undefined && number.gt(max)) return `may not be over ${max}`
  if (isWhole && !number.isInteger()) return 'must be a whole number'
  return kind === 'money' && number.decimalPlaces() > 2 ? 'may hold two decimals at most' : undefined
}

function gridProblems({ key, columns, min, max }: GridDefinition, value: unknown): FieldError[] {
  if (!Array.isArray(value) || value.length < min || value.length > max) return [{ field: key, message: `needs ${min} to ${max} rows` }]
  return value.flatMap((row: unknown, index) => {
    if (typeof row !== 'object' || row === null) return [{ field: `${key}.${index}`, message: 'is not a row' }]
    const extra = Object.keys(row).filter((name) => !columns.some((column) => column.key === name))
    return [
      ...extra.map((name) => ({ field: `${key}.${index}.${name}`, message: 'is not a column' })),
      ...columns
        .flatMap((column) => problem(column, (row as Entered)[column.key]))
        .map((error) => ({ ...error, field: `${key}.${index}.${error.field}` })),
    ]
  })
}

/** A day of the calendar as YYYY-MM-DD. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const day = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)
}

/** Whole months from one day to a later one; 0 when it is not later. */
export function monthsBetween(from: string, to: string): number {
  const [[y1 = 0, m1 = 0, d1 = 0], [y2 = 0, m2 = 0, d2 = 0]] = [from, to].map((day) => day.split('-').map(Number)) as [number[], number[]]
  return Math.max(0, (y2 - y1) * 12 + (m2 - m1) - (d2 < d1 ? 1 : 0))
}
