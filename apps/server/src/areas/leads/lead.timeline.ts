import { sql } from '@outpost/platform/db/sql'
import { dayEnd, dayStart } from '../../kernel/resource/filter.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { lead } from './lead.resource.ts'

/** Everything that happened to a lead, newest first: captured, changed, moved, assigned, asked for consent. */
export async function leadTimeline(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, lead, id)
  const company = ctx.company.id
  const rows = await ctx.sql.query(sql`
    select e.at, coalesce(concat_ws(' ', u."firstName", u."lastName"), 'System') as who, e.what, e.detail from (
      select "dateCreated" as at, "userId", concat('Status ', coalesce("fromStatus", '-'), ' → ', "toStatus") as what, "reason" as detail
        from lead_status_log where "companyId" = ${company} and "leadId" = ${id}
      union all select "dateCreated", "assignedByUserId", 'Assigned to ' || coalesce((select concat_ws(' ', a."firstName", a."lastName") from app_user a
          where a."companyId" = l."companyId" and a."id" = l."userId"), 'an agent'), null
        from lead_assignment l where "companyId" = ${company} and "leadId" = ${id}
      union all select "requestedAt", "requestedByUserId", 'Consent requested by ' || "channel", "mobileNumber"
        from lead_consent where "companyId" = ${company} and "leadId" = ${id}
      union all select "answeredAt", null, 'Consent ' || lower("status"), null
        from lead_consent where "companyId" = ${company} and "leadId" = ${id} and "answeredAt" is not null
      union all select "at", "userId", case "action" when 'lead.create' then 'Captured' when 'lead.remove' then 'Deleted' else 'Changed' end,
          (select string_agg(k, ', ') from jsonb_object_keys(case when jsonb_typeof("after") = 'object' then "after" else '{}'::jsonb end) k where k not in ('version', 'dateModified', 'syncSeq'))
        from audit_log where "companyId" = ${company} and "objectType" = 'lead' and "objectId" = ${id}
    ) e left join app_user u on u."companyId" = ${company} and u."id" = e."userId"
    order by e.at desc limit 500`)
  return { data: { timeline: rows } }
}

/** Days (in the company's time zone, the last one included) or times; by default the last 30 days. Figures of the leads dashboard over the caller's reach: totals, per status, per day, per agent, and days to each stage. */
export async function leadFigures(ctx: Ctx, { startDate, endDate }: { startDate?: string, endDate?: string }): Promise<Answer> {
  const { timeZone } = ctx.company
  const from = startDate?.length === 10 ? dayStart(startDate, timeZone) : sql`coalesce(${startDate ?? null}::timestamptz, now() - interval '30 days')`
  const to = endDate?.length === 10 ? dayEnd(endDate, timeZone) : sql`coalesce(${endDate ?? null}::timestamptz, now() + interval '1 day')`
  const within = sql`"companyId" = ${ctx.company.id} and "deletedAt" is null and "dateCreated" >= ${from} and "dateCreated" < ${to}`
  const text = await ctx.sql.text(sql`
    with l as (select "status", "dateCreated", "assignedUserId", "createdByUserId", "consentStatus", "leadCreatedBy" from lead where ${within})
    select json_build_object('success', true, 'data', json_build_object(
      'total', (select count(*) from l),
      'open', (select count(*) from l where "status" not in ('Converted', 'Unqualified', 'Declined by client', 'Declined by credit', 'Junk', 'Dormant')),
      'converted', (select count(*) from l where "status" = 'Converted'),
      'consented', (select count(*) from l where "consentStatus" = 'GRANTED'),
      'unassigned', (select count(*) from l where "assignedUserId" is null),
      'byStatus', (select coalesce(json_agg(x), '[]') from (select "status" as label, count(*) as value from l group by 1 order by 2 desc) x),
      'byDay', (select coalesce(json_agg(x), '[]') from (select to_char("dateCreated" at time zone ${ctx.company.timeZone}, 'YYYY-MM-DD') as label, count(*) as value from l group by 1 order by 1) x),
      'byAgent', (select coalesce(json_agg(x), '[]') from (select "leadCreatedBy" as label, count(*) as value from l group by 1 order by 2 desc limit 10) x),
      'stages', (select coalesce(json_agg(x), '[]') from (select "toStatus" as label, count(*) as value,
          round((percentile_cont(0.5) within group (order by "durationSeconds") / 86400.0)::numeric, 1)::float8 as "medianDays"
        from lead_status_log where "companyId" = ${ctx.company.id} and "dateCreated" >= ${from} and "dateCreated" < ${to}
        group by 1 order by 2 desc) x)))::text`)
  return { json: text }
}
