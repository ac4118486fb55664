import { Failure, type FieldError } from '@outpost/contract/errors'
import { pgErrorCode } from '@outpost/platform/db/errors'
import { isUsualYear, wrongYear } from './resource/days.ts'

/** SQLSTATEs with which Postgres refuses a value itself: characters it does not store, days and times it does not know. */
const refusals = new Set(['22021', '22P05', '22007', '22008'])

/**
 * Names the fields of an input that Postgres refused for their value. A schema says it first where a field has one; texts and days that an
 * area only passes on are found here. Any other error is given back as it is.
 */
export function namedRefusal(error: unknown, input: unknown): unknown {
  if (!refusals.has(pgErrorCode(error) ?? '')) return error
  const fields = unstorable(input, [])
  return fields.length > 0 ? new Failure('INVALID', { fields }) : error
}

function unstorable(value: unknown, path: readonly string[]): FieldError[] {
  if (typeof value === 'string') {
    const field = path.join('.')
    if (value.includes('\0')) return [{ field, message: 'may not hold the NUL character' }]
    return isUsualYear(value) ? [] : [{ field, message: wrongYear }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => unstorable(inner, [...path, key]))
}
