import { identifier, sql } from '@outpost/platform/db/sql'
import type { AnyResource, Ctx } from '../types.ts'
import { withStream } from './stream.ts'

interface Beyond {
  id: string
  tenantId: string
  seq: number
  isGone: boolean
}

/**
 * Puts written records into the feed of tenants whose people see them although they are filed elsewhere (`seenFrom`), under the
 * number that each record has. `former`: tenants that are to look again, for somebody there saw the record before. Who may not
 * read it there gets its removal.
 */
export async function feedBeyond(ctx: Ctx, resource: AnyResource, ids: readonly string[], former: readonly string[] = []): Promise<void> {
  const { seenFrom, table, one } = resource
  if (!seenFrom || ids.length === 0) return
  await withStream(ctx, async (inner, stream) => {
    const wanted = sql`${ids}::uuid[]`
    // Tenants beyond the writer's reach are left out: nobody writes into their feed.
    const reached = inner.scope === '*' ? sql`` : sql`and b."tenantId" = any(${inner.scope}::uuid[])`
    const rows = await inner.sql.query<Beyond>(sql`
      select distinct t."id", b."tenantId", t."syncSeq"::float8 as seq, t."deletedAt" is not null as "isGone" from ${identifier(table)} t
      join (${seenFrom(wanted)} union all select i, f from unnest(${wanted}) i, unnest(${former}::uuid[]) f) b("id", "tenantId") on b."id" = t."id"
      where t."companyId" = ${inner.company.id} and t."id" = any(${wanted}) and b."tenantId" <> t."tenantId" ${reached}`)
    for (const { id, tenantId, seq, isGone } of rows)
      stream.feed({ entityType: one, entityId: id, tenantId, seq, op: isGone ? 'gone' : 'put' })
  })
}

/** The tenants whose people see a record beyond the one that it is filed in. */
export async function tenantsBeyond(ctx: Ctx, { seenFrom }: AnyResource, id: string): Promise<string[]> {
  if (!seenFrom) return []
  const rows = await ctx.sql.query<{ tenantId: string }>(
    sql`select distinct b."tenantId" from (${seenFrom(sql`${[id]}::uuid[]`)}) b("id", "tenantId")`,
  )
  return rows.map(({ tenantId }) => tenantId)
}
