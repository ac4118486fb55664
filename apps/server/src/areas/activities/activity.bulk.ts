import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { getRecord, removeRecords, updateRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { checkInput, idSchema, writeSchemas } from '../../kernel/resource/schema.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { activityInput, changeActivity } from './activity.handlers.ts'
import { statusInput, statusMove } from './activity.workflow.ts'
import { notifyNewAgents } from './agents/activity.agents.ts'
import { idsOrRecords } from './agents/activity.links.ts'
import { activity } from './activity.resource.ts'
import { removeSeriesPart, scopes } from './series/activity.series.ts'
import { activityNotFound } from './activity.errors.ts'

const ids = z.array(idSchema).min(1).max(500)
const changed = activityInput.extend({ Id: idSchema })
/** Whole activities with what is new in each, or ids with what is new in all of them. */
export const bulkInput = z
  .strictObject({
    activities: z.array(changed).min(1).max(500).optional(),
    ids: ids.optional(),
    statusId: idSchema.optional(),
    reason: z.string().trim().max(300).nullish(),
    activityTypeId: idSchema.optional(),
    assignedUsers: idsOrRecords,
    days: z.int().min(-366).max(366).optional(),
  })
  .refine((input) => (input.activities === undefined) !== (input.ids === undefined), {
    path: ['activities'],
    error: 'give activities, or ids with what is to change',
  })

type BulkInput = z.infer<typeof bulkInput>

/** Changes many activities, all or none: fields, agents, status, or so many days later. */
export async function bulkUpdate(ctx: Ctx, input: BulkInput): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const saved: WireRecord[] = []
    for (const { Id, ...body } of input.activities ?? []) saved.push(await changeActivity(inner, Id, body))
    for (const id of new Set(input.ids)) saved.push(await changeOne(inner, id, input))
    return {
      data: { activities: saved },
      message: saved.length === 1 ? 'Activity Updated Successfully.' : `${saved.length} activities updated`,
    }
  })
}

async function changeOne(ctx: Ctx, id: string, { statusId, reason, activityTypeId, assignedUsers, days }: BulkInput): Promise<WireRecord> {
  const before = await getRecord(ctx, activity, id)
  const times = days === undefined ? {} : await movedTimes(ctx, id, days)
  const given = { id, ...times, ...(activityTypeId ? { activityTypeId } : {}), ...(assignedUsers ? { assignedUsers } : {}) }
  const fields = checkInput(writeSchemas(activity).update, given)
  const after = await updateRecord(ctx, activity, id, { ...fields, ...statusInput(statusId) }, statusMove(statusId, reason))
  await notifyNewAgents(ctx, { before, after })
  return after
}

/** The same time of day in the company's zone, so many days later. */
async function movedTimes(ctx: Ctx, id: string, days: number): Promise<{ startDate: string; endDate: string }> {
  const { timeZone } = ctx.company
  const moved = await ctx.sql.maybe<{ startDate: Date; endDate: Date }>(sql`
    select ((m.at at time zone ${timeZone}) + make_interval(days => ${days}::int)) at time zone ${timeZone} as "startDate",
      ((m.at at time zone ${timeZone}) + make_interval(days => ${days}::int)) at time zone ${timeZone} + m.length as "endDate"
    from (select "startDate" as at, "endDate" - "startDate" as length from activity where "companyId" = ${ctx.company.id} and "id" = ${id} and "deletedAt" is null) m`)
  if (!moved) return fail(activityNotFound)
  return { startDate: moved.startDate.toISOString(), endDate: moved.endDate.toISOString() }
}

export const removeInput = z
  .strictObject({ id: idSchema.optional(), Id: idSchema.optional(), ids: ids.optional(), scope: z.enum(scopes).default('this') })
  .refine((given) => [given.id, given.Id, given.ids].filter((one) => one !== undefined).length === 1, {
    path: ['id'],
    error: 'give id or ids',
  })

/** Deletes activities, all or none; with a scope also those of their series that are still to be done. data.ids: what is gone. */
export async function removeActivities(ctx: Ctx, { id, Id, ids: many = [], scope }: z.infer<typeof removeInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const wanted = new Set([id, Id, ...many].filter((given) => given !== undefined).map((one) => one.toLowerCase()))
    if (scope !== 'this') for (const one of [...wanted]) for (const other of await removeSeriesPart(inner, one, scope)) wanted.add(other)
    await removeRecords(inner, activity, [...wanted])
    return {
      data: { ids: [...wanted] },
      message: wanted.size === 1 ? 'Activity deleted successfully' : `${wanted.size} activities deleted`,
    }
  })
}
