import { toTenantOptions } from '@outpost/rules/people/option-label'
import { sql } from '@outpost/platform/db/sql'
import type { z } from 'zod'
import { createRecord, getRecord } from '../../kernel/resource/records.ts'
import { checkInput, writeSchemas } from '../../kernel/resource/schema.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { changeActivity, type activityInput, type activityUpdate } from './activity.change.ts'
import { idsOf, setLinks } from './activity.links.ts'
import { activity } from './activity.resource.ts'
import { checkedRule, startSeries } from './activity.series.ts'
import { setWholeStatus } from './activity.status.ts'

/** Plans an activity. Without an agent it is the caller's own; with a rule its later occurrences are made too. */
export async function createActivity(
  ctx: Ctx,
  {
    assignedUsers,
    leads,
    clients,
    recurrence,
    statusId,
    scope: _,
    newFiles: __,
    removedFiles: ___,
    ...body
  }: z.infer<typeof activityInput>,
): Promise<Answer> {
  const rule = checkedRule(recurrence)
  return withStream(ctx, async (inner) => {
    const { Id } = await createRecord(inner, activity, checkInput(writeSchemas(activity).create, body))
    await setLinks(inner, Id, { users: idsOf(assignedUsers) ?? [], leads: idsOf(leads) ?? [], clients: idsOf(clients) ?? [] })
    if (rule) await startSeries(inner, Id, rule)
    // A status of its own is taken as a change is: with its rules, for the agents too, and in the log.
    if (statusId) await setWholeStatus(inner, { id: Id, statusId })
    return { data: { activity: await getRecord(inner, activity, Id) }, message: 'Activity created successfully' }
  })
}

/** Changes an activity, or with a scope its series. */
export async function updateActivity(ctx: Ctx, { id, ...body }: z.infer<typeof activityUpdate>): Promise<Answer> {
  return withStream(ctx, async (inner) => ({
    data: { activity: await changeActivity(inner, id, body) },
    message: 'Activity Updated Successfully.',
  }))
}

type OptionTable = 'activity_type' | 'activity_status'

/** Active options of the caller's tenant and its parents; another tenant's carry its short code in brackets. */
export function optionsOf(table: OptionTable, many: string) {
  return async (ctx: Ctx): Promise<Answer> => {
    const from = table === 'activity_type' ? sql`activity_type` : sql`activity_status`
    const extra = table === 'activity_type' ? sql`o."geofenceRadius", o."duration"` : sql`o."meaning"`
    const rows = await ctx.sql.query<{ Id: string; name: string; tenantId: string; shortCode: string }>(sql`
      select o."id" as "Id", o."name", o."tenantId", o."status", o."colour", o."default", o."position", ${extra}, b."shortCode" from ${from} o
      join tenant b on b."companyId" = o."companyId" and b."id" = o."tenantId"
      where o."companyId" = ${ctx.company.id} and o."status" = 1 and (o."tenantId" = any(${ctx.tenant.path}::uuid[]) or ${ctx.tenant.type === 2})`)
    const codes = new Map(rows.map((row) => [row.tenantId, row.shortCode]))
    return { data: { [many]: toTenantOptions(rows, ctx.tenant.id, codes) } }
  }
}
