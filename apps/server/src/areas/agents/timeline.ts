import { atWork } from './consent/trackable.ts'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { daySchema } from '../../kernel/days.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { happenedAt, happenedWithin } from './action.time.ts'
import { findAgent, instant, requireAgent } from './tracking.ts'

export const timelineInput = z.strictObject({ id: idSchema, date: daySchema })

/**
 * One agent's day (domain.md AGT-B1): starts and ends, files, activities whose status changed, leads captured, in
 * order; the planned activities; the track; hours and kilometres over positions that nothing speaks against.
 */
export async function agentDay(ctx: Ctx, { id, date }: z.infer<typeof timelineInput>): Promise<Answer> {
  const agent = await requireAgent(ctx, id)
  const day = daysOf(ctx, date, date)
  const [events, visits, track, totals] = await Promise.all([
    ctx.sql.query(eventsOf(ctx, id, day)),
    ctx.sql.query(visitsOf(ctx, id, day)),
    ctx.sql.query(pointsOf(ctx, id, day)),
    ctx.sql.one(totalsOf(ctx, id, day)),
  ])
  return { data: { agent, date, events, visits, track, totals } }
}

/** What an agent did in these days (YYYY-MM-DD, both included), and the activities planned for them; null for who may not look at it. */
export async function agentWork(
  ctx: Ctx,
  { id, first, last }: { id: string; first: string; last: string },
): Promise<{ actions: object[]; visits: object[] } | null> {
  if (!(await findAgent(ctx, id))) return null
  const days = { ...daysOf(ctx, first, last), most: 20_000 }
  const [actions, visits] = await Promise.all([ctx.sql.query(eventsOf(ctx, id, days)), ctx.sql.query(visitsOf(ctx, id, days))])
  return { actions, visits }
}

interface Day {
  from: Statement
  until: Statement
  /** Rows at most; default those that a day can have. */
  most?: number
}
const daysOf = (ctx: Ctx, first: string, last: string): Day => ({ from: instant(ctx, first), until: instant(ctx, last, true) })

function eventsOf(ctx: Ctx, id: string, { from, until, most = 2_000 }: Day): Statement {
  const company = sql`${ctx.company.id}::uuid`
  return sql`
    select * from (
      select ${happenedAt('a')} as at, case a."action" when 1 then 'start' when 0 then 'stop' when 2 then 'file' else 'file-removed' end as kind,
        case a."action" when 1 then 'Started the day' when 0 then case when a."isAutomatic" then 'Day ended by the program' else 'Ended the day' end
          when 2 then 'Added a file' else 'Removed a file' end as what,
        null::uuid as "recordId", a."latitude"::float8, a."longitude"::float8, a."source", a."clockSkewMs"::float8
      from agent_action a where a."companyId" = ${company} and a."performedByUserId" = ${id}::uuid and ${happenedWithin('a', { from, until })}
      union all
      select m."statusDateCreated", 'activity', concat_ws(': ', v."name", m."statusText"), v."id", v."lat"::float8, v."lng"::float8, null, m."clockSkewMs"::float8
      from activity_assignment m join activity v on v."companyId" = m."companyId" and v."id" = m."activityId" and v."deletedAt" is null
      where m."companyId" = ${company} and m."userId" = ${id}::uuid and m."statusDateCreated" >= ${from} and m."statusDateCreated" < ${until}
      union all
      select l."dateCreated", 'lead', concat('Captured ', l."firstName", ' ', l."lastName"), l."id", l."latitude"::float8, l."longitude"::float8, null, null
      from lead l where l."companyId" = ${company} and l."createdByUserId" = ${id}::uuid and l."deletedAt" is null and l."dateCreated" >= ${from} and l."dateCreated" < ${until}
    ) e order by at limit ${most}`
}

function visitsOf(ctx: Ctx, id: string, { from, until, most = 500 }: Day): Statement {
  return sql`
    select v."id" as "Id", v."name", v."startDate", v."endDate", v."lat"::float8 as latitude, v."lng"::float8 as longitude, v."location",
      coalesce(m."statusText", v."status") as status, coalesce(s."meaning", 'open') as meaning, m."statusDateCreated" as "changedAt"
    from activity_assignment m join activity v on v."companyId" = m."companyId" and v."id" = m."activityId" and v."deletedAt" is null
      left join activity_status s on s."companyId" = m."companyId" and s."id" = coalesce(m."statusId", v."statusId")
    where m."companyId" = ${ctx.company.id}::uuid and m."userId" = ${id}::uuid and v."startDate" >= ${from} and v."startDate" < ${until}
    order by v."startDate", v."id" limit ${most}`
}

function pointsOf(ctx: Ctx, id: string, { from, until }: Day): Statement {
  return sql`
    select "deviceTime" as at, "latitude", "longitude", "accuracy", "source", coalesce("flags", '{}')  as flags from user_position p
    where "companyId" = ${ctx.company.id}::uuid and "userId" = ${id}::uuid and "deviceTime" >= ${from} and "deviceTime" < ${until} and ${atWork(id, from, until)}
    order by "deviceTime" limit 5000`
}

function totalsOf(ctx: Ctx, id: string, { from, until }: Day): Statement {
  return sql`
    select (select coalesce(round((sum(metres) / 1000)::numeric, 1), 0)::float8 from (${stepsOf(ctx, { userId: sql`${id}`, from, until })}) s) as km,
      (select coalesce(round((sum(extract(epoch from least(coalesce(next, now()), ${until}) - at)) filter (where "action" = 1) / 3600)::numeric, 2), 0)::float8 from (
        select "action", at, lead(at) over (order by at) as next from (
          select a."action", ${happenedAt('a')} as at from agent_action a
          where a."companyId" = ${ctx.company.id}::uuid and a."performedByUserId" = ${id}::uuid and a."action" <= 1 and ${happenedWithin('a', { from, until })}) x) m) as hours`
}

/**
 * Great-circle steps in metres between following positions of a person at work, over those that were measured and nothing
 * speaks against (specification 9: earth radius 6371000 m). `userId` may be a column of an outer query.
 */
export function stepsOf(ctx: Pick<Ctx, 'company'>, { userId, from, until }: Omit<Day, 'most'> & { userId: Statement }): Statement {
  return sql`
    select case when lag(lat) over w is null then 0 else 2 * 6371000 * asin(least(1, sqrt(power(sin(radians(lat - lag(lat) over w) / 2), 2)
      + cos(radians(lag(lat) over w)) * cos(radians(lat)) * power(sin(radians(lng - lag(lng) over w) / 2), 2)))) end as metres
    from (select p."deviceTime", p."latitude" as lat, p."longitude" as lng from user_position p
      where p."companyId" = ${ctx.company.id}::uuid and p."source" = 'live' and p."flags" is null and coalesce(p."accuracy", 0) <= 200 
        and p."userId" = ${userId}::uuid and p."deviceTime" >= ${from} and p."deviceTime" < ${until} and ${atWork(userId, from, until)}) p
    window w as (order by "deviceTime")`
}
