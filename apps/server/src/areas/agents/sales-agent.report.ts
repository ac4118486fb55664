import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import type { Ctx } from '../../kernel/types.ts'
import type { MetricWindow } from '../../kernel/metrics.ts'
import { happenedAt, happenedWithin } from './action.time.ts'
import { stepsOf } from './timeline.ts'
import { metricEvents } from '../../kernel/metrics.ts'
import { defineReport, type ReportColumn } from '../../kernel/reports/definition.ts'
import { periodFields, periodFilters, periodInput, periodOf, type Period } from '../../kernel/reports/period.ts'
import { peopleInReach } from '../../kernel/reports/people.ts'

/** System roles whose people sell. */
const sellers = ['officer', 'credit', 'leader', 'sales']

const figure = (key: string, title: string): ReportColumn => ({ key, title, kind: 'number', total: true })
const money = (key: string, title: string): ReportColumn => ({ key, title, kind: 'money', total: true })

/** What each agent has brought in and done in a period (domain.md 4.10). */
export const salesAgentReport = defineReport({
  name: 'salesAgentReport',
  title: 'Sales Agent Report',
  menu: { label: 'Sales agents', icon: 'rise', order: 2 },
  description: 'Leads, contacts, consents, applications, loans paid out, money collected and activities of each agent in a period.',
  anyOf: ['CRM/REPORTS'],
  input: z.strictObject(periodInput),
  fields: periodFields,
  plan(ctx, input) {
    const period = periodOf(ctx, input)
    const agents = peopleInReach(ctx, { roles: sellers })
    return {
      title: 'Sales Agent Report',
      filters: periodFilters(period),
      definition:
        'Leads are those created in the period and assigned to the agent (else created by the agent), in the tenants in reach. Contacted: ' +
        'leads that the agent brought to Contacted for the first time in the period, as the target counts them. Consents: consent to the credit check granted. Applications: ever Submitted. Conversion: leads that are Converted, of leads. ' +
        'Loan applications are those that the agent holds and that were sent in, or approved, for the first time in the period, as targets count them. ' +
        'Disbursed: loans paid out in the period, by the officer of that day, and what was lent with them. Collected: payments of the period, by the officer of the loan on that day. Both as targets count them. ' +
        'Activities are those that start in the period; missed ones are past, neither done nor cancelled. Route stops are those of live route plans on days of the period. Distance: straight lines ' +
        'between following positions that were measured with 200 m or better and that nothing speaks against.',
      columns: [
        { key: 'name', title: 'Agent', kind: 'text', width: 28 },
        { key: 'userName', title: 'User name', kind: 'text', width: 24 },
        { key: 'tenant', title: 'Tenant', kind: 'text', width: 24 },
        figure('leads', 'Leads'),
        figure('contacted', 'Contacted'),
        figure('consents', 'Consents'),
        figure('applications', 'Applications'),
        figure('converted', 'Converted'),
        figure('askedFor', 'Loan applications sent in'),
        figure('approved', 'Loan applications approved'),
        money('approvedAmount', 'Amount approved'),
        figure('disbursed', 'Disbursed'),
        money('disbursedAmount', 'Amount disbursed'),
        money('collected', 'Collected'),
        { key: 'conversion', title: 'Conversion', kind: 'percent' },
        figure('planned', 'Activities planned'),
        figure('done', 'Activities done'),
        figure('missed', 'Activities missed'),
        figure('stops', 'Route stops planned'),
        figure('days', 'Days started'),
        figure('km', 'Distance (km)'),
      ],
      count: sql`select count(*) as count from (${agents}) people`,
      statement: figuresOf(ctx, period, agents),
    }
  },
})

