import type { FieldView } from '@outpost/contract/fields'
import { ApiError } from '../../../data/api.ts'
import type { Row } from '../../../data/records.ts'
import type { Conflict } from './ConflictDialog.tsx'
import { isSameValue, wireValues } from './values.ts'
import type { RecordValues } from './values.ts'

/** The record as it is on the server, from the refusal of an outdated save; undefined for any other error. */
export function currentOf(error: unknown): Row | undefined {
  const current = error instanceof ApiError && error.code === 'CONFLICT' ? error.details?.current : undefined
  return typeof current === 'object' && current !== null ? (current as Row) : undefined
}

/** Fields that both sides changed, differently, since the record was loaded. */
export function conflictsOf(fields: readonly FieldView[], mine: RecordValues, base: Row, theirs: Row): Conflict[] {
  const [before, after] = [wireValues(fields, base), wireValues(fields, theirs)]
  return fields
    .filter(
      (field) =>
        field.key in mine &&
        !isSameValue(mine[field.key], before[field.key]) &&
        !isSameValue(after[field.key], before[field.key]) &&
        !isSameValue(mine[field.key], after[field.key]),
    )
    .map((field) => ({ field, mine: mine[field.key], theirs: theirs[field.key] }))
}
