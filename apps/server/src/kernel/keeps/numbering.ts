import { prepared } from '@outpost/platform/db/prepared'
import { sql } from '@outpost/platform/db/sql'
import type { AnyResource, Ctx, FieldDefinition } from '../types.ts'

interface Numbering {
  prefix: string
  digits: number
}

/** A field with the record's number (column "number") from the company's own counter: recordNumber({ prefix: 'C-', digits: 5 }) shows C-00042. */
export const recordNumber = ({ prefix, digits }: Numbering, label = 'Number'): FieldDefinition & { sql: string } => ({
  kind: 'text',
  label,
  readOnly: true,
  isNumber: true,
  sql: numberText({ prefix, digits }),
})

/** SQL text of a number over alias t; never cut, however many there are. */
const numberText = ({ prefix, digits }: Numbering) =>
  `'${prefix}' || lpad(t."number"::text, greatest(${digits}, length(t."number"::text)), '0')`

const isNumbered = ({ fields }: AnyResource) => Object.values(fields).some((field) => field.isNumber)

/**
 * The first of so many new numbers of the resource; undefined when it has none. The counter is locked until the transaction
 * ends and rolls back with it: there are no gaps and no twins.
 */
export async function takeNumbers(ctx: Ctx, resource: AnyResource, count: number): Promise<number | undefined> {
  if (count === 0 || !isNumbered(resource)) return undefined
  const { last } = await ctx.sql.one<{ last: number }>(
    prepared(
      sql`
    insert into record_counter ("companyId", "objectType", "last") values (${ctx.company.id}::uuid, ${resource.one}, ${count})
    on conflict ("companyId", "objectType") do update set "last" = record_counter."last" + ${count} returning "last"`,
      'write',
    ),
  )
  return last - count + 1
}
