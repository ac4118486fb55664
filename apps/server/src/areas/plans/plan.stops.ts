import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { timeDay, type PlanSettings, type TimedDay as AnyDay } from '@outpost/rules/route-build'
import { audit } from '../../kernel/audit.ts'
import { announce } from '../../kernel/realtime/announce.ts'
import { recordChange, type Stream } from '../../kernel/sync/stream.ts'
import type { Ctx } from '../../kernel/types.ts'
import { activity } from '../activities/index.ts'
import { activityFacts, refuseStrangers, routesOf, type ActivityFacts } from './plan.facts.ts'
import { settingsInput, type StopInput } from './plan.input.ts'
import { iso } from './plan.preview.ts'

type TimedDay = AnyDay<ActivityFacts, StopInput>

export interface PlanRow { id: string, tenantId: string, startDate: string, endDate: string, settings: PlanSettings }
export interface PlanStops { agents?: string[] | undefined, stops: StopInput[], setTimes: boolean }

/** Sets a plan's agents and stops to exactly the given ones, reckons their times, and gives the activities to their agents. */
export async function saveStops(ctx: Ctx, stream: Stream, planId: string, { agents, stops, setTimes }: PlanStops): Promise<void> {
  const plan = await readPlan(ctx, planId)
  refuseTwice(stops)
  await refuseStrangers(ctx, [...agents ?? [], ...stops.map(({ userId }) => userId)], 'agents')
  const facts = await activityFacts(ctx, stops.map(({ activityId }) => activityId), 'stops')
  const days = routesOf(ctx, stops, facts).map((route) => timeDay(plan.settings, route, ctx.company.timeZone))
  if (days.some(({ day }) => day < plan.startDate || day > plan.endDate)) fail('INVALID', { fields: [{ field: 'stops', message: 'lie outside the days of the plan' }] })
  await refusePlanned(ctx, planId, stops)
  await writeAgents(ctx, plan, [...new Set([...agents ?? await agentsOf(ctx, planId), ...stops.map(({ userId }) => userId)])])
  await writeStops(ctx, plan, days)
  const moved = await assign(ctx, days)
  await touchActivities(ctx, stream, { days, moved, setTimes, facts })
  audit(ctx, { action: 'activityPlan.stops', objectType: 'activityPlan', objectId: planId, after: { stops: stops.map(({ activityId, userId }) => ({ activityId, userId })) } })
}

export async function readPlan(ctx: Ctx, planId: string): Promise<PlanRow> {
  const row = await ctx.sql.one<PlanRow & { raw: object }>(sql`
    select "id", "tenantId", "startDate"::text as "startDate", "endDate"::text as "endDate",
      json_build_object('speed', "speed", 'roadFactor', "roadFactor", 'longestDay', "longestDay", 'dayStart', "dayStart", 'dayEnd', "dayEnd", 'startLat', "startLat", 'startLng', "startLng", 'returnsToStart', "returnsToStart") as raw
    from activity_plan where "companyId" = ${ctx.company.id} and "id" = ${planId}`)
  return { ...row, settings: settingsInput.parse(row.raw) }
}

/** The stops of a plan as its input would name them, in their order. */
export function readStops(ctx: Ctx, planId: string): Promise<StopInput[]> {
  return ctx.sql.query<StopInput & { [key: string]: unknown }>(sql`
    select s."activityId", s."userId", s."day"::text as day, s."lock", s."keepsTime" from activity_plan_activity s
    join activity v on v."companyId" = s."companyId" and v."id" = s."activityId" and v."deletedAt" is null
    where s."companyId" = ${ctx.company.id} and s."planId" = ${planId} order by s."day", s."userId", s."position"`)
}

async function agentsOf(ctx: Ctx, planId: string): Promise<string[]> {
  const rows = await ctx.sql.query<{ userId: string }>(sql`select "userId" from activity_plan_agent where "companyId" = ${ctx.company.id} and "planId" = ${planId}`)
  return rows.map(({ userId }) => userId)
}

function refuseTwice(stops: readonly StopInput[]): void {
  const keys = stops.map(({ activityId, userId }) => `${activityId} ${userId}`.toLowerCase())
  if (new Set(keys).size < keys.length) fail('INVALID', { fields: [{ field: 'stops', message: 'name an activity twice for the same agent' }] })
}

/** An activity stands in one live plan an agent; the unique index holds it against calls at the same moment. */
async function refusePlanned(ctx: Ctx, planId: string, stops: readonly StopInput[]): Promise<void> {
  const planned = await ctx.sql.query(sql`
    select s."activityId", s."userId", p."name" as "planName" from activity_plan_activity s
    join activity_plan p on p."companyId" = s."companyId" and p."id" = s."planId"
    join json_to_recordset(${JSON.stringify(stops)}::json) as w("activityId" uuid, "userId" uuid) on w."activityId" = s."activityId" and w."userId" = s."userId"
    where s."companyId" = ${ctx.company.id} and s."isLive" and s."planId" <> ${planId}`)
  if (planned.length > 0) fail('CONFLICT', { message: 'Some activities stand in another plan of the agent already.', details: { planned } })
}

