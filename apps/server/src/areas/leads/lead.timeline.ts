import { sql } from '@outpost/platform/db/sql'
import { changedWords } from '../../kernel/resource/changed.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { familyOf } from './lead.family.ts'
import { lead } from './lead.resource.ts'

/**
 * Everything that happened to a lead and to those merged into it, newest first: captured, changed, moved, assigned,
 * assessed, asked for consent. Who acted for somebody else is named beside them.
 */
export async function leadTimeline(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, lead, id)
  const company = ctx.company.id
  const timeline = await ctx.sql.query(sql`
    with family(id) as ${familyOf(ctx, id)}
    select e.at, e.what, e.detail, concat(coalesce(u."firstName" || ' ' || u."lastName", 'Outpost'), ' (' || r."firstName" || ' ' || r."lastName" || ')') as who from (
      select "dateCreated" as at, "userId", "realUserId", concat('Status ', coalesce("fromStatus", '-'), ' → ', "toStatus") as what, "reason" as detail
        from lead_status_log where "companyId" = ${company} and "leadId" in (select id from family)
      union all select "dateCreated", "assignedByUserId", null, 'Assigned to ' || coalesce((select concat_ws(' ', a."firstName", a."lastName") from app_user a
          where a."companyId" = l."companyId" and a."id" = l."userId"), 'an agent'), "explanation"
        from lead_assignment l where "companyId" = ${company} and "leadId" in (select id from family)
      union all select "requestedAt", "requestedByUserId", null, 'Consent requested by ' || "channel", "mobileNumber"
        from lead_consent where "companyId" = ${company} and "leadId" in (select id from family)
      union all select "answeredAt", null, null, case when "status" = 'WITHDRAWN' then 'Consent granted' else 'Consent ' || lower("status") end, null
        from lead_consent where "companyId" = ${company} and "leadId" in (select id from family) and "answeredAt" is not null
      union all select "withdrawnAt", null, null, 'Consent withdrawn', "reason"
        from lead_consent where "companyId" = ${company} and "leadId" in (select id from family) and "withdrawnAt" is not null
      union all select "dateCreated", "createdByUserId", "realUserId", 'Affordability ' || "outcome", concat("calculator", ' · rule set ', "ruleSetVersion")
        from affordability_run where "companyId" = ${company} and "leadId" in (select id from family)
      union all select "at", "userId", "realUserId", case "action" when 'lead.create' then 'Captured' when 'lead.remove' then 'Deleted' when 'lead.restore' then 'Brought back'
            when 'lead.merge' then 'Merged with a duplicate' when 'lead.unmerge' then 'Merge undone' when 'lead.convert' then 'Became a client' else 'Changed' end,
          case when "action" in ('lead.create', 'lead.update') then
            ${changedWords(lead, sql`"after"`)} end
        from audit_log where "companyId" = ${company} and "objectType" = 'lead' and "objectId" in (select id::text from family)
    ) e left join app_user u on u."companyId" = ${company} and u."id" = e."userId"
      left join app_user r on r."companyId" = ${company} and r."id" = e."realUserId" and e."realUserId" <> e."userId"
    order by e.at desc limit 500`)
  return { data: { timeline } }
}
