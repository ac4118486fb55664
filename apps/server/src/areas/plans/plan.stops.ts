import { fail, failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { plannedStarts, timeDay, type PlanSettings, type TimedDay as AnyDay } from '@outpost/rules/routes/route-build'
import { audit } from '../../kernel/audit.ts'
import { feedBeyond, tenantsBeyond } from '../../kernel/sync/feed-beyond.ts'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import type { Change } from '../../kernel/resource/writing.ts'
import type { Ctx } from '../../kernel/types.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { refuseUsersBeyondReach } from '../../kernel/session/reach.ts'
import { activity } from '../activities/index.ts'
import { workNews } from '../agents/index.ts'
import { activityPlan } from './plan.resource.ts'
import { routesOf, type ActivityFacts } from './plan.facts.ts'
import { settingsInput, type StopInput } from './plan.input.ts'
import { iso } from './plan.preview.ts'

type TimedDay = AnyDay<ActivityFacts, StopInput>

export interface PlanRow {
  id: string
  name: string
  tenantId: string
  startDate: string
  endDate: string
  settings: PlanSettings
}
export interface PlanStops {
  agents?: string[] | undefined
  stops: StopInput[]
  setTimes: boolean
}

interface Touching {
  days: readonly TimedDay[]
  setTimes: boolean
  facts: ReadonlyMap<string, ActivityFacts>
}

/** Sets a plan's agents and stops to exactly the given ones, calculates their times, and gives the activities to their agents. */
export async function saveStops(ctx: Ctx, planId: string, { agents, stops, setTimes }: PlanStops): Promise<void> {
  const plan = await readPlan(ctx, planId)
  refuseTwice(stops)
  await refuseUsersBeyondReach(ctx, [...(agents ?? []), ...stops.map(({ userId }) => userId)], 'agents')
  const { routes, facts } = await routesOf(ctx, stops)
  const days = routes.map((route) => timeDay(plan.settings, route, ctx.company.timeZone))
  if (days.some(({ day }) => day < plan.startDate || day > plan.endDate)) failField('stops', 'lie outside the days of the plan')
  await refusePlanned(ctx, planId, stops)
  const former = await tenantsBeyond(ctx, activityPlan, planId)
  const isChanged = [
    await writeAgents(ctx, plan, { before: await agentsOf(ctx, planId), agents, stops }),
    await writeStops(ctx, plan, days),
  ].some(Boolean)
  await feedBeyond(ctx, activityPlan, [planId], former)
  await notifyAgents(ctx, plan, days, await writeActivities(ctx, { days, setTimes, facts }))
  if (isChanged)
    audit(ctx, {
      action: 'activityPlan.stops',
      objectType: 'activityPlan',
      objectId: planId,
      after: { stops: stops.map(({ activityId, userId }) => ({ activityId, userId })) },
    })
}

export async function readPlan(ctx: Ctx, planId: string): Promise<PlanRow> {
  const row = await ctx.sql.one<PlanRow & { raw: object }>(sql`
    select "id", "name", "tenantId", "startDate"::text as "startDate", "endDate"::text as "endDate",
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

export async function agentsOf(ctx: Ctx, planId: string): Promise<string[]> {
  const rows = await ctx.sql.query<{ userId: string }>(
    sql`select "userId" from activity_plan_agent where "companyId" = ${ctx.company.id} and "planId" = ${planId}`,
  )
  return rows.map(({ userId }) => userId)
}

function refuseTwice(stops: readonly StopInput[]): void {
  const keys = stops.map(({ activityId, userId }) => `${activityId} ${userId}`.toLowerCase())
  if (new Set(keys).size < keys.length) failField('stops', 'name an activity twice for the same agent')
}

/** An activity is in one live plan an agent; the unique index holds it against calls at the same moment. */
async function refusePlanned(ctx: Ctx, planId: string, stops: readonly StopInput[]): Promise<void> {
  const planned = await ctx.sql.query(sql`
    select s."activityId", s."userId", coalesce(p."name", 'a plan of another branch') as "planName" from activity_plan_activity s
    left join activity_plan p on p."companyId" = s."companyId" and p."id" = s."planId"
    join json_to_recordset(${JSON.stringify(stops)}::json) as w("activityId" uuid, "userId" uuid) on w."activityId" = s."activityId" and w."userId" = s."userId"
    where s."companyId" = ${ctx.company.id} and s."isLive" and s."planId" <> ${planId}`)
  if (planned.length > 0) fail('CONFLICT', { message: 'Some activities are in another plan of the agent already.', details: { planned } })
}

/** Sets exactly these agents, with those of the stops; false when they were so already. */
async function writeAgents(
  ctx: Ctx,
  { id, tenantId }: PlanRow,
  { before, agents, stops }: Pick<PlanStops, 'agents' | 'stops'> & { before: string[] },
): Promise<boolean> {
  const users = [...new Set([...(agents ?? before), ...stops.map(({ userId }) => userId)])]
  if (users.length === before.length && users.every((user) => before.includes(user))) return false
  await ctx.sql.exec(
    sql`delete from activity_plan_agent where "companyId" = ${ctx.company.id} and "planId" = ${id} and not ("userId" = any(${users}::uuid[]))`,
  )
  await ctx.sql.exec(sql`
    insert into activity_plan_agent ("companyId", "planId", "userId", "tenantId") select ${ctx.company.id}::uuid, ${id}::uuid, u, ${tenantId}::uuid from unnest(${users}::uuid[]) u
    on conflict do nothing`)
  return true
}

const columns = sql`"activityId", "userId", "day", "position", "lock", "keepsTime", "plannedArrival", "plannedDeparture", "metres"`

/** Sets exactly these stops; false when they were so already. */
async function writeStops(ctx: Ctx, { id, tenantId }: PlanRow, days: readonly TimedDay[]): Promise<boolean> {
  const rows = JSON.stringify(
    days.flatMap(({ userId, day, stops, timed }) =>
      timed.stops.map((stop, position) => ({
        activityId: stop.id,
        userId,
        day,
        position,
        lock: stops[position]?.stop.lock ?? null,
        keepsTime: stops[position]?.stop.keepsTime ?? false,
        plannedArrival: iso(stop.arrival),
        plannedDeparture: iso(stop.departure),
        metres: Math.round(stop.metres),
      })),
    ),
  )
  const held = sql`from activity_plan_activity where "companyId" = ${ctx.company.id} and "planId" = ${id}`
  const { isSame } = await ctx.sql.one<{ isSame: boolean }>(sql`
    with wanted as (select ${columns} from json_populate_recordset(null::activity_plan_activity, ${rows}::json)), held as (select ${columns} ${held})
    select not exists (table wanted except table held) and not exists (table held except table wanted) as "isSame"`)
  if (isSame) return false
  await ctx.sql.exec(sql`delete ${held}`)
  await ctx.sql.exec(sql`
    insert into activity_plan_activity ("companyId", "id", "tenantId", "planId", ${columns})
    select ${ctx.company.id}::uuid, gen_random_uuid(), ${tenantId}::uuid, ${id}::uuid, ${columns} from json_populate_recordset(null::activity_plan_activity, ${rows}::json) r`)
  return true
}

/**
 * The agents of the stops take their activities on; with setTimes these move to their planned times, but for those that keep
 * theirs. Gives the activities whose agents changed.
 */
async function writeActivities(ctx: Ctx, { days, setTimes, facts }: Touching): Promise<ReadonlyMap<string, string[]>> {
  const agents = await newAgents(ctx, days, facts)
  const starts = setTimes ? plannedStarts(days) : new Map<string, number>()
  const changes = [...facts.values()].flatMap(({ id, start, end }): Change[] => {
    const [assignedUsers, at] = [agents.get(id), starts.get(id) ?? start]
    const times = at === start ? {} : { startDate: new Date(at), endDate: new Date(end + at - start) }
    return assignedUsers || at !== start ? [{ kind: 'update', id, input: { ...(assignedUsers ? { assignedUsers } : {}), ...times } }] : []
  })
  await writeRecords(ctx, activity, changes)
  return agents
}

/** The agents of activities that get others. Work that is one person's and not begun moves along; joint work and work begun keeps its people. */
async function newAgents(
  ctx: Ctx,
  days: readonly TimedDay[],
  facts: ReadonlyMap<string, ActivityFacts>,
): Promise<ReadonlyMap<string, string[]>> {
  const wanted = Map.groupBy(
    days.flatMap(({ userId, stops }) => stops.map(({ activity: { id } }) => ({ id, userId }))),
    ({ id }) => id,
  )
  const changed = [...wanted].flatMap(([id, stops]) => {
    const [before, agents] = [facts.get(id)?.users ?? [], stops.map(({ userId }) => userId)]
    return agents.every((userId) => before.includes(userId)) ? [] : [{ id, before, agents }]
  })
  const ids = changed.map(({ id }) => id)
  const begun = await begunBy(ctx, ids)
  return new Map(
    changed.map(({ id, before, agents }) => [id, [...new Set([...(before.length === 1 && !begun.has(id) ? [] : before), ...agents])]]),
  )
}

async function begunBy(ctx: Ctx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.sql.query<{ activityId: string }>(sql`
    select distinct a."activityId" from activity_assignment a join activity_status s on s."companyId" = a."companyId" and s."id" = a."statusId" and s."meaning" <> 'open'
    where a."companyId" = ${ctx.company.id} and a."activityId" = any(${ids}::uuid[])`)
  return new Set(rows.map(({ activityId }) => activityId))
}

/** One word to each agent whose route grew, not one a stop. */
async function notifyAgents(
  ctx: Ctx,
  { id, name }: PlanRow,
  days: readonly TimedDay[],
  moved: ReadonlyMap<string, unknown>,
): Promise<void> {
  const fresh = Map.groupBy(
    days.flatMap(({ userId, stops }) => stops.filter(({ activity }) => moved.has(activity.id)).map(() => userId)),
    (userId) => userId,
  )
  for (const [userId, stops] of fresh) {
    if (userId !== ctx.user.id)
      await notify(ctx, {
        userId,
        itemType: 'Activity',
        kind: workNews,
        itemId: id,
        message: `${stops.length} ${stops.length === 1 ? 'stop' : 'stops'} planned for you: ${name}`,
        link: `/sales/activities/activity-plan/${id}/map-view`,
      })
  }
}