async function writeAgents(ctx: Ctx, { id, tenantId }: PlanRow, users: string[]): Promise<void> {
  await ctx.sql.exec(sql`delete from activity_plan_agent where "companyId" = ${ctx.company.id} and "planId" = ${id} and not ("userId" = any(${users}::uuid[]))`)
  await ctx.sql.exec(sql`
    insert into activity_plan_agent ("companyId", "planId", "userId", "tenantId") select ${ctx.company.id}::uuid, ${id}::uuid, u, ${tenantId}::uuid from unnest(${users}::uuid[]) u
    on conflict do nothing`)
}

async function writeStops(ctx: Ctx, { id, tenantId }: PlanRow, days: readonly TimedDay[]): Promise<void> {
  const rows = days.flatMap(({ userId, day, stops, timed }) => timed.stops.map((stop, position) => ({
    activityId: stop.id, userId, day, position, lock: stops[position]?.stop.lock ?? null, keepsTime: stops[position]?.stop.keepsTime ?? false,
    plannedArrival: iso(stop.arrival), plannedDeparture: iso(stop.departure), metres: Math.round(stop.metres),
  })))
  await ctx.sql.exec(sql`delete from activity_plan_activity where "companyId" = ${ctx.company.id} and "planId" = ${id}`)
  await ctx.sql.exec(sql`
    insert into activity_plan_activity ("companyId", "id", "tenantId", "planId", "activityId", "userId", "day", "position", "lock", "keepsTime", "plannedArrival", "plannedDeparture", "metres")
    select ${ctx.company.id}::uuid, gen_random_uuid(), ${tenantId}::uuid, ${id}::uuid, r."activityId", r."userId", r."day", r."position", r."lock", r."keepsTime", r."plannedArrival", r."plannedDeparture", r."metres"
    from json_populate_recordset(null::activity_plan_activity, ${JSON.stringify(rows)}::json) r`)
}

/**
 * The agents of the stops take their activities on. Work that is one person's and not begun moves along; joint work
 * and work begun keeps its people. Gives the activities whose agents changed.
 */
async function assign(ctx: Ctx, days: readonly TimedDay[]): Promise<Set<string>> {
  const wanted = JSON.stringify(days.flatMap(({ userId, stops }) => stops.map(({ activity: { id, tenantId } }) => ({ activityId: id, userId, tenantId }))))
  const rows = await ctx.sql.query<{ activityId: string }>(sql`
    with w as (select * from json_to_recordset(${wanted}::json) as w("activityId" uuid, "userId" uuid, "tenantId" uuid)),
    missing as (select w.* from w where not exists (
      select 1 from activity_assignment a where a."companyId" = ${ctx.company.id} and a."activityId" = w."activityId" and a."userId" = w."userId")),
    gone as (delete from activity_assignment a using missing m where a."companyId" = ${ctx.company.id} and a."activityId" = m."activityId"
      and not exists (select 1 from w where w."activityId" = a."activityId" and w."userId" = a."userId")
      and (select count(*) from activity_assignment o where o."companyId" = a."companyId" and o."activityId" = a."activityId") = 1
      and coalesce((select s."meaning" from activity_status s where s."companyId" = a."companyId" and s."id" = a."statusId"), 'open') = 'open')
    insert into activity_assignment ("companyId", "id", "tenantId", "activityId", "userId")
    select ${ctx.company.id}::uuid, gen_random_uuid(), "tenantId", "activityId", "userId" from missing
    on conflict do nothing returning "activityId"`)
  return new Set(rows.map(({ activityId }) => activityId))
}

interface Touching { days: readonly TimedDay[], moved: ReadonlySet<string>, setTimes: boolean, facts: ReadonlyMap<string, ActivityFacts> }

/** Activities that changed their agents, or their times when these are set: one statement, each with its number in the stream. */
async function touchActivities(ctx: Ctx, stream: Stream, { days, moved, setTimes, facts }: Touching): Promise<void> {
  const times = new Map(days.flatMap(({ timed }) => timed.stops.map((stop) => [stop.id, stop] as const)))
  const kept = new Set(days.flatMap(({ stops }) => stops.filter(({ stop }) => stop.keepsTime).map(({ activity: { id } }) => id)))
  const changes = [...facts.values()].flatMap((known) => {
    const start = setTimes && !kept.has(known.id) ? Math.round(times.get(known.id)?.arrival ?? known.start) : known.start
    if (start === known.start && !moved.has(known.id)) return []
    return [{ ...known, before: known.start, start, end: known.end + start - known.start, syncSeq: stream.next() }]
  })
  if (changes.length === 0) return
  await ctx.sql.exec(sql`
    update activity t set "startDate" = to_timestamp(r.start / 1000), "endDate" = to_timestamp(r."end" / 1000), "syncSeq" = r."syncSeq", "version" = t."version" + 1, "dateModified" = now()
    from json_to_recordset(${JSON.stringify(changes)}::json) as r(id uuid, start float8, "end" float8, "syncSeq" bigint)
    where t."companyId" = ${ctx.company.id} and t."id" = r.id`)
  for (const { id, tenantId, syncSeq } of changes) recordChange(stream, syncSeq, { entityType: activity.one, entityId: id, tenantId, changeType: 'UPDATE' })
  audit(ctx, changes.map(({ id, before, start }) => ({ action: 'activity.plan', objectType: activity.one, objectId: id, before: { startDate: iso(before) }, after: { startDate: iso(start) } })))
  announce(ctx, activity, changes.map(({ id }) => id), 'updated', [...new Set(changes.map(({ tenantId }) => tenantId))])
}
