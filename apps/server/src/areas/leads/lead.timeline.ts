import { sql } from '@outpost/platform/db/sql'
import { changedWords } from '../../kernel/resource/changed.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { familyOf } from './lead.family.ts'
import { lead } from './lead.resource.ts'

/** What the audit tells of a lead; the rest stands in logs of its own. */
const acts = {
  'lead.create': 'Captured', 'lead.remove': 'Deleted', 'lead.restore': 'Brought back', 'lead.update': 'Changed', 'lead.merge': 'Merged with a duplicate', 'lead.unmerge': 'Merge undone',
  'lead.convert': 'Became a client', 'lead.approveReferral': 'Referral approved', 'lead.confirmContact': 'Phone and e-mail confirmed',
}
/** Fields whose changes have lines of their own, or follow from others. */
const toldElsewhere = [
  'status', 'statusReason', 'consentStatus', 'consentDate', 'affordabilityOutcome', 'affordabilityDate', 'installmentAmount', 'totalAffordability', 'assignedUserId', 'trimmedPhonenumber', 'addressId',
  'contactChangedAt', 'contactChangedByUserId',
]
const about = sql`case when "purpose" = 'MARKETING' then ' to marketing' end`

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
      select "dateCreated" as at, "userId", "realUserId", concat('Status ', coalesce("fromStatus", '-'), ' → ', "toStatus") as what, "reason" as detail, null::bigint as turn
        from lead_status_log where "companyId" = ${company} and "leadId" in (select id from family)
      union all select "dateCreated", "assignedByUserId", null, 'Assigned to ' || coalesce((select concat_ws(' ', a."firstName", a."lastName") from app_user a
          where a."companyId" = l."companyId" and a."id" = l."userId"), 'an agent'), "explanation", null
        from lead_assignment l where "companyId" = ${company} and "leadId" in (select id from family)
      union all select "requestedAt", "requestedByUserId", null, concat('Consent', ${about}, ' requested by ', "channel"), "mobileNumber", null
        from lead_consent where "companyId" = ${company} and "leadId" in (select id from family)
      union all select "answeredAt", null, null, concat('Consent', ${about}, ' ', case when "status" = 'WITHDRAWN' then 'granted' else lower("status") end), null, null
        from lead_consent where "companyId" = ${company} and "leadId" in (select id from family) and "answeredAt" is not null
      union all select "withdrawnAt", null, null, concat('Consent', ${about}, ' withdrawn'), "reason", null
        from lead_consent where "companyId" = ${company} and "leadId" in (select id from family) and "withdrawnAt" is not null
      union all select "dateCreated", "createdByUserId", "realUserId", 'Affordability ' || "outcome", concat_ws(' · ',
          (select string_agg(r, ' ') from jsonb_array_elements_text(case when jsonb_typeof("result"->'reasons') = 'array' then "result"->'reasons' else '[]' end) r), "calculator", 'rule set ' || "ruleSetVersion"), null
        from affordability_run where "companyId" = ${company} and "leadId" in (select id from family)
      union all select g."at", g."userId", g."realUserId", ${JSON.stringify(acts)}::jsonb ->> g."action", case when g."action" = 'lead.update' then c.fields else g."after" ->> 'reason' end, g."seq"
        from audit_log g left join lateral (select ${changedWords(lead, { before: sql`g."before"`, after: sql`g."after"`, company: ctx.company, except: toldElsewhere, also: { onboarding: 'Onboarding figures' } })} as fields) c on g."action" = 'lead.update'
        where g."companyId" = ${company} and g."objectType" = 'lead' and g."objectId" in (select id::text from family) and ${JSON.stringify(acts)}::jsonb ? g."action" and (g."action" <> 'lead.update' or c.fields is not null)
    ) e left join app_user u on u."companyId" = ${company} and u."id" = e."userId"
      left join app_user r on r."companyId" = ${company} and r."id" = e."realUserId" and e."realUserId" <> e."userId"
    order by e.at desc, e.turn desc nulls last limit 500`)
  return { data: { timeline } }
}
