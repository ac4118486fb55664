import { mayAny } from '@outpost/rules/permission'
import { isTargetMetric, metricOf } from '@outpost/rules/target-metrics'
import { sql } from '@outpost/platform/db/sql'
import { anySession, defineArea, may, route } from '../../kernel/area.ts'
import { noInput, query } from '../../kernel/resource/operations.ts'
import { custom, screen } from '../../kernel/screens/screen.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { myTargets } from '../targets/index.ts'

/** Figures of the home dashboard and of My Work, cut to the caller's permissions and reach; days in the company's time zone. */
async function homeFigures(ctx: Ctx): Promise<Answer> {
  const company = ctx.company.id
  const today = sql`date_trunc('day', now() at time zone ${ctx.company.timeZone}) at time zone ${ctx.company.timeZone}`
  const leads = mayAny(ctx, ['SALES/LEADS']) ? sql`(select json_build_object(
      'total', count(*), 'today', count(*) filter (where "dateCreated" >= ${today}), 'week', count(*) filter (where "dateCreated" >= ${today} - interval '6 days'),
      'mine', count(*) filter (where "assignedUserId" = ${ctx.user.id} or "createdByUserId" = ${ctx.user.id}),
      'unassigned', count(*) filter (where "assignedUserId" is null and "status" = 'New'),
      'awaitingConsent', count(*) filter (where "consentStatus" = 'REQUESTED'), 'converted', count(*) filter (where "status" = 'Converted'))
    from lead where "companyId" = ${company} and "deletedAt" is null)` : sql`null::json`
  const activities = mayAny(ctx, ['SALES/ACTIVITIES/ACTIVITIES', 'SALES/AGENTS/MYWORK']) ? sql`(select json_build_object(
      'today', count(*) filter (where a."startDate" >= ${today} and a."startDate" < ${today} + interval '1 day'),
      'doneToday', count(*) filter (where a."startDate" >= ${today} and a."startDate" < ${today} + interval '1 day' and s."meaning" = 'done'),
      'overdue', count(*) filter (where a."endDate" < now() and coalesce(s."meaning", 'open') in ('open', 'started')),
      'mineToday', count(*) filter (where a."startDate" >= ${today} and a."startDate" < ${today} + interval '1 day' and m."userId" is not null),
      'mineOverdue', count(*) filter (where a."endDate" < now() and coalesce(s."meaning", 'open') in ('open', 'started') and m."userId" is not null))
    from activity a left join activity_status s on s."companyId" = a."companyId" and s."id" = a."statusId"
      left join activity_assignment m on m."companyId" = a."companyId" and m."activityId" = a."id" and m."userId" = ${ctx.user.id}
    where a."companyId" = ${company} and a."deletedAt" is null and a."startDate" > now() - interval '60 days')` : sql`null::json`
  const online = mayAny(ctx, ['SALES/AGENTS/HISTORY', 'SALES/TEAMS']) ? sql`(select count(*) from (
      select distinct on ("performedByUserId") "action" from agent_action
      where "companyId" = ${company} and "action" <= 1 and "dateCreated" >= ${today} order by "performedByUserId", "dateCreated" desc) l where l."action" = 1)` : sql`null::bigint`
  const plans = mayAny(ctx, ['SALES/ACTIVITIES/ACTIVITY_PLANS']) ? sql`(select count(*) from activity_plan where "companyId" = ${company} and "deletedAt" is null
      and (now() at time zone ${ctx.company.timeZone})::date between "startDate" and "endDate")` : sql`null::bigint`
  return { json: await ctx.sql.text(sql`select json_build_object('success', true, 'data', json_build_object(
    'leads', ${leads}, 'activities', ${activities}, 'agentsOnline', ${online}, 'plansToday', ${plans}))::text`) }
}

/** The caller's running targets as a drawing takes them: what counts, and how much of it is reached in percent. */
async function homeTargets(ctx: Ctx): Promise<Answer> {
  const { data } = await myTargets(ctx) as { data: { targets: { metric: string, figures?: { attainment: number } }[] } }
  const targets = data.targets.map(({ metric, figures }) => ({ label: isTargetMetric(metric) ? metricOf(metric).label : metric, percent: figures?.attainment ?? 0 }))
  return { data: { targets } }
}

/** Where people land: the dashboard, My Work, and what their device could not send. */
export const homeArea = defineArea({
  name: 'home',
  routes: [
    route('home.figures', 'GET', '/api/home/figures', anySession, query(noInput, homeFigures), { own: true, summary: 'Figures of the home dashboard' }),
    route('home.targets', 'GET', '/api/home/targets', may('SALES/TARGETS', 'SALES/AGENTS/MYWORK'), query(noInput, homeTargets), { own: true }),
  ],
  screens: [
    screen('/', anySession, custom('home', 'Dashboard'), { offline: true }),
    screen('/agents/dashboard', anySession, custom('home', 'Dashboard'), { offline: true }),
    screen('/sales/dashboard', may('SALES'), custom('home', 'Sales dashboard', () => ({ board: 'sales' })), { offline: true, menu: { under: 'sales', label: 'Sales dashboard', icon: 'dashboard', order: 0 } }),
    screen('/agents/landingpage', may('SALES/AGENTS/MYWORK'), custom('my-work', 'My Work'), { offline: true }),
    screen('/offline/attention', anySession, custom('needs-attention', 'Needs attention'), { offline: true }),
  ],
})
