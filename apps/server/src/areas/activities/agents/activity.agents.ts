import { failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { notify } from '../../../kernel/realtime/notify.ts'
import type { WireRecord } from '../../../kernel/resource/records.ts'
import { commonTenant, workingHere } from '../../../kernel/session/common-tenant.ts'
import type { Ctx, PrepareWrite } from '../../../kernel/types.ts'
import { workNews } from '../../agents/index.ts'

export type ActivityWrite = PrepareWrite<ModelRow<'activity'> & { assignedUsers?: string[] }>

/**
 * Who does the work that a write gives, and where it is filed: an activity without an agent belongs to whoever made it, and it
 * is filed where all its agents see it. Nothing where the write names no agents. INVALID when they have no such tenant.
 */
export async function agentsOfWrite(
  ctx: Ctx,
  { kind, input, before }: ActivityWrite,
): Promise<{ assignedUsers?: string[]; tenantId?: string }> {
  const given = input.assignedUsers ?? (kind === 'create' ? [] : undefined)
  if (!given) return {}
  const assignedUsers = given.length > 0 ? given : await workingHere(ctx, [before?.createdUserId ?? ctx.user.id])
  const tenantId = input.tenantId ?? before?.tenantId ?? ctx.tenant.id
  const home =
    (await commonTenant(ctx, tenantId, assignedUsers)) ??
    failField('assignedUsers', 'work in tenants that see nothing in common: plan an activity for each')
  return { assignedUsers, ...(home === tenantId ? {} : { tenantId: home }) }
}

/** What a new agent's part begins with, for each activity: its status, or work to be done where it is in progress already. */
export async function newAssignments(ctx: Ctx, activities: readonly Readonly<Record<string, unknown>>[]): Promise<object[]> {
  const ids = [...new Set(activities.flatMap(({ statusId }) => (typeof statusId === 'string' ? [statusId] : [])))]
  const rows = await ctx.sql.query<{ id: string; statusId: string; statusText: string }>(sql`
    select s."id", coalesce(o."id", s."id") as "statusId", coalesce(o."name", s."name") as "statusText" from activity_status s
    left join lateral (select n."id", n."name" from activity_status n where s."meaning" = 'started' and n."companyId" = s."companyId" and n."meaning" = 'open' and n."status" = 1
      order by n."default" desc, n."position", n."id" limit 1) o on true
    where s."companyId" = ${ctx.company.id} and s."id" = any(${ids}::uuid[])`)
  const begins = new Map(rows.map(({ id, ...begin }) => [id, begin]))
  return activities.map(({ statusId, status }) => begins.get(String(statusId)) ?? { statusId: null, statusText: status ?? null })
}

/** Tells those who were given an activity that they did not have before. */
export async function notifyNewAgents(ctx: Ctx, { before, after }: { before?: WireRecord; after: WireRecord }): Promise<void> {
  const former = before ? agentIds(before) : []
  await tell(ctx, { id: after.Id, name: after['name'] }, newOnes(ctx, former, agentIds(after)))
}

/** The same for what a device sends, which no handler sees. */
export async function notifyAgentsOfSync(ctx: Ctx, { id, input, before }: ActivityWrite, agents: readonly string[]): Promise<void> {
  if (ctx.source !== 'sync' || agents.length === 0) return
  const former = await ctx.sql.query<{ userId: string }>(
    sql`select "userId" from activity_assignment where "companyId" = ${ctx.company.id} and "activityId" = ${id}`,
  )
  const given = newOnes(
    ctx,
    former.map(({ userId }) => userId),
    agents,
  )
  await tell(ctx, { id, name: input.name ?? before?.name }, given)
}

const newOnes = (ctx: Ctx, former: readonly string[], agents: readonly string[]) =>
  agents.filter((id) => id !== ctx.user.id && !former.includes(id))

async function tell(ctx: Ctx, { id, name }: { id: string; name: unknown }, agents: readonly string[]): Promise<void> {
  for (const userId of agents)
    await notify(ctx, {
      userId,
      itemType: 'Activity',
      kind: workNews,
      itemId: id,
      message: `You were given “${String(name)}”`,
      link: `/sales/activities/${id}/view`,
    })
}

/** Ids of the records in a relation of an activity that was read. */
export const idsIn = (record: WireRecord, key: 'assignedUsers' | 'leads' | 'clients'): string[] =>
  (record[key] as { Id: string }[]).map(({ Id }) => Id)
export const agentIds = (record: WireRecord): string[] => idsIn(record, 'assignedUsers')
