import { sql } from '@outpost/platform/db/sql'
import type { HistoryOptions } from '../../kernel/keeps/history.ts'
import { nameOf } from '../../kernel/names.ts'
import { familyOf } from './merging/lead.family.ts'

const about = sql`case when "purpose" = 'MARKETING' then ' to marketing' end`

/** What the history of a lead shows beside its fields and moves, those merged into it too: assigned, assessed, asked for consent. */
export const leadHistory: HistoryOptions = {
  family: familyOf,
  acts: {
    'lead.create': 'Captured',
    'lead.restore': 'Brought back',
    'lead.merge': 'Merged with a duplicate',
    'lead.unmerge': 'Merge undone',
    'lead.convert': 'Became a client',
    'lead.approveReferral': 'Referral approved',
    'lead.confirmContact': 'Phone and e-mail confirmed',
  },
  except: [
    'consentStatus',
    'consentDate',
    'affordabilityOutcome',
    'affordabilityDate',
    'installmentAmount',
    'totalAffordability',
    'assignedUserId',
    'trimmedPhonenumber',
    'addressId',
    'contactChangedAt',
    'contactChangedByUserId',
  ],
  also: { onboarding: 'Onboarding figures' },
  entries: ({ company: { id: company } }) => [
    sql`select "dateCreated" as at, "assignedByUserId" as "userId", null::uuid as "realUserId", 'Assigned to ' || coalesce((select ${nameOf('a')} from app_user a
        where a."companyId" = l."companyId" and a."id" = l."userId"), 'an agent') as what, "explanation" as detail
      from lead_assignment l where "companyId" = ${company} and "leadId" in (select id from ids)`,
    sql`select "requestedAt" as at, "requestedByUserId" as "userId", null::uuid as "realUserId", concat('Consent', ${about}, ' requested by ', "channel") as what, "mobileNumber" as detail
      from lead_consent where "companyId" = ${company} and "leadId" in (select id from ids)`,
    sql`select "answeredAt" as at, null::uuid as "userId", null::uuid as "realUserId", concat('Consent', ${about}, ' ', case when "status" = 'WITHDRAWN' then 'granted' else lower("status") end) as what, null as detail
      from lead_consent where "companyId" = ${company} and "leadId" in (select id from ids) and "answeredAt" is not null`,
    sql`select "withdrawnAt" as at, null::uuid as "userId", null::uuid as "realUserId", concat('Consent', ${about}, ' withdrawn') as what, "reason" as detail
      from lead_consent where "companyId" = ${company} and "leadId" in (select id from ids) and "withdrawnAt" is not null`,
    sql`select "dateCreated" as at, "createdByUserId" as "userId", "realUserId", 'Affordability ' || "outcome" as what, concat_ws(' · ',
        (select string_agg(r, ' ') from jsonb_array_elements_text(case when jsonb_typeof("result"->'reasons') = 'array' then "result"->'reasons' else '[]' end) r), "calculator", 'rule set ' || "ruleSetVersion") as detail
      from affordability_run where "companyId" = ${company} and "leadId" in (select id from ids)`,
  ],
}
