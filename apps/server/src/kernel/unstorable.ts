import { errorTable, Failure, type FieldError } from '@outpost/contract/errors'
import { missingColumn, pgErrorKind } from '@outpost/platform/db/errors'
import { isUsualYear, wrongYear } from './days.ts'

/**
 * Names the fields of an input that were refused for their value without a field: by Postgres, or by a service behind this one. A schema
 * says it first where a field has one; texts and days that an area only passes on are found here. Any other error is given back as it is.
 */
export function namedRefusal(error: unknown, input: unknown): unknown {
  const kind = pgErrorKind(error)
  const column = kind === 'notNull' ? missingColumn(error) : undefined
  if (column !== undefined) return new Failure('INVALID', { fields: [{ field: column, message: 'is required' }] })
  const isNameless =
    error instanceof Failure && error.failure === 'INVALID' && error.message === errorTable.INVALID.message && !error.more.fields
  if (kind !== 'invalidValue' && !isNameless) return error
  const fields = unstorable(input, [])
  return fields.length > 0 ? new Failure('INVALID', { fields }) : error
}

function unstorable(value: unknown, path: readonly string[]): FieldError[] {
  if (typeof value === 'string') {
    const message = faultOf(value)
    return message === undefined ? [] : [{ field: path.join('.'), message }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => unstorable(inner, [...path, key]))
}

function faultOf(text: string): string | undefined {
  if (text.includes('\0')) return 'may not hold the NUL character'
  if (!text.isWellFormed()) return 'may not hold half a character'
  return isUsualYear(text) ? undefined : wrongYear
}
