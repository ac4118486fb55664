import { escapeLike, sql, trusted } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { daySchema } from '../../kernel/days.ts'
import { searchText } from '../../kernel/resource/read/query.ts'
import { listShape, sortOrder } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { happenedAt, happenedAtText } from './action.time.ts'
import { agentsInReach } from './stats.ts'

const columns = [
  'region_name',
  'agents',
  'agents_online',
  'days_started',
  'days_open',
  'hours',
  'activities',
  'done',
  'missed',
  'leads',
  'files',
] as const
const { page, size, search } = listShape
const periods = { day: '1 day', week: '1 week', month: '1 month', quarter: '3 months', year: '1 year' } as const

export const summaryInput = z.strictObject({
  thedate: daySchema.optional(),
  period: z
    .string()
    .toLowerCase()
    .pipe(z.enum(Object.keys(periods) as [keyof typeof periods, ...(keyof typeof periods)[]]))
    .default('day'),
  page,
  size: size.default(20),
  search,
  sortField: z.enum(columns).default('region_name'),
  sortOrder: sortOrder.default('DESC'),
})

/**
 * The work of the agents of each branch in the day, week, month, quarter or year that holds `thedate` (today by
 * default). Hours run from each start of a day to what ended it, at most to now. A branch is the topmost tenant of
 * type 3 above the agent's main tenant; agents of the company itself are listed under its name.
 */
export async function summaryReport(ctx: Ctx, input: z.infer<typeof summaryInput>): Promise<Answer> {
  const text = searchText(input)
  const most = Math.min(input.size, 10_000)
  const rows = await ctx.sql.query<{ total: number }>(sql`
    with ${regionRows(ctx, input)}
    select *, (count(*) over ())::int as total from regions
    where ${text === undefined ? sql`true` : sql`upper("region_name") like ${`%${escapeLike(text)}%`}`}
    order by ${trusted(`"${input.sortField}"`)} ${trusted(input.sortOrder)}, "Id" limit ${most} offset ${(input.page - 1) * most}`)
  const { from, until } = await ctx.sql.one<{ from: Date; until: Date }>(sql`select ${bounds(ctx, input)}`)
  return {
    data: { summaryReport: rows.map(({ total: _total, ...row }) => row), period: { from, until } },
    meta: { page: input.page, size: most, total: rows[0]?.total ?? 0 },
  }
}

type Asked = Pick<z.infer<typeof summaryInput>, 'thedate' | 'period'>

function bounds({ company }: Ctx, { thedate, period }: Asked) {
  const zone = company.timeZone
  const start = sql`date_trunc(${period}, coalesce(${thedate ?? null}::date::timestamp, now() at time zone ${zone}))`
  return sql`${start} at time zone ${zone} as "from", (${start} + ${periods[period]}::interval) at time zone ${zone} as "until"`
}

function regionRows(ctx: Ctx, input: Asked) {
  const company = sql`${ctx.company.id}::uuid`
  const within = (column: string) =>
    sql`${trusted(column)} >= (select "from" from span) and ${trusted(column)} < (select "until" from span)`
  return sql`
    span as (select ${bounds(ctx, input)}),
    agents as (
      select u."id", coalesce(b."id", c."id") as "regionId", coalesce(b."name", c."name") as "regionName"
      from app_user u join tenant c on c."companyId" = u."companyId" and c."id" = u."companyId"
        left join tenant t on t."companyId" = u."companyId" and t."id" = u."tenantId"
        left join lateral (select b."id", b."name" from tenant b where b."companyId" = t."companyId" and b."id" = any(t."path") and b."type" = 3
          order by cardinality(b."path") limit 1) b on true
      where ${agentsInReach(ctx)}),
    moves as (
      select x."performedByUserId" as "userId", x."action", x.at, lead(x.at) over (partition by x."performedByUserId" order by x.at, x."action" desc) as next
      from (select a."performedByUserId", a."action", ${happenedAt('a')} as at from agent_action a
        where a."companyId" = ${company} and a."action" <= 1 and ${within(happenedAtText('a'))}) x),
    days as (
      select "userId", count(*) filter (where "action" = 1)::int as started, count(*) filter (where "action" = 1 and next is null)::int as open,
        sum(extract(epoch from least(coalesce(next, now()), (select "until" from span)) - at)) filter (where "action" = 1) / 3600 as hours
      from moves group by 1),
    files as (select a."performedByUserId" as "userId", count(*)::int as files from agent_action a
      where a."companyId" = ${company} and a."action" in (2, 3) and ${within(happenedAtText('a'))} group by 1),
    acted as (
      select m."userId", count(*)::int as activities, count(*) filter (where s."meaning" = 'done')::int as done,
        count(*) filter (where s."meaning" = 'missed' or (a."endDate" < now() and coalesce(s."meaning", 'open') in ('open', 'started')))::int as missed
      from activity_assignment m join activity a on a."companyId" = m."companyId" and a."id" = m."activityId" and a."deletedAt" is null
        left join activity_status s on s."companyId" = m."companyId" and s."id" = coalesce(m."statusId", a."statusId")
      where m."companyId" = ${company} and ${within('a."startDate"')} group by 1),
    led as (select "createdByUserId" as "userId", count(*)::int as leads from lead
      where "companyId" = ${company} and "deletedAt" is null and ${within('"dateCreated"')} group by 1),
    regions as (
      select a."regionId" as "Id", a."regionName" as "region_name", count(*)::int as agents,
        count(*) filter (where d.open > 0)::int as "agents_online", coalesce(sum(d.started), 0)::int as "days_started", coalesce(sum(d.open), 0)::int as "days_open",
        round(coalesce(sum(d.hours), 0)::numeric, 2)::float8 as hours, coalesce(sum(w.activities), 0)::int as activities, coalesce(sum(w.done), 0)::int as done,
        coalesce(sum(w.missed), 0)::int as missed, coalesce(sum(l.leads), 0)::int as leads, coalesce(sum(f.files), 0)::int as files
      from agents a left join days d on d."userId" = a."id" left join acted w on w."userId" = a."id" left join led l on l."userId" = a."id"
        left join files f on f."userId" = a."id"
      group by 1, 2)`
}
