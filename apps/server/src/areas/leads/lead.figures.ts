import { sql, join } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { leadFunnel, openLeadStatuses } from '@outpost/rules/leads/lead-stage'
import { leadStatuses } from '@outpost/rules/leads/lead-status'
import { fieldSql } from '../../kernel/resource/read/columns.ts'
import { dayEnd, dayStart } from '../../kernel/resource/read/filter.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { userName } from '../../kernel/names.ts'
import { statusMoves } from './lead.log.ts'
import { lead } from './lead.resource.ts'

/** Days (the last one included, in the company's time zone) or times. */
export interface Period {
  startDate?: string
  endDate?: string
}

const statusColours = JSON.stringify(Object.fromEntries(Object.entries(leadStatuses).map(([name, { colour }]) => [name, colour])))

/**
 * Figures of the leads dashboard over the caller's reach and the leads captured in a period, by default the last 30 days
 * with today: totals (those in `tiles` beside the days before), a row each status, source, officer, branch, day and week,
 * and the funnel.
 */
export async function leadFigures(ctx: Ctx, period: Period): Promise<Answer> {
  const { from, to } = boundsOf(ctx, period)
  const { timeZone } = ctx.company
  const counts = sql`count(*)::int as leads, count(*) filter (where "status" = 'Converted')::int as converted`
  const grouped = (columns: Statement, order: Statement = sql`order by leads desc`) =>
    sql`(select coalesce(json_agg(x), '[]') from (select ${columns}, ${counts} from l group by 1, 2 ${order} limit 100) x)`
  const week = sql`to_char(date_trunc('week', "dateCreated" at time zone ${timeZone}), 'YYYY-MM-DD')`
  // The first and the last week are cut to the period, as their rows are.
  const dayText = (time: Statement) => sql`to_char((${time}) at time zone ${timeZone}, 'YYYY-MM-DD')`
  const tile = (fits: Statement) =>
    sql`json_build_object('value', (select count(*) from l where ${fits}), 'before', (select count(*) from p where ${fits}))`
  const text = await ctx.sql.text(sql`
    with ${before(ctx, { from, to })}, l as (
      select t."id", t."status", t."source", t."dateCreated", t."assignedUserId", t."tenantId", t."consentStatus", t."leadCreatedBy", t."createdByUserId", ${fieldSql(lead, 'pace')} as pace
      from lead t where t."companyId" = ${ctx.company.id} and t."deletedAt" is null and t."dateCreated" >= ${from} and t."dateCreated" < ${to}),
    log as (
      select s."objectId" as "leadId", s."from" as "fromStatus", s."to" as "toStatus", s."durationSeconds" from record_move s join l on l."id" = s."objectId" where ${statusMoves(ctx.company.id, 's')})
    select json_build_object('success', true, 'data', json_build_object(
      'total', (select count(*) from l),
      'open', (select count(*) from l where "status" = any(${openLeadStatuses}::text[])),
      'converted', (select count(*) from l where "status" = 'Converted'),
      'consented', (select count(*) from l where "consentStatus" = 'GRANTED'),
      'unassigned', (select count(*) from l where "assignedUserId" is null),
      'stale', (select count(*) from l where pace is not null),
      'tiles', json_build_object('total', ${tile(sql`true`)}, 'consented', ${tile(sql`"consentStatus" = 'GRANTED'`)}, 'converted', ${tile(sql`"status" = 'Converted'`)}),
      'byStatus', (select coalesce(json_agg(x), '[]') from (select "status" as label, count(*)::int as value, ${statusColours}::jsonb ->> "status" as colour from l group by 1 order by 2 desc, 1) x),
      'byDay', ${byDay(timeZone)},
      'byAgent', (select coalesce(json_agg(x), '[]') from (select max("leadCreatedBy") as label, "createdByUserId", count(*)::int as value from l group by 2 order by 3 desc limit 10) x),
      'byWeek', ${grouped(sql`greatest(${week}, ${dayText(from)}) as week, least(to_char((${week})::date + 6, 'YYYY-MM-DD'), ${dayText(sql`${to} - interval '1 microsecond'`)}) as until`, sql`order by 1`)},
      'bySource', ${grouped(sql`"source" as source, "source" as "sourceId"`)},
      'byOfficer', ${grouped(sql`coalesce(${userName(sql`${ctx.company.id}`, sql`l."assignedUserId"`)}, 'Nobody') as officer, "assignedUserId"`)},
      'byBranch', (select coalesce(json_agg(x), '[]') from (select coalesce(max(b."name"), 'No branch') as branch, b."id" as "tenantId", ${counts} from l
        left join lateral (${branchOf(ctx)}) b on true group by b."id" order by leads desc limit 100) x),
      'funnel', ${funnel()}))::text`)
  return { json: text }
}

