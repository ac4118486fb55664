import type { TargetMetricKey } from '@outpost/rules/target-metrics'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'

/** The part of time that a figure looks at: [from, to). Days are those of the company's time zone. */
export interface SourceWindow { companyId: string, from: Date | Statement, to: Date | Statement, timeZone: string }

/**
 * The one source of each metric: a statement whose rows are the events behind it, as
 * ("userId", "tenantId", at, amount, product, entity, "entityId"). Every figure, roll-up and list of records is made
 * from these and nothing else, so that they agree.
 */
export const sources: Record<TargetMetricKey, (window: SourceWindow) => Statement> = {
  'leads.created': ({ companyId, from, to }) => sql`
    select l."createdByUserId" as "userId", l."tenantId", l."dateCreated" as at, 1::numeric as amount, l."type" as product, 'lead' as entity, l."id" as "entityId"
    from lead l where l."companyId" = ${companyId}::uuid and l."deletedAt" is null and l."dateCreated" >= ${from} and l."dateCreated" < ${to}`,
  'leads.contacted': (window) => firstReached(window, 'leads.contacted'),
  'leads.qualified': (window) => firstReached(window, 'leads.qualified'),
  'leads.submitted': (window) => firstReached(window, 'leads.submitted'),
  'leads.converted': (window) => firstReached(window, 'leads.converted'),
  'leads.requestedAmount': (window) => firstReached(window, 'leads.requestedAmount', sql`(select
    case when jsonb_typeof(l."onboarding" #> '{affordability,requestedAmount}') = 'number' then (l."onboarding" #>> '{affordability,requestedAmount}')::numeric else 0 end
    from lead l where l."companyId" = ${window.companyId}::uuid and l."id" = r."leadId")`),
  'consents.requested': ({ companyId, from, to }) => sql`
    select c."requestedByUserId", c."tenantId", c."requestedAt", 1, l."type", 'lead', l."id" from lead_consent c
    join lead l on l."companyId" = c."companyId" and l."id" = c."leadId" and l."deletedAt" is null
    where c."companyId" = ${companyId}::uuid and c."requestedAt" >= ${from} and c."requestedAt" < ${to} and c."purpose" = 'CREDIT_CHECK'
      and not exists (select 1 from lead_consent p where p."companyId" = c."companyId" and p."leadId" = c."leadId" and p."purpose" = c."purpose" and (p."requestedAt", p."id") < (c."requestedAt", c."id"))`,
  'consents.granted': ({ companyId, from, to }) => sql`
    select c."requestedByUserId", c."tenantId", c."answeredAt", 1, l."type", 'lead', l."id" from lead_consent c
    join lead l on l."companyId" = c."companyId" and l."id" = c."leadId" and l."deletedAt" is null
    where c."companyId" = ${companyId}::uuid and c."purpose" = 'CREDIT_CHECK' and c."status" = 'GRANTED' and c."answeredAt" >= ${from} and c."answeredAt" < ${to}`,
  'affordability.passed': ({ companyId, from, to }) => sql`
    select ${holder(sql`l."affordabilityDate"`)}, l."tenantId", l."affordabilityDate", 1, l."type", 'lead', l."id" from lead l
    where l."companyId" = ${companyId}::uuid and l."deletedAt" is null and l."affordabilityOutcome" in ('PASS', 'REFER APPROVED')
      and l."affordabilityDate" >= ${from} and l."affordabilityDate" < ${to}`,
  'clients.created': ({ companyId, from, to }) => sql`
    select c."createdByUserId", c."tenantId", c."dateCreated", 1, c."type", 'client', c."id" from client c
    where c."companyId" = ${companyId}::uuid and c."deletedAt" is null and c."dateCreated" >= ${from} and c."dateCreated" < ${to}`,
  'activities.planned': ({ companyId, from, to }) => sql`
    select x."userId", x."tenantId", a."startDate", 1, null, 'activity', a."id" from activity a
    join activity_assignment x on x."companyId" = a."companyId" and x."activityId" = a."id"
    left join activity_status s on s."companyId" = x."companyId" and s."id" = coalesce(x."statusId", a."statusId")
    where a."companyId" = ${companyId}::uuid and a."deletedAt" is null and a."startDate" >= ${from} and a."startDate" < ${to} and coalesce(s."meaning", 'open') <> 'cancelled'`,
  'visits.done': (window) => visits(window, 'done'),
  'visits.missed': (window) => visits(window, 'missed'),
  'days.worked': ({ companyId, from, to, timeZone }) => sql`
    select a."performedByUserId", (array_agg(a."tenantId" order by a."dateCreated"))[1], min(a."dateCreated"), 1, null, 'agentAction', (array_agg(a."id" order by a."dateCreated"))[1]
    from agent_action a where a."companyId" = ${companyId}::uuid and a."action" = 1 and a."dateCreated" >= ${from} and a."dateCreated" < ${to}
    group by a."performedByUserId", (a."dateCreated" at time zone ${timeZone})::date`,
  'cases.opened': ({ companyId, from, to }) => sql`
    select c."createdByUserId", c."tenantId", c."dateCreated", 1, null, 'case', c."id" from sales_case c
    where c."companyId" = ${companyId}::uuid and c."deletedAt" is null and c."dateCreated" >= ${from} and c."dateCreated" < ${to}`,
  'cases.resolved': ({ companyId, from, to }) => sql`
    select c."ownerUserId", c."tenantId", c."resolvedAt", 1, null, 'case', c."id" from sales_case c
    where c."companyId" = ${companyId}::uuid and c."deletedAt" is null and c."status" = 'Resolved' and c."resolvedAt" >= ${from} and c."resolvedAt" < ${to}`,
}