/** One row an agent: leads and what became of them, activities, and the work in the field. */
function figuresOf(ctx: Ctx, period: Period, agents: Statement): Statement {
  const window = { companyId: ctx.company.id, from: period.from, to: period.until, timeZone: ctx.company.timeZone }
  return sql`
    with agents as (${agents}),
    led as (
      select coalesce(l."assignedUserId", l."createdByUserId") as "userId", count(*) as leads,
        count(*) filter (where exists (select from lead_consent c
          where c."companyId" = l."companyId" and c."leadId" = l."id" and c."purpose" = 'CREDIT_CHECK' and c."status" = 'GRANTED')) as consents,
        count(*) filter (where l."status" in ('Submitted', 'Approved', 'Converted') or exists (select from record_move s
          where s."companyId" = l."companyId" and s."objectType" = 'lead' and s."objectId" = l."id" and s."field" = 'status' and s."to" = 'Submitted')) as applications,
        count(*) filter (where l."status" = 'Converted') as converted
      from lead l
      where l."companyId" = ${ctx.company.id}::uuid and l."deletedAt" is null
        and l."dateCreated" >= ${period.from} and l."dateCreated" < ${period.until}
      group by 1
    ),
    contacted as (
      select x."userId", count(*) as contacted from (${metricEvents(ctx, 'leads.contacted', window)}) x group by 1
    ),
    asked as (select "userId", count(*) as "askedFor" from (${eventsOf(ctx, 'applications.submitted', window)}) x group by 1),
    granted as (select "userId", count(*) as approved, sum(amount) as "approvedAmount" from (${eventsOf(ctx, 'applications.approvedAmount', window)}) x group by 1),
    lent as (select "userId", count(*) as disbursed, sum(amount) as "disbursedAmount" from (${eventsOf(ctx, 'loans.disbursedAmount', window)}) x group by 1),
    received as (select "userId", sum(amount) as collected from (${eventsOf(ctx, 'loans.collected', window)}) x group by 1),
    acted as (
      select s."userId", count(*) as planned,
        count(*) filter (where st."meaning" = 'done') as done,
        count(*) filter (where st."meaning" = 'missed' or (a."endDate" < now() and coalesce(st."meaning", 'open') in ('open', 'started'))) as missed
      from activity_assignment s
        join activity a on a."companyId" = s."companyId" and a."id" = s."activityId" and a."deletedAt" is null
        left join activity_status st on st."companyId" = s."companyId" and st."id" = coalesce(s."statusId", a."statusId")
      where s."companyId" = ${ctx.company.id}::uuid and a."startDate" >= ${period.from} and a."startDate" < ${period.until}
      group by 1
    ),
    ${fieldFigures(ctx, period)}
    select p."name", p."userName", p."tenant", coalesce(l.leads, 0) as leads, coalesce(k.contacted, 0) as contacted,
      coalesce(l.consents, 0) as consents, coalesce(l.applications, 0) as applications, coalesce(l.converted, 0) as converted,
      coalesce(q."askedFor", 0) as "askedFor", coalesce(g.approved, 0) as approved, coalesce(g."approvedAmount", 0) as "approvedAmount",
      coalesce(o.disbursed, 0) as disbursed, coalesce(o."disbursedAmount", 0) as "disbursedAmount", coalesce(c.collected, 0) as collected,
      case when coalesce(l.leads, 0) = 0 then 0 else round(l.converted::numeric / l.leads, 4) end as conversion,
      coalesce(a.planned, 0) as planned, coalesce(a.done, 0) as done, coalesce(a.missed, 0) as missed,
      coalesce(r.stops, 0) as stops, coalesce(d.days, 0) as days, coalesce(m.km, 0) as km
    from agents p left join led l on l."userId" = p."id" left join contacted k on k."userId" = p."id" left join acted a on a."userId" = p."id" left join routed r on r."userId" = p."id"
      left join asked q on q."userId" = p."id" left join granted g on g."userId" = p."id"
      left join lent o on o."userId" = p."id" left join received c on c."userId" = p."id"
      left join started d on d."userId" = p."id" left join moved m on m."userId" = p."id"
    order by leads desc, p."name", p."id"`
}

/** The events of a metric, with names. */
const eventsOf = (ctx: Ctx, metric: string, window: MetricWindow): Statement =>
  sql`select * from (${metricEvents(ctx, metric, window)}) e("userId", "tenantId", at, amount, product, entity, "entityId")`

/** Sub-selects over route plans, days and positions of the period, by agent. */
function fieldFigures(ctx: Ctx, period: Period): Statement {
  return sql`
    routed as (
      select r."userId", count(*) as stops from activity_plan_activity r
      where r."companyId" = ${ctx.company.id}::uuid and r."isLive" and r."day" between ${period.startDate}::date and ${period.endDate}::date group by 1
    ),
    started as (
      select d."performedByUserId" as "userId", count(distinct (${happenedAt('d')} at time zone ${ctx.company.timeZone})::date) as days from agent_action d
      where d."companyId" = ${ctx.company.id}::uuid and d."action" = 1 and ${happenedWithin('d', period)} group by 1
    ),
    moved as (
      select g."id" as "userId", (select round((sum(w.metres) / 1000)::numeric, 1)
        from (${stepsOf(ctx, { userId: sql`g."id"`, from: period.from, until: period.until })}) w) as km from agents g
    )`
}
