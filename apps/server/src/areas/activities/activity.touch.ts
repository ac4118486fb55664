import { fail } from '@outpost/contract/errors'
import { sql, trusted } from '@outpost/platform/db/sql'
import { announce } from '../../kernel/realtime/announce.ts'
import { getRecord, updateRecord, type WireRecord } from '../../kernel/resource/records.ts'
import type { Ctx } from '../../kernel/types.ts'
import { activity } from './activity.resource.ts'
import { assignment } from './assignment.resource.ts'

/**
 * Writes columns of an activity, or none when only what hangs on it changed: either way its version rises and devices
 * pull it again. Must run inside withStream. What hangs on it follows when it moves to another tenant.
 */
export async function touch(ctx: Ctx, id: string, columns: Record<string, unknown> = {}): Promise<WireRecord> {
  const saved = await updateRecord(ctx, activity, id, columns)
  if (columns['tenantId']) await follow(ctx, id, String(columns['tenantId']))
  announce(ctx, assignment, [id], 'updated', [String(saved['tenantId'])])
  return getRecord(ctx, activity, id)
}

const hanging = ['activity_assignment', 'activity_lead', 'activity_client', 'activity_entity', 'activity_file', 'activity_gift']

async function follow(ctx: Ctx, id: string, tenantId: string): Promise<void> {
  for (const table of hanging)
    await ctx.sql.exec(
      sql`update ${trusted(table)} set "tenantId" = ${tenantId} where "companyId" = ${ctx.company.id} and "activityId" = ${id}`,
    )
}

/**
 * The tenant that an activity of these agents is filed under: its own when all of them see it there, else the topmost
 * one in the caller's reach where they do. Agents see what is filed in their tenants and below. INVALID when there is none.
 */
export async function homeOf(ctx: Ctx, tenantId: string, users: readonly string[]): Promise<string> {
  if (users.length === 0) return tenantId
  const inReach = ctx.scope === '*' ? sql`` : sql`and c."id" = any(${ctx.scope}::uuid[])`
  const home = await ctx.sql.maybe<{ id: string }>(sql`
    select c."id" from tenant c
    where c."companyId" = ${ctx.company.id} and c."deletedAt" is null ${inReach}
      and (c."id" = ${tenantId} or exists (select 1 from user_tenant o where o."companyId" = c."companyId" and o."userId" = any(${users}::uuid[]) and o."tenantId" = c."id"))
      and not exists (select 1 from app_user u where u."companyId" = c."companyId" and u."id" = any(${users}::uuid[]) and not exists (
        select 1 from user_tenant m where m."companyId" = u."companyId" and m."userId" = u."id" and m."tenantId" = any(c."path")))
    order by (c."id" = ${tenantId}) desc, cardinality(c."path"), c."id" limit 1`)
  return (
    home?.id ??
    fail('INVALID', {
      fields: [{ field: 'assignedUsers', message: 'work in tenants that see nothing in common: plan an activity for each' }],
    })
  )
}
