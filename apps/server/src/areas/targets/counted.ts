import { identifier, join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { mayAny } from '@outpost/rules/people/permission'
import type { CountedRecords } from '../../kernel/metrics.ts'
import { fieldSql } from '../../kernel/resource/read/columns.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import type { Area, Ctx } from '../../kernel/types.ts'

/** Records behind numbers of targets, by the `entity` of their events: as each area declares its own. */
export type Counted = ReadonlyMap<string, CountedRecords>

export const countedOf = (areas: readonly Area[]): Counted =>
  new Map(areas.flatMap(({ counted }) => counted.map((one) => [one.resource.one, one])))

/** The screens that show a record of each entity, for the console. */
export const countedScreens = (counted: Counted): Record<string, readonly string[]> =>
  Object.fromEntries([...counted].map(([entity, { screens = [] }]) => [entity, screens]))

interface Named {
  entity: string
  entityId: string
}

/** What these records are called, by `<entity> <id>`: those alone that the caller's permissions and reach show. */
export async function labelsOf(ctx: Ctx, counted: Counted, hits: readonly Named[]): Promise<Map<string, string>> {
  const named = [...Map.groupBy(hits, ({ entity }) => entity)].flatMap(([entity, own]) => {
    const records = counted.get(entity)
    const ids = own.map(({ entityId }) => entityId)
    return records && mayAny(ctx, records.anyOf) ? [labels(ctx, records, ids)] : []
  })
  if (named.length === 0) return new Map()
  const rows = await ctx.sql.query<Named & { label: string }>(join(named, ' union all '))
  return new Map(rows.map(({ entity, entityId, label }) => [`${entity} ${entityId}`, label]))
}

function labels(ctx: Ctx, { resource, name = [resource.title], words }: CountedRecords, ids: readonly string[]): Statement {
  const label =
    words === undefined
      ? sql`concat_ws(' ', ${join(
          name.map((key) => fieldSql(resource, key)),
          ', ',
        )})`
      : sql`${words}::text`
  return sql`select ${resource.one}::text as entity, t."id" as "entityId", ${label} as label from ${identifier(resource.table)} t
    where ${visibleRows(ctx, resource)} and t."id" = any(${ids}::uuid[])`
}
