import type { RelatedEntries } from '../../../kernel/keeps/related-entries.ts'

/** Ids of the leads behind the clients of the history, and of those that were merged into them. */
const leads = `array(with recursive family(id) as (
  select c."leadId" from client c where c."companyId" = (select ctx.company()) and c."id" in (select id from ids)
  union select m."loserId" from lead_merge m join family f on f.id = m."winnerId" where m."companyId" = (select ctx.company()) and m."undoneAt" is null)
  select id from family)`
const ofLead = `t."leadId" = any(${leads})`
const consent = { on: 'client', resource: { table: 'lead_consent' }, anyOf: ['CLIENTS'] } as const
const about = `case when t."purpose" = 'MARKETING' then ' to marketing' end`

/** What a client agreed to and could afford, as a lead too, in the client's history: as the history of the lead says it. */
export const creditOfClient: RelatedEntries[] = [
  {
    ...consent,
    where: ofLead,
    at: 't."requestedAt"',
    who: 't."requestedByUserId"',
    what: `concat('Consent', ${about}, ' requested by ', t."channel")`,
    detail: 't."mobileNumber"',
  },
  {
    ...consent,
    where: `${ofLead} and t."answeredAt" is not null`,
    at: 't."answeredAt"',
    who: 'null::uuid',
    what: `concat('Consent', ${about}, ' ', case when t."status" = 'WITHDRAWN' then 'granted' else lower(t."status") end)`,
    detail: 'null::text',
  },
  {
    ...consent,
    where: `${ofLead} and t."withdrawnAt" is not null`,
    at: 't."withdrawnAt"',
    who: 'null::uuid',
    what: `concat('Consent', ${about}, ' withdrawn')`,
    detail: 't."reason"',
  },
  {
    ...consent,
    resource: { table: 'affordability_run' },
    where: `(${ofLead} or t."clientId" = any(array(select id from ids)))`,
    at: 't."dateCreated"',
    who: 't."createdByUserId"',
    what: `'Affordability ' || t."outcome"`,
    detail: `concat_ws(' · ', t."calculator", 'rule set ' || t."ruleSetVersion")`,
  },
]
