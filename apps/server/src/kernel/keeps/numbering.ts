import { prepared } from '@outpost/platform/db/prepared'
import { sql } from '@outpost/platform/db/sql'
import type { AnyResource, Ctx, FieldDefinition } from '../types.ts'
import { takeReady } from './ready-numbers.ts'

interface Numbering {
  prefix: string
  digits: number
  /** Numbers lie ready, so that records made at the same time do not wait for one another. Their order may then differ from that of the commits. */
  isPooled?: boolean
}

/** A field with the record's number (column "number") from the company's own counter: recordNumber({ prefix: 'C-', digits: 5 }) shows C-00042. */
export const recordNumber = ({ prefix, digits, isPooled }: Numbering, label = 'Number'): FieldDefinition & { sql: string } => ({
  kind: 'text',
  label,
  readOnly: true,
  isNumber: true,
  ...(isPooled ? { isPooled } : {}),
  sql: numberText({ prefix, digits }),
})

/** SQL text of a number over alias t; never cut, however many there are. */
const numberText = ({ prefix, digits }: Pick<Numbering, 'prefix' | 'digits'>) =>
  `'${prefix}' || lpad(t."number"::text, greatest(${digits}, length(t."number"::text)), '0')`

const isNumbered = ({ fields }: AnyResource) => Object.values(fields).some((field) => field.isNumber)
const isPooled = ({ fields }: AnyResource) => Object.values(fields).some((field) => field.isPooled)

/**
 * So many new numbers of the resource, none when it has none: there are no gaps and no twins. The counter is locked until the transaction ends and rolls back
 * with it; numbers that lie ready are taken first, and lock nobody else.
 */
export async function takeNumbers(ctx: Ctx, resource: AnyResource, count: number): Promise<readonly number[]> {
  if (count === 0 || !isNumbered(resource)) return []
  const ready = isPooled(resource) ? await takeReady(ctx, resource.one, count) : []
  const missing = count - ready.length
  return missing === 0 ? ready : [...ready, ...(await countUp(ctx, resource.one, missing))]
}

async function countUp(ctx: Ctx, objectType: string, count: number): Promise<number[]> {
  const { last } = await ctx.sql.one<{ last: number }>(
    prepared(
      sql`
    insert into record_counter ("companyId", "objectType", "last") values (${ctx.company.id}::uuid, ${objectType}, ${count})
    on conflict ("companyId", "objectType") do update set "last" = record_counter."last" + ${count} returning "last"`,
      'write',
    ),
  )
  return Array.from({ length: count }, (_, place) => last - count + 1 + place)
}
