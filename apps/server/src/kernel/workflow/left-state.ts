import { failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { dayEnd, dayStart } from '../resource/read/filter.ts'
import type { Ctx, FieldDefinition } from '../types.ts'

/** Filter of a resource with a workflow: the records that left a state within two days, the last one included, the value being `Contacted 2026-11-01 2026-11-30`. */
export function leftStateFilter({ one, field, label }: { one: string; field: string; label: string }): FieldDefinition & { sql: string } {
  return {
    kind: 'text',
    label,
    readOnly: true,
    isFilterOnly: true,
    sql: 'null::text',
    filterBy: (ctx, value) =>
      sql`exists (select from record_move m where m."companyId" = t."companyId" and m."objectType" = ${one} and m."objectId" = t."id" and ${leftWithin(ctx, field, value)})`,
  }
}

/** What follows the state in a value of the filter: `2026-11-01 2026-11-30`. */
export const leftStatePeriod = ({ startDate, endDate }: { startDate: string; endDate: string }): string => `${startDate} ${endDate}`

function leftWithin({ company: { timeZone } }: Ctx, field: string, value: string): Statement {
  const [, state, first, last] = /^(.{1,80}) (\d{4}-\d\d-\d\d) (\d{4}-\d\d-\d\d)$/.exec(value) ?? []
  if (state === undefined || !isDay(first) || !isDay(last))
    return failField('filter', 'needs a state and two days: Contacted 2026-11-01 2026-11-30')
  return sql`m."field" = ${field} and m."partId" is null and m."from" = ${state} and m."dateCreated" >= ${dayStart(first, timeZone)} and m."dateCreated" < ${dayEnd(last, timeZone)}`
}

const isDay = (text: string | undefined): text is string => text !== undefined && /^[12]/.test(text) && !Number.isNaN(Date.parse(text))
