import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../types.ts'

interface UserPlace {
  location: string
  lat: string
  lng: string
}

/**
 * The place of a user's tenant, for work that names none: of a tenant of type 4 when the user has several (the
 * specification takes tenant_type 4 for a branch here, and only here), else of the first one. A blank or "unknown"
 * place is the parent's, up the chain. Undefined when there is no such user or no place at all.
 */
export async function locateUser(ctx: Ctx, userId: string): Promise<UserPlace | undefined> {
  return ctx.sql.maybe<UserPlace>(sql`
    select above."location", coalesce(above."lat", 0)::text as lat, coalesce(above."lng", 0)::text as lng
    from (
      select t."path" from user_tenant m join tenant t on t."companyId" = m."companyId" and t."id" = m."tenantId" and t."deletedAt" is null
      where m."companyId" = ${ctx.company.id}::uuid and m."userId" = ${userId}::uuid
      order by (t."type" = 4) desc, m."position", m."tenantId" limit 1
    ) own
    join tenant above on above."companyId" = ${ctx.company.id}::uuid and above."id" = any(own."path")
    where nullif(lower(trim(above."location")), 'unknown') <> ''
    order by cardinality(above."path") desc limit 1`)
}
