import type { Option } from '@outpost/contract/fields'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../../../kernel/types.ts'

/** Statuses that new work in the caller's tenant may have, in the company's order: the columns of a board. */
export const statusColumns = (ctx: Ctx): Promise<Option[]> =>
  ctx.sql.query<Option>(sql`
    select o."id" as value, case when o."tenantId" = any(${ctx.tenant.path}::uuid[]) then o."name" else o."name" || ' (' || b."shortCode" || ')' end as label,
      coalesce(o."colour", 'default') as colour
    from activity_status o join tenant b on b."companyId" = o."companyId" and b."id" = o."tenantId"
    where o."companyId" = ${ctx.company.id} and o."status" = 1 and (o."tenantId" = any(${ctx.tenant.path}::uuid[]) or ${ctx.tenant.type === 2})
    order by o."position", o."name", o."id"`)
