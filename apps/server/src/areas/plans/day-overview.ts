import { sql } from '@outpost/platform/db/sql'
import { timeAt } from '@outpost/rules/time-zone'
import { worstAccuracy } from '@outpost/rules/routes/route-track'
import { earthRadius } from '@outpost/rules/places/distance'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { tenantInReach } from '../../kernel/session/reach.ts'
import { companyDay, daySchema } from '../../kernel/days.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { nameOf } from '../../kernel/names.ts'
import { atWork, happenedAt, happenedWithin } from '../agents/index.ts'
import { detailsLevel } from './plan.input.ts'
import { iso } from './plan.preview.ts'

export const dayOverviewInput = z.strictObject({
  date: daySchema.optional(),
  tenantId: idSchema.optional(),
  detailsLevel,
})
type Input = z.infer<typeof dayOverviewInput>

/**
 * What each agent of the reach planned and did on a day (today without a date), in one statement. FULL carries the
 * activities behind the numbers as `visits`. Missed: said so, or still open when the day is over; late: not
 * finished after its end today. Way: great circles over fresh fixes of at most 100 m.
 */
export async function dayOverview(ctx: Ctx, { date = companyDay(ctx), tenantId, detailsLevel }: Input): Promise<Answer> {
  const span = spanOf(ctx, date)
  const json = await ctx.sql.text(sql`
    with people as materialized (${people(ctx, tenantId)}),
    work as materialized (${work(ctx, span)}),
    counts as (select "userId", count(*) as planned, count(*) filter (where meaning = 'open') as open, count(*) filter (where meaning = 'started') as started, count(*) filter (where meaning = 'done') as done,
      count(*) filter (where meaning = 'late') as late, count(*) filter (where meaning = 'missed') as missed, count(*) filter (where meaning = 'cancelled') as cancelled,
      min("changedAt") filter (where meaning in ('started', 'done')) as "firstStart", max("changedAt") filter (where meaning = 'done') as "lastEnd",
      (array_agg(json_build_object('Id', "Id", 'name', "name", 'since', "changedAt") order by "changedAt" desc) filter (where meaning = 'started'))[1] as current
      ${detailsLevel === 'FULL' ? sql`, json_agg(json_build_object('Id', "Id", 'name', "name", 'startDate', "startDate", 'endDate', "endDate", 'meaning', meaning, 'changedAt', "changedAt", 'status', status, 'lat', lat, 'lng', lng) order by "startDate") as visits` : sql``}
      from work group by 1),
    duty as (${duty(ctx, span)}),
    planned_way as (select s."userId", sum(s."metres") as metres, array_agg(distinct s."planId") as plans from activity_plan_activity s
      where s."companyId" = ${ctx.company.id} and s."isLive" and s."day" = ${date}::date group by 1)
    select json_build_object('success', true, 'data', json_build_object('date', ${date}::text, 'agents', coalesce(json_agg(json_build_object(
      'userId', p."id", 'agent', p.agent, 'tenantId', p."tenantId", 'branch', p.branch,
      'planned', coalesce(c.planned, 0), 'open', coalesce(c.open, 0), 'started', coalesce(c.started, 0), 'done', coalesce(c.done, 0), 'late', coalesce(c.late, 0), 'missed', coalesce(c.missed, 0), 'cancelled', coalesce(c.cancelled, 0),
      'km', round((coalesce(w.metres, 0) / 1000)::numeric, 1)::float8, 'plannedKm', round(coalesce(l.metres, 0) / 1000.0, 1)::float8, 'firstStart', least(g."firstStart", c."firstStart"), 'lastEnd', c."lastEnd",
      'dayStart', d."dayStart", 'dayStop', d."dayStop", 'isOnDuty', coalesce(d.last = 1, false), 'current', c.current, 'plans', coalesce(l.plans, '{}')
      ${detailsLevel === 'FULL' ? sql`, 'visits', coalesce(c.visits, '[]')` : sql``}) order by p.agent, p."id"), '[]')))::text
    from people p left join counts c on c."userId" = p."id" left join duty d on d."userId" = p."id" left join planned_way l on l."userId" = p."id"
    left join lateral (${way(ctx, span)}) w on true
    left join lateral (select min(e."dateCreated") as "firstStart" from record_move e
      where e."companyId" = ${ctx.company.id} and e."objectType" = 'activity' and e."partId" = p."id" and e."meaning" = 'started' and e."dateCreated" >= ${span.from} and e."dateCreated" < ${span.to}) g on true
    where c."userId" is not null or d."userId" is not null or l."userId" is not null or w.metres is not null`)
  return { json }
}