/** The days of the period (`span`), and the leads of as many days before it (`p`), each with the day of the period it is compared with. */
const before = ({ company }: Ctx, { from, to }: { from: Statement; to: Statement }) => sql`
    span as (select (${from} at time zone ${company.timeZone})::date as first, ((${to} - interval '1 microsecond') at time zone ${company.timeZone})::date as last),
    p as (
      select t."status", t."consentStatus", (t."dateCreated" at time zone ${company.timeZone})::date + (span.last - span.first + 1) as day
      from lead t, span where t."companyId" = ${company.id} and t."deletedAt" is null and t."dateCreated" < ${from}
        and t."dateCreated" >= ((span.first - (span.last - span.first + 1))::timestamp at time zone ${company.timeZone}))`

/** A row each day, without leads too, beside the day as many days before; of a period beyond two years its last days. */
const byDay = (timeZone: string) => sql`(select coalesce(json_agg(x), '[]') from (
      select to_char(d.day, 'YYYY-MM-DD') as label, coalesce(n.count, 0)::int as value, coalesce(b.count, 0)::int as before
      from span, lateral (select generate_series(greatest(first, last - 730), last, interval '1 day')::date as day) d
        left join (select ("dateCreated" at time zone ${timeZone})::date as day, count(*) from l group by 1) n on n.day = d.day
        left join (select day, count(*) from p group by 1) b on b.day = d.day
      order by 1) x)`

/** The topmost branch over a lead's tenant: as the filter by a branch, its number holds what lies below it. */
const branchOf = ({
  company,
}: Ctx) => sql`select o."id", o."name" from tenant t join tenant o on o."companyId" = t."companyId" and o."id" = any(t."path") and o."type" = 3
  where t."companyId" = ${company.id} and t."id" = l."tenantId" order by cardinality(o."path") limit 1`

function boundsOf(ctx: Ctx, { startDate, endDate }: Period): { from: Statement; to: Statement } {
  const { timeZone } = ctx.company
  const today = sql`(now() at time zone ${timeZone})::date`
  const from =
    startDate === undefined
      ? sql`((${today} - 29)::timestamp at time zone ${timeZone})`
      : startDate.length === 10
        ? dayStart(startDate, timeZone)
        : sql`${startDate}::timestamptz`
  const to =
    endDate === undefined
      ? sql`((${today} + 1)::timestamp at time zone ${timeZone})`
      : endDate.length === 10
        ? dayEnd(endDate, timeZone)
        : sql`${endDate}::timestamptz`
  return { from, to }
}

/** A row each stage of the road: leads that came so far (or further along it), those that are there now, and the median days a lead spends in it. */
function funnel(): Statement {
  const stages = leadFunnel.map((stage, index) => sql`(${index}::int, ${stage}::text)`)
  return sql`(
    with stage(place, name) as (values ${join(stages)}),
    furthest as (
      select l."id", max(s.place) as place from l left join log on log."leadId" = l."id"
      join stage s on s.name in (l."status", log."toStatus", log."fromStatus", 'New') group by 1)
    select coalesce(json_agg(json_build_object('stage', name, 'colour', ${statusColours}::jsonb ->> name, 'reached', reached, 'percent', percent, 'hereNow', here, 'medianDays', days) order by place), '[]') from (
      select s.place, s.name, (select count(*)::int from furthest f where f.place >= s.place) as reached,
        (select round(100.0 * count(*) filter (where f.place >= s.place) / nullif(count(*), 0))::int from furthest f) as percent,
        (select count(*)::int from l where l."status" = s.name) as here,
        (select round((percentile_cont(0.5) within group (order by log."durationSeconds") / 86400.0)::numeric, 1)::float8 from log where log."fromStatus" = s.name) as days
      from stage s) x)`
}
