import { join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Metric, MetricTables, MetricWindow } from '../../kernel/metrics.ts'
import { statusMoves } from './lead.log.ts'

/** Who held lead l at that moment: the last to whom it was given until then, else who captured it. */
const holder = (at: Statement) => sql`coalesce((select h."userId" from lead_assignment h
  where h."companyId" = l."companyId" and h."leadId" = l."id" and h."dateCreated" <= ${at} order by h."dateCreated" desc, h."id" limit 1), l."createdByUserId")`

/** What befell a lead, of those that a metric counts. */
const leadEvents: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'leads.contacted': 'Contacted',
    'leads.qualified': 'Qualified',
    'leads.submitted': 'Submitted',
    'leads.converted': 'Converted',
    'leads.requestedAmount': 'Submitted',
    'consents.requested': 'consent asked',
    'consents.granted': 'consent granted',
  }),
)
/** These count for the lead's holder. */
const ofHolder = ['Qualified', 'Submitted', 'Converted']

/**
 * Common table `touched`: what happened to live leads. The first time that each reached a status, so that going back and
 * forth does not count twice: who contacted a lead did so, the rest counts for its holder. Consents count for whoever asked.
 */
const leadTables: MetricTables = ({ companyId, from, to }, metrics) => {
  const kinds = new Set(metrics.map((metric) => leadEvents.get(metric) ?? ''))
  const statuses = [...kinds].filter((kind) => !kind.startsWith('consent'))
  const parts = [
    ...(statuses.length === 0
      ? []
      : [
          sql`
      select g."to" as kind, g."objectId" as "leadId", g."userId", g."movedInTenantId" as "tenantId", g."dateCreated" as at from record_move g
      where ${statusMoves(companyId, 'g')} and g."isFirst" and g."to" = any(${statuses}) and g."dateCreated" >= ${from} and g."dateCreated" < ${to}`,
        ]),
    ...(kinds.has('consent asked')
      ? [
          sql`
      select 'consent asked', c."leadId", c."requestedByUserId", c."tenantId", c."requestedAt" from lead_consent c
      where c."companyId" = ${companyId}::uuid and c."requestedAt" >= ${from} and c."requestedAt" < ${to} and c."purpose" = 'CREDIT_CHECK'
        and not exists (select 1 from lead_consent p where p."companyId" = c."companyId" and p."leadId" = c."leadId" and p."purpose" = c."purpose"
          and (p."requestedAt", p."id") < (c."requestedAt", c."id"))`,
        ]
      : []),
    ...(kinds.has('consent granted')
      ? [
          sql`
      select 'consent granted', c."leadId", c."requestedByUserId", c."tenantId", c."answeredAt" from lead_consent c
      where c."companyId" = ${companyId}::uuid and c."purpose" = 'CREDIT_CHECK' and c."status" = 'GRANTED' and c."answeredAt" >= ${from} and c."answeredAt" < ${to}`,
        ]
      : []),
  ]
  // Who held a lead from when until when, of those that were touched: one walk instead of a look-up an event.
  return sql`events as materialized (select * from (${join(parts, ' union all ')}) v(kind, "leadId", "userId", "tenantId", at)),
    held as (
      select h."leadId", h."userId", h."dateCreated" as since, lead(h."dateCreated") over (partition by h."leadId" order by h."dateCreated", h."id" desc) as until
      from lead_assignment h where h."companyId" = ${companyId}::uuid and h."leadId" = any(array(select v."leadId" from events v where v.kind = any(${ofHolder}::text[])))),
    touched as materialized (
      select v.kind, case when v.kind = any(${ofHolder}::text[]) then coalesce(h."userId", l."createdByUserId") else v."userId" end as "userId", v."tenantId", v.at, l."type" as product, l."id" as "leadId"
      from events v join lead l on l."companyId" = ${companyId}::uuid and l."id" = v."leadId" and l."deletedAt" is null
      left join held h on h."leadId" = v."leadId" and h.since <= v.at and (h.until is null or v.at < h.until))`
}

const ofLead = ({ from, to }: MetricWindow, metric: string, amount: Statement = sql`1`): Statement => sql`
  select t."userId", t."tenantId", t.at, ${amount}, t.product, 'lead', t."leadId" from touched t where t.kind = ${leadEvents.get(metric) ?? null}::text and t.at >= ${from} and t.at < ${to}`

/** What the lead of an event asked for when it was onboarded; 0 when nobody said it. */
const requestedAmount = ({ companyId }: MetricWindow) => sql`coalesce((
    select case when jsonb_typeof(o.asked) = 'number' then (o.asked #>> '{}')::numeric end
    from (select l."onboarding" #> '{affordability,requestedAmount}' as asked from lead l where l."companyId" = ${companyId}::uuid and l."id" = t."leadId") o), 0)`

/** What targets may count of leads, from capture to conversion. */
export const leadMetrics: Metric[] = [
  {
    name: 'leads.created',
    label: 'Leads captured',
    unit: 'count',
    hasProduct: true,
    order: 10,
    events: ({ companyId, from, to }) => sql`
      select l."createdByUserId" as "userId", l."tenantId", l."dateCreated" as at, 1::numeric as amount, l."type" as product, 'lead' as entity, l."id" as "entityId"
      from lead l where l."companyId" = ${companyId}::uuid and l."deletedAt" is null and l."dateCreated" >= ${from} and l."dateCreated" < ${to}`,
  },
  {
    name: 'leads.contacted',
    label: 'Leads contacted',
    unit: 'count',
    hasProduct: true,
    order: 20,
    reads: leadTables,
    events: (window) => ofLead(window, 'leads.contacted'),
  },
  {
    name: 'leads.qualified',
    label: 'Leads qualified',
    unit: 'count',
    hasProduct: true,
    order: 30,
    reads: leadTables,
    events: (window) => ofLead(window, 'leads.qualified'),
  },
  {
    name: 'leads.submitted',
    label: 'Leads submitted to credit',
    unit: 'count',
    hasProduct: true,
    order: 40,
    reads: leadTables,
    events: (window) => ofLead(window, 'leads.submitted'),
  },
  {
    name: 'leads.converted',
    label: 'Leads converted',
    unit: 'count',
    hasProduct: true,
    order: 50,
    reads: leadTables,
    events: (window) => ofLead(window, 'leads.converted'),
  },
  {
    name: 'leads.requestedAmount',
    label: 'Amount asked for at submission',
    unit: 'money',
    hasProduct: true,
    order: 60,
    reads: leadTables,
    events: (window) => ofLead(window, 'leads.requestedAmount', requestedAmount(window)),
  },
  {
    name: 'consents.requested',
    label: 'Consents requested',
    unit: 'count',
    hasProduct: true,
    order: 70,
    reads: leadTables,
    events: (window) => ofLead(window, 'consents.requested'),
  },
  {
    name: 'consents.granted',
    label: 'Consents granted',
    unit: 'count',
    hasProduct: true,
    order: 80,
    reads: leadTables,
    events: (window) => ofLead(window, 'consents.granted'),
  },
  {
    name: 'affordability.passed',
    label: 'Affordability passed',
    unit: 'count',
    hasProduct: true,
    order: 90,
    events: ({ companyId, from, to }) => sql`
      select ${holder(sql`l."affordabilityDate"`)}, l."tenantId", l."affordabilityDate", 1, l."type", 'lead', l."id" from lead l
      where l."companyId" = ${companyId}::uuid and l."deletedAt" is null and l."affordabilityOutcome" in ('PASS', 'REFER APPROVED')
        and l."affordabilityDate" >= ${from} and l."affordabilityDate" < ${to}`,
  },
]