/** Who held lead l at that moment: the last to whom it was given until then, else who captured it. */
const holder = (at: Statement) => sql`coalesce((select h."userId" from lead_assignment h
  where h."companyId" = l."companyId" and h."leadId" = l."id" and h."dateCreated" <= ${at} order by h."dateCreated" desc, h."id" limit 1), l."createdByUserId")`

/** The status whose first reaching a metric counts. */
const statusReached: Partial<Record<TargetMetricKey, string>> = {
  'leads.contacted': 'Contacted', 'leads.qualified': 'Qualified', 'leads.submitted': 'Submitted', 'leads.converted': 'Converted', 'leads.requestedAmount': 'Submitted',
}

export const countsReached = (metric: TargetMetricKey): boolean => Object.hasOwn(statusReached, metric)

/**
 * Common table `reached`, which the sources of those metrics read: the first time that each lead reached a status, so that going
 * back and forth does not count twice. One walk through the log for all of them. Who contacted a lead did so; the rest counts for its holder.
 */
export function reachedTable({ companyId, from, to }: Omit<SourceWindow, 'timeZone'>, metrics: readonly TargetMetricKey[]): Statement {
  const statuses = [...new Set(metrics.map((metric) => statusReached[metric]))]
  return sql`reached as materialized (
    select g."toStatus" as status, case when g."toStatus" = 'Contacted' then g."userId" else ${holder(sql`g."dateCreated"`)} end as "userId", g."tenantId", g."dateCreated" as at, l."type" as product, l."id" as "leadId"
    from lead_status_log g join lead l on l."companyId" = g."companyId" and l."id" = g."leadId" and l."deletedAt" is null
    where g."companyId" = ${companyId}::uuid and g."toStatus" = any(${statuses}) and g."dateCreated" >= ${from} and g."dateCreated" < ${to}
      and not exists (select 1 from lead_status_log p where p."companyId" = g."companyId" and p."leadId" = g."leadId" and p."toStatus" = g."toStatus"
        and (p."dateCreated", p."id") < (g."dateCreated", g."id")))`
}

/** The events of one metric as a whole statement, for those who count one alone. */
export function metricEvents(metric: TargetMetricKey, window: SourceWindow): Statement {
  return countsReached(metric) ? sql`with ${reachedTable(window, [metric])} ${sources[metric](window)}` : sources[metric](window)
}

/** The events of one such metric, of those that reachedTable gathered. */
const firstReached = ({ from, to }: SourceWindow, metric: TargetMetricKey, amount: Statement = sql`1`): Statement => sql`
  select r."userId", r."tenantId", r.at, ${amount}, r.product, 'lead', r."leadId" from reached r where r.status = ${statusReached[metric]}::text and r.at >= ${from} and r.at < ${to}`

/** Assignments that stand in a status of that meaning, at the moment it was set. */
function visits({ companyId, from, to }: SourceWindow, meaning: 'done' | 'missed'): Statement {
  return sql`
    select x."userId", x."tenantId", x."statusDateCreated", 1, null, 'activity', a."id" from activity_assignment x
    join activity a on a."companyId" = x."companyId" and a."id" = x."activityId" and a."deletedAt" is null
    where x."companyId" = ${companyId}::uuid and x."statusDateCreated" >= ${from} and x."statusDateCreated" < ${to}
      and x."statusId" = any(array(select s."id" from activity_status s where s."companyId" = ${companyId}::uuid and s."meaning" = ${meaning}))`
}
