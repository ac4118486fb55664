import { sql } from '@outpost/platform/db/sql'
import { createRecord } from '../../../kernel/resource/records.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { activity } from '../../activities/index.ts'

export interface Visit {
  name: string
  description: string
  tenantId: string
  clientId: string
  /** Who it may be for, the first that still works here has it. */
  people: readonly string[]
  start: Date
}

/** An hour's activity about a loan, of the kind that is for collecting where there is one; null where the company has no kind of activity, or nobody is left. */
export async function planVisit(ctx: Ctx, { name, description, tenantId, clientId, people, start }: Visit): Promise<string | null> {
  const type = await ctx.sql.maybe<{ id: string }>(sql`
    select "id" from activity_type where "companyId" = ${ctx.company.id}::uuid and "status" = 1
      and "tenantId" = any(select unnest(n."path") from tenant n where n."companyId" = ${ctx.company.id}::uuid and n."id" = ${tenantId}::uuid) order by "name" ilike '%collect%' desc, "default" desc, "name" limit 1`)
  const agent = await ctx.sql.maybe<{ id: string }>(sql`
    select "id" from app_user where "companyId" = ${ctx.company.id}::uuid and "id" = any(${[...people]}::uuid[]) and "status" = 1 and "deletedAt" is null
    order by array_position(${[...people]}::uuid[], "id") limit 1`)
  if (!type || !agent) return null
  const { Id } = await createRecord(
    ctx,
    activity,
    {
      name,
      description,
      activityTypeId: type.id,
      startDate: start,
      endDate: new Date(start.getTime() + 3_600_000),
      clients: [clientId],
      assignedUsers: [agent.id],
    },
    { tenantId },
  )
  return Id
}
