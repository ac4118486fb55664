import type { TargetMetricKey } from '@outpost/rules/target-metrics'
import { join, sql } from '@outpost/platform/db/sql'
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
  'leads.contacted': (window) => ofLead(window, 'leads.contacted'),
  'leads.qualified': (window) => ofLead(window, 'leads.qualified'),
  'leads.submitted': (window) => ofLead(window, 'leads.submitted'),
  'leads.converted': (window) => ofLead(window, 'leads.converted'),
  'leads.requestedAmount': (window) => ofLead(window, 'leads.requestedAmount', sql`t.requested`),
  'consents.requested': (window) => ofLead(window, 'consents.requested'),
  'consents.granted': (window) => ofLead(window, 'consents.granted'),
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

/* ---------- gathered once for all metrics that read them ---------- */

/** What befell a lead, of those that a metric counts. */
const leadEvents: Partial<Record<TargetMetricKey, 'Contacted' | 'Qualified' | 'Submitted' | 'Converted' | 'consent asked' | 'consent granted'>> = {
  'leads.contacted': 'Contacted', 'leads.qualified': 'Qualified', 'leads.submitted': 'Submitted', 'leads.converted': 'Converted', 'leads.requestedAmount': 'Submitted',
  'consents.requested': 'consent asked', 'consents.granted': 'consent granted',
}
/** The meaning of the status that a visit stands in. */
const visitMeanings: Partial<Record<TargetMetricKey, 'done' | 'missed'>> = { 'visits.done': 'done', 'visits.missed': 'missed' }

/**
 * The common tables that the sources of these metrics read: each table is walked once, however many metrics ask it. `windowOf`: the
 * time that some of the metrics span together.
 */
export function sharedTables(metrics: readonly TargetMetricKey[], windowOf: (some: readonly TargetMetricKey[]) => Omit<SourceWindow, 'timeZone'>): Statement[] {
  const shared = [[leadEvents, leadTables], [visitMeanings, visitTable]] as const
  return shared.flatMap(([kinds, table]) => {
    const own = metrics.filter((metric) => kinds[metric] !== undefined)
    return own.length === 0 ? [] : [table(windowOf(own), new Set(own.map((metric) => kinds[metric] ?? '')))]
  })
}

/** The events of one metric as a whole statement, for those who count one alone. */
export function metricEvents(metric: TargetMetricKey, window: SourceWindow): Statement {
  const tables = sharedTables([metric], () => window)
  return tables.length === 0 ? sources[metric](window) : sql`with ${join(tables)} ${sources[metric](window)}`
}

/**
 * Common table `touched`: what befell leads that still stand. The first time that each reached a status, so that going back and
 * forth does not count twice: who contacted a lead did so, the rest counts for its holder. Consents count for whoever asked.
 */
function leadTables({ companyId, from, to }: Omit<SourceWindow, 'timeZone'>, kinds: ReadonlySet<string>): Statement {
  const statuses = [...kinds].filter((kind) => !kind.startsWith('consent'))
  const parts = [
    ...(statuses.length === 0 ? [] : [sql`
      select g."toStatus" as kind, g."leadId", g."userId", g."tenantId", g."dateCreated" as at from lead_status_log g
      where g."companyId" = ${companyId}::uuid and g."toStatus" = any(${statuses}) and g."dateCreated" >= ${from} and g."dateCreated" < ${to}
        and not exists (select 1 from lead_status_log p where p."companyId" = g."companyId" and p."leadId" = g."leadId" and p."toStatus" = g."toStatus"
          and (p."dateCreated", p."id") < (g."dateCreated", g."id"))`]),
    ...(kinds.has('consent asked') ? [sql`
      select 'consent asked', c."leadId", c."requestedByUserId", c."tenantId", c."requestedAt" from lead_consent c
      where c."companyId" = ${companyId}::uuid and c."requestedAt" >= ${from} and c."requestedAt" < ${to} and c."purpose" = 'CREDIT_CHECK'
        and not exists (select 1 from lead_consent p where p."companyId" = c."companyId" and p."leadId" = c."leadId" and p."purpose" = c."purpose"
          and (p."requestedAt", p."id") < (c."requestedAt", c."id"))`] : []),
    ...(kinds.has('consent granted') ? [sql`
      select 'consent granted', c."leadId", c."requestedByUserId", c."tenantId", c."answeredAt" from lead_consent c
      where c."companyId" = ${companyId}::uuid and c."purpose" = 'CREDIT_CHECK' and c."status" = 'GRANTED' and c."answeredAt" >= ${from} and c."answeredAt" < ${to}`] : []),
  ]
  // Who held a lead from when until when, of those that were touched: one walk instead of a look-up an event.
  return sql`events as materialized (select * from (${join(parts, ' union all ')}) v(kind, "leadId", "userId", "tenantId", at)),
    held as (
      select h."leadId", h."userId", h."dateCreated" as since, lead(h."dateCreated") over (partition by h."leadId" order by h."dateCreated", h."id" desc) as until
      from lead_assignment h where h."companyId" = ${companyId}::uuid and h."leadId" = any(array(select v."leadId" from events v where v.kind = any(${ofHolder}::text[])))),
    touched as materialized (
      select v.kind, case when v.kind = any(${ofHolder}::text[]) then coalesce(h."userId", l."createdByUserId") else v."userId" end as "userId", v."tenantId", v.at, l."type" as product, l."id" as "leadId",
        case when v.kind = 'Submitted' and jsonb_typeof(l."onboarding" #> '{affordability,requestedAmount}') = 'number' then (l."onboarding" #>> '{affordability,requestedAmount}')::numeric else 0 end as requested
      from events v join lead l on l."companyId" = ${companyId}::uuid and l."id" = v."leadId" and l."deletedAt" is null
      left join held h on h."leadId" = v."leadId" and h.since <= v.at and (h.until is null or v.at < h.until))`
}

const ofHolder = ['Qualified', 'Submitted', 'Converted']

const ofLead = ({ from, to }: SourceWindow, metric: TargetMetricKey, amount: Statement = sql`1`): Statement => sql`
  select t."userId", t."tenantId", t.at, ${amount}, t.product, 'lead', t."leadId" from touched t where t.kind = ${leadEvents[metric]}::text and t.at >= ${from} and t.at < ${to}`

/** Common table `visited`: assignments that stand in a status of one of the meanings, at the moment it was set. */
function visitTable({ companyId, from, to }: Omit<SourceWindow, 'timeZone'>, meanings: ReadonlySet<string>): Statement {
  return sql`visited as materialized (
    select s."meaning", x."userId", x."tenantId", x."statusDateCreated" as at, a."id" as "activityId" from activity_assignment x
    join activity a on a."companyId" = x."companyId" and a."id" = x."activityId" and a."deletedAt" is null
    join activity_status s on s."companyId" = x."companyId" and s."id" = x."statusId" and s."meaning" = any(${[...meanings]})
    where x."companyId" = ${companyId}::uuid and x."statusDateCreated" >= ${from} and x."statusDateCreated" < ${to})`
}

const visits = ({ from, to }: SourceWindow, meaning: 'done' | 'missed'): Statement => sql`
  select v."userId", v."tenantId", v.at, 1, null, 'activity', v."activityId" from visited v where v."meaning" = ${meaning} and v.at >= ${from} and v.at < ${to}`
