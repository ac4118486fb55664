import { toTenantOptions } from '@outpost/rules/people/option-label'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { createRecord, getRecord, updateRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { checkInput, idSchema, writeSchemas } from '../../kernel/resource/schema.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { activity } from './activity.resource.ts'
import { statusInput, statusMove } from './activity.workflow.ts'
import { notifyNewAgents } from './agents/activity.agents.ts'
import { changeSeries } from './series/activity.change.ts'
import { checkedRule, scopes, startSeries } from './series/activity.series.ts'

/** Files come by a call of their own, with where the agent was; a whole activity names none. */
const noFiles = z.array(z.unknown()).max(0, 'are sent to update-assignment-files').nullish()
const beside = {
  newFiles: noFiles,
  removedFiles: noFiles,
  recurrence: z.string().max(300).nullish(),
  scope: z.enum(scopes).nullish(),
  statusId: z.union([idSchema, z.literal('')]).nullish(),
}
/** An activity, its status and how it repeats; the fields are checked by the resource. */
export const activityInput = z.looseObject(beside)
export const activityUpdate = activityInput.extend({ id: idSchema })
type ActivityInput = z.infer<typeof activityInput>

/** The fields of the resource in a body. */
const fieldsOf = ({ newFiles: _, removedFiles: __, recurrence: ___, scope: ____, statusId: _____, ...fields }: ActivityInput) => fields

/** Plans an activity. Without an agent it is the caller's own; with a rule its later occurrences are made too. */
export async function createActivity(ctx: Ctx, { recurrence, statusId, ...body }: ActivityInput): Promise<Answer> {
  const rule = checkedRule(recurrence)
  return withStream(ctx, async (inner) => {
    const made = await createRecord(inner, activity, checkInput(writeSchemas(activity).create, fieldsOf(body)))
    await notifyNewAgents(inner, { after: made })
    if (rule) await startSeries(inner, made.Id, rule)
    // A status of its own is taken as a change is: with its rules, for the agents too, and in the log.
    if (statusId) await updateRecord(inner, activity, made.Id, statusInput(statusId), statusMove(statusId))
    return { data: { activity: await getRecord(inner, activity, made.Id) }, message: 'Activity created successfully' }
  })
}

/** Changes an activity, or with a scope its series. */
export async function updateActivity(ctx: Ctx, { id, ...body }: z.infer<typeof activityUpdate>): Promise<Answer> {
  return withStream(ctx, async (inner) => ({
    data: { activity: await changeActivity(inner, id, body) },
    message: 'Activity Updated Successfully.',
  }))
}

/**
 * Changes an activity: fields, status (which all its agents take over), links. With a scope the later occurrences of
 * its series, or all that are still to be done, change alike. Must run inside withStream.
 */
export async function changeActivity(ctx: Ctx, id: string, { recurrence, scope, statusId, ...body }: ActivityInput): Promise<WireRecord> {
  const before = await getRecord(ctx, activity, id)
  const rule = recurrence === undefined ? undefined : (checkedRule(recurrence) ?? null)
  const fields = checkInput(writeSchemas(activity).update, { ...fieldsOf(body), id })
  const next = statusId === before['statusId'] ? undefined : statusId
  const after = await updateRecord(ctx, activity, id, { ...fields, ...statusInput(next) }, statusMove(next))
  await notifyNewAgents(ctx, { before, after })
  await changeSeries(ctx, { before, after, fields, rule, scope: scope ?? 'this' })
  return getRecord(ctx, activity, id)
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
