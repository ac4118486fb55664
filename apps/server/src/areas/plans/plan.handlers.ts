import { sql } from '@outpost/platform/db/sql'
import { addDays, dayOf } from '@outpost/rules/time-zone'
import { z } from 'zod'
import { companyDay, dayOrTime, daySchema } from '../../kernel/days.ts'
import { readPage } from '../../kernel/read-page.ts'
import { listRecords } from '../../kernel/resource/read/list.ts'
import { createRecord, getRecord, removeRecords, restoreRecords, updateRecord } from '../../kernel/resource/records.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { checkInput, idSchema, writeSchemas, type RecordInput } from '../../kernel/resource/schema.ts'
import type { MoveCalled } from '../../kernel/resource/writing.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { nameOf } from '../../kernel/names.ts'
import { activity } from '../activities/index.ts'
import { activityFacts } from './plan.facts.ts'
import { detailsLevel, type deleteInput, type PlanInput, type restoreInput, type StopInput } from './plan.input.ts'
import { activityPlan } from './plan.resource.ts'
import { readPlan, readStops, saveStops } from './plan.stops.ts'

/** Makes a plan and its stops, all or nothing. */
export async function createPlan(ctx: Ctx, { activityIds, agents, stops, status, setTimes = false, ...body }: PlanInput): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const { Id } = await createRecord(inner, activityPlan, checkInput(writeSchemas(activityPlan).create, body))
    const wanted = stops ?? (await stopsFor(inner, Id, { ids: activityIds ?? [], agents }))
    await saveStops(inner, Id, { agents, stops: wanted, setTimes })
    if (status) await updateRecord(inner, activityPlan, Id, ...moveTo(status))
    return { data: { activityPlan: await getRecord(inner, activityPlan, Id) }, message: 'Activity plan created successfully' }
  })
}

/** Changes a plan. Stops are set to exactly the given ones; without any their times are calculated anew. */
export async function updatePlan(
  ctx: Ctx,
  { id, activityIds, agents, stops, status, setTimes = false, ...body }: PlanInput & { id: string },
): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const [state, move] = moveTo(status)
    await updateRecord(inner, activityPlan, id, { ...checkInput(writeSchemas(activityPlan).update, { ...body, id }), ...state }, move)
    const wanted = stops ?? (activityIds ? await stopsFor(inner, id, { ids: activityIds, agents }) : await readStops(inner, id))
    await saveStops(inner, id, { agents, stops: wanted, setTimes })
    return { data: { activityPlan: await getRecord(inner, activityPlan, id) }, message: 'Activity plan updated successfully' }
  })
}

/** The status that a body gives, and the move that leads there. */
const moveTo = (status: string | null | undefined): [RecordInput, MoveCalled?] =>
  status ? [{ status }, { field: 'status', asked: {} }] : [{}]

/** Stops for bare activities: present ones stay as they are; each other goes to its own agent (or the plan's first) on the day it is due, within the plan. */
async function stopsFor(
  ctx: Ctx,
  planId: string,
  { ids, agents = [] }: { ids: string[]; agents?: string[] | undefined },
): Promise<StopInput[]> {
  const [plan, present, facts] = [await readPlan(ctx, planId), await readStops(ctx, planId), await activityFacts(ctx, ids, 'activityIds')]
  const known = present.filter(({ activityId }) => facts.has(activityId))
  const added = [...facts.values()]
    .filter(({ id }) => !known.some(({ activityId }) => activityId === id))
    .toSorted((a, b) => a.start - b.start)
  return [
    ...known,
    ...added.map(({ id, start, users }): StopInput => {
      const due = dayOf(start, ctx.company.timeZone)
      const day = due < plan.startDate ? plan.startDate : due > plan.endDate ? plan.endDate : due
      return { activityId: id, userId: users.find((user) => agents.includes(user)) ?? agents[0] ?? users[0] ?? ctx.user.id, day }
    }),
  ]
}

/** Deletes plans, with their activities when asked; both come back by restorePlans. */
export async function deletePlans(ctx: Ctx, { activityPlans, deleteActivities }: z.infer<typeof deleteInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    await removeRecords(inner, activityPlan, activityPlans)
    await inner.sql.exec(
      sql`update activity_plan_activity set "isLive" = false where "companyId" = ${inner.company.id} and "planId" = any(${activityPlans}::uuid[])`,
    )
    // Only what the caller sees goes along: the join is behind the walls of reach.
    const rows = deleteActivities
      ? await inner.sql.query<{ activityId: string }>(sql`
      update activity_plan_activity s set "isActivityDeleted" = true from activity v
      where s."companyId" = ${inner.company.id} and s."planId" = any(${activityPlans}::uuid[]) and v."companyId" = s."companyId" and v."id" = s."activityId" and v."deletedAt" is null
      returning s."activityId"`)
      : []
    const gone = [...new Set(rows.map(({ activityId }) => activityId))]
    if (gone.length > 0) await removeRecords(inner, activity, gone)
    return {
      data: { activityPlans, activities: gone },
      message:
        activityPlans.length === 1 ? 'Activity plan deleted successfully' : `${activityPlans.length} activity plans deleted successfully`,
    }
  })
}

