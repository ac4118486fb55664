import { failField } from '@outpost/contract/errors'
import { isIdentifier } from '@outpost/rules/validation'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx, FieldDefinition } from '../types.ts'

/** A filter by a person that no field says: the condition over alias t that whose records they are means. */
export function personFilter(label: string, condition: (ctx: Ctx, userId: Statement) => Statement): FieldDefinition & { sql: string } {
  return {
    kind: 'reference',
    label,
    to: 'user',
    readOnly: true,
    isFilterOnly: true,
    sql: 'null::uuid',
    filterBy: (ctx, value) => (isIdentifier(value) ? condition(ctx, sql`${value}::uuid`) : failField('filter', 'needs the id of a user')),
  }
}