/** The day's two ends as plain values, not as a row: the planner then reads them and takes the index of the day. */
interface Span {
  from: Statement
  to: Statement
  isOver: boolean
}

function spanOf(ctx: Ctx, date: string): Span {
  const [from, to] = [0, 24 * 60].map((minute) => timeAt(date, minute, ctx.company.timeZone)) as [number, number]
  return { from: sql`${iso(from)}::timestamptz`, to: sql`${iso(to)}::timestamptz`, isOver: to <= Date.now() }
}

/** Active people who work in the caller's reach, or in a tenant of it and below. */
function people(ctx: Ctx, tenantId: string | undefined) {
  const member = sql`select 1 from user_tenant m join tenant b on b."companyId" = m."companyId" and b."id" = m."tenantId" where m."companyId" = u."companyId" and m."userId" = u."id"`
  return sql`
    select u."id", u."tenantId", ${nameOf('u')} as agent, h."name" as branch from app_user u
    left join tenant h on h."companyId" = u."companyId" and h."id" = u."tenantId"
    where u."companyId" = ${ctx.company.id} and u."deletedAt" is null and u."status" = 1
      ${ctx.scope === '*' ? sql`` : sql`and exists (${member} and m."tenantId" = any(${ctx.scope}::uuid[]))`}
      ${tenantId === undefined ? sql`` : sql`and exists (${member} and b."path" @> array[${tenantId}::uuid])`}`
}

/** The activities of the day, once an agent. The agent's own status counts, else the activity's. */
function work(ctx: Ctx, { from, to, isOver }: Span) {
  const meaning = sql`coalesce(m."meaning", 'open')`
  return sql`
    select g."userId", t."id" as "Id", t."name", t."startDate", t."endDate", g."statusDateCreated" as "changedAt", coalesce(m."name", t."status") as status, t."lat"::float8 as lat, t."lng"::float8 as lng,
      case when ${meaning} in ('open', 'started') and ${isOver}::boolean then 'missed' when ${meaning} in ('open', 'started') and t."endDate" < now() then 'late' else ${meaning} end as meaning
    from activity t join activity_assignment g on g."companyId" = t."companyId" and g."activityId" = t."id"
    left join activity_status m on m."companyId" = t."companyId" and m."id" = coalesce(g."statusId", t."statusId")
    where t."companyId" = ${ctx.company.id} and t."startDate" >= ${from} and t."startDate" < ${to} and t."deletedAt" is null and ${tenantInReach(ctx, sql`t."tenantId"`)}`
}

/** Starts and stops of the day on which they were done, whenever they arrived. */
function duty(ctx: Ctx, { from, to }: Span) {
  const time = happenedAt('a')
  return sql`
    select a."performedByUserId" as "userId", min(${time}) filter (where a."action" = 1) as "dayStart", max(${time}) filter (where a."action" = 0) as "dayStop", (array_agg(a."action" order by ${time} desc))[1] as last
    from agent_action a where a."companyId" = ${ctx.company.id} and ${happenedWithin('a', { from, until: to })} and a."action" <= 1 group by 1`
}

/**
 * Metres along one person's accepted fixes at work; null when there is none. Steps are small: flat sums over the mean sphere do. The frame
 * is said in rows, or Postgres compares each fix with the next to find those of the same moment.
 */
function way(ctx: Ctx, { from, to }: Span) {
  return sql`
    select ${(earthRadius * Math.PI) / 180}::float8 * sum(sqrt(dy * dy + dx * dx)) as metres from (
      select lat - lag(lat) over w as dy, (lng - lag(lng) over w) * cosd(lat) as dx
      from (select x."latitude" as lat, x."longitude" as lng, x."deviceTime" as at from user_position x
        where x."companyId" = ${ctx.company.id} and x."userId" = p."id" and x."deviceTime" >= ${from} and x."deviceTime" < ${to}
          and x."source" = 'live' and coalesce(x."accuracy", 0) <= ${worstAccuracy} and not coalesce('teleport' = any(x."flags"), false)
          and ${atWork(sql`p."id"`, from, to, sql`x`)}) fixes
      window w as (order by at rows unbounded preceding)) steps`
}