/** Brings plans back with the activities that went with them. An activity planned elsewhere meanwhile refuses it. */
export async function restorePlans(ctx: Ctx, { activityPlans }: z.infer<typeof restoreInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const records = await restoreRecords(inner, activityPlan, activityPlans)
    const back = await inner.sql.query<{ activityId: string }>(sql`
      select distinct s."activityId" from activity_plan_activity s join activity v on v."companyId" = s."companyId" and v."id" = s."activityId" and v."deletedAt" is not null
      where s."companyId" = ${inner.company.id} and s."planId" = any(${activityPlans}::uuid[]) and s."isActivityDeleted"`)
    const ids = back.map(({ activityId }) => activityId)
    if (ids.length > 0) await restoreRecords(inner, activity, ids)
    await inner.sql.exec(sql`
      update activity_plan_activity set "isLive" = true, "isActivityDeleted" = false where "companyId" = ${inner.company.id} and "planId" = any(${activityPlans}::uuid[])`)
    return { data: { activityPlans: records }, message: 'Activity plan restored' }
  })
}

export const detailsInput = z.strictObject({ id: idSchema, detailsLevel })

/** The activities of a plan in their order: BASIC is what a route needs, FULL the whole activity beside it. */
export async function planActivities(ctx: Ctx, { id, detailsLevel }: z.infer<typeof detailsInput>): Promise<Answer> {
  await getRecord(ctx, activityPlan, id)
  const stops = await ctx.sql.query<{ Id: string }>(
    sql`select * from (${stopRows(ctx, sql`s."planId" = ${id}`)}) r order by "day", "agentName", "userId", "position"`,
  )
  if (detailsLevel === 'BASIC' || stops.length === 0) return { data: { activities: stops } }
  const whose = { where: () => sql`t."id" = any(${stops.map((stop) => stop.Id)}::uuid[])` }
  const { records } = await readPage(ctx, activity, { page: 1, size: 10_000 }, whose)
  const full = new Map(records.map((record) => [record.Id, record]))
  return { data: { activities: stops.map((stop) => ({ ...full.get(stop.Id), ...stop })) } }
}

export const dayInput = z.strictObject({ date: daySchema.optional(), userId: idSchema.optional() })

/** The stops of one day over all plans the caller sees, by agent, in their order; today without a date. */
export async function dayRoutes(ctx: Ctx, { date = companyDay(ctx), userId }: z.infer<typeof dayInput>): Promise<Answer> {
  const seen = sql`s."day" = ${date}::date and exists (select 1 from activity_plan t where t."id" = s."planId" and ${visibleRows(ctx, activityPlan)}) ${userId ? sql`and s."userId" = ${userId}` : sql``}`
  const stops = await ctx.sql.query<{ planId: string; userId: string; agentName: string; plannedArrival: string }>(sql`
    select r.*, p."name" as "planName" from (${stopRows(ctx, seen)}) r join activity_plan p on p."companyId" = ${ctx.company.id} and p."id" = r."planId" order by "agentName", "userId", "plannedArrival", "position"`)
  return { data: { date, stops } }
}

/** Live stops with what a route shows of their activity; `where` is over alias s. Meaning is the agent's own status, else the activity's. */
export function stopRows(ctx: Ctx, where: ReturnType<typeof sql>) {
  return sql`
    select v."id" as "Id", s."id" as "stopId", s."planId", s."userId", ${nameOf('u')} as "agentName", s."day"::text as day, s."position", s."lock", s."keepsTime",
      s."plannedArrival", s."plannedDeparture", s."metres", v."name", v."location", v."lat"::float8 as lat, v."lng"::float8 as lng, v."startDate", v."endDate", v."tenantId",
      coalesce(m."name", v."status") as status, coalesce(m."meaning", 'open') as meaning, g."statusDateCreated", g."id" as "activityAssignmentId"
    from activity_plan_activity s join activity v on v."companyId" = s."companyId" and v."id" = s."activityId" and v."deletedAt" is null
    join app_user u on u."companyId" = s."companyId" and u."id" = s."userId"
    left join activity_assignment g on g."companyId" = s."companyId" and g."activityId" = s."activityId" and g."userId" = s."userId"
    left join activity_status m on m."companyId" = v."companyId" and m."id" = coalesce(g."statusId", v."statusId")
    where s."companyId" = ${ctx.company.id} and s."isLive" and ${where}`
}

/** Default window of the specification: from today 30 days ahead. */
export function windowOf(
  ctx: Ctx,
  { startDate, endDate }: { startDate?: string | undefined; endDate?: string | undefined },
): { startDate: string; endDate: string } {
  const first = startDate ?? companyDay(ctx)
  return { startDate: first, endDate: endDate ?? addDays(first.slice(0, 10), 30) }
}

export const unplannedInput = z.strictObject({
  startDate: dayOrTime.optional(),
  endDate: dayOrTime.optional(),
  search: z.string().max(200).optional(),
  isOpen: z.enum(['true', 'false']).optional(),
  userId: idSchema.optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  size: z.coerce.number().int().min(1).max(10_000).default(10_000),
})

/** Activities that are in no live plan; with isOpen=true only those still to be done. */
export function unplannedActivities(ctx: Ctx, { isOpen, userId, ...input }: z.infer<typeof unplannedInput>): Promise<Answer> {
  const open = sql`and coalesce((select m."meaning" from activity_status m where m."companyId" = t."companyId" and m."id" = t."statusId"), 'open') in ('open', 'started')`
  const theirs = sql`and exists (select 1 from activity_assignment a where a."companyId" = t."companyId" and a."activityId" = t."id" and a."userId" = ${userId})`
  const isFree = sql`not exists (select 1 from activity_plan_activity s where s."companyId" = t."companyId" and s."activityId" = t."id" and s."isLive")
    ${isOpen === 'true' ? open : sql``} ${userId ? theirs : sql``}`
  return listRecords(
    ctx,
    activity,
    { ...input, ...windowOf(ctx, input), dateType: 'start' },
    { where: () => isFree, sort: ['startDate', 'ASC'] },
  )
}
