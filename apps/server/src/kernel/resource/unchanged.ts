import { isDeepStrictEqual } from 'node:util'
import type { AnyResource } from '../types.ts'
import { columnOf } from './define.ts'
import { dayText } from '../days.ts'
import type { Columns } from './write.ts'

/** The columns that another value is given for than the row holds; a value and its stored form count as one. */
export function changedColumns(resource: AnyResource, before: Columns, values: Columns): Columns {
  return Object.fromEntries(
    Object.entries(values).filter(([key, value]) => !isStored(before[key], value, columnOf(resource, key)?.native === 'Date')),
  )
}

/** `held` in the model's types (Date, bigint, Decimal), `value` as a body or the program gives it. */
function isStored(held: unknown, value: unknown, isDay: boolean): boolean {
  if (held == null || value == null) return (held ?? null) === (value ?? null)
  if (held instanceof Date) return isDay ? dayText(held) === dayText(dateOf(value)) : held.getTime() === dateOf(value).getTime()
  if (typeof held === 'bigint') return String(held) === String(value)
  if (isDecimal(held)) return held.equals(value as number)
  return isDeepStrictEqual(held, value)
}

/** A value of the model's types as JSON holds it: counters and amounts are numbers. */
export const plainValue = (value: unknown): unknown => (typeof value === 'bigint' || isDecimal(value) ? Number(value) : value)

const dateOf = (value: unknown) => (value instanceof Date ? value : new Date(String(value)))
/** True for an exact number as the model holds it. */
export const isDecimal = (held: unknown): held is { equals(other: number | string): boolean; toString(): string } =>
  typeof held === 'object' && held !== null && 'equals' in held && 'toDecimalPlaces' in held
