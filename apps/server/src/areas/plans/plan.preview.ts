import { sql } from '@outpost/platform/db/sql'
import { findConflicts, type BusyTime } from '@outpost/rules/routes/route-conflicts'
import {
  plannedRoute,
  routeInput,
  routeSummary,
  routeTotals,
  timeDay,
  type DayRoute as AnyRoute,
  type TimedDay as AnyDay,
} from '@outpost/rules/routes/route-build'
import { timeAt } from '@outpost/rules/time-zone'
import { orderStops } from '@outpost/rules/routes/route-order'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { refuseUsersBeyondReach } from '../../kernel/session/reach.ts'
import { routesOf, type ActivityFacts } from './plan.facts.ts'
import type { PreviewInput, StopInput } from './plan.input.ts'

type DayRoute = AnyRoute<ActivityFacts, StopInput>
type TimedDay = AnyDay<ActivityFacts, StopInput>

/** The stops in a shorter order with their times, day by day and agent by agent; nothing is written. */
export async function previewOrder(ctx: Ctx, input: PreviewInput): Promise<Answer> {
  const routes = await readRoutes(ctx, input)
  const ordered = routes.map((route): DayRoute => {
    const order = new Map(orderStops(routeInput(input, route, ctx.company.timeZone)).map(({ id }, index) => [id, index]))
    return { ...route, stops: route.stops.toSorted((a, b) => (order.get(a.activity.id) ?? 0) - (order.get(b.activity.id) ?? 0)) }
  })
  const timed = (days: readonly DayRoute[]) => days.map((day) => timeDay(input, day, ctx.company.timeZone))
  const after = timed(ordered)
  return { data: { routes: after.map(routeSummary), before: routeTotals(timed(routes)), after: routeTotals(after) } }
}

/** What cannot be kept in the stops as they are, and their times; nothing is written. */
export async function previewConflicts(ctx: Ctx, input: PreviewInput): Promise<Answer> {
  const days = (await readRoutes(ctx, input)).map((route) => timeDay(input, route, ctx.company.timeZone))
  const busy = await busyTimes(ctx, days, input.planId ?? null)
  const conflicts = findConflicts({ routes: days.map((day) => plannedRoute(input, day, ctx.company.timeZone)), busy, settings: input })
  return {
    data: {
      routes: days.map(routeSummary),
      conflicts,
      busy: busy.map(({ from, to, ...rest }) => ({ ...rest, from: iso(from), to: iso(to) })),
      totals: routeTotals(days),
    },
  }
}

async function readRoutes(ctx: Ctx, { stops }: PreviewInput): Promise<DayRoute[]> {
  const users = stops.map(({ userId }) => userId)
  await refuseUsersBeyondReach(ctx, users, 'stops')
  return (await routesOf(ctx, stops)).routes
}

/** When the agents are taken on these days: stops of other live plans, and open activities that are in no plan. */
async function busyTimes(ctx: Ctx, days: readonly TimedDay[], planId: string | null): Promise<BusyTime[]> {
  if (days.length === 0) return []
  const users = [...new Set(days.map(({ userId }) => userId))]
  const dates = [...new Set(days.map(({ day }) => day))].toSorted()
  const [from, to] = [timeAt(dates[0] as string, 0, ctx.company.timeZone), timeAt(dates.at(-1) as string, 24 * 60, ctx.company.timeZone)]
  const own = days.flatMap(({ stops }) => stops.map(({ activity }) => activity.id))
  return ctx.sql.query<BusyTime & { from: number; to: number }>(sql`
    select s."userId", extract(epoch from s."plannedArrival")::float8 * 1000 as "from", extract(epoch from s."plannedDeparture")::float8 * 1000 as "to", v."name", v."id" as "activityId", coalesce(p."name", 'a plan of another branch') as "planName"
    from activity_plan_activity s left join activity_plan p on p."companyId" = s."companyId" and p."id" = s."planId"
    join activity v on v."companyId" = s."companyId" and v."id" = s."activityId" and v."deletedAt" is null
    where s."companyId" = ${ctx.company.id} and s."isLive" and s."userId" = any(${users}::uuid[]) and s."day" = any(${dates}::date[])
      and s."planId" is distinct from ${planId}::uuid and s."plannedArrival" is not null
    union all
    select g."userId", extract(epoch from v."startDate")::float8 * 1000, extract(epoch from v."endDate")::float8 * 1000, v."name", v."id", null
    from activity v join activity_assignment g on g."companyId" = v."companyId" and g."activityId" = v."id" and g."userId" = any(${users}::uuid[])
    left join activity_status m on m."companyId" = v."companyId" and m."id" = coalesce(g."statusId", v."statusId")
    where v."companyId" = ${ctx.company.id} and v."deletedAt" is null and v."startDate" >= ${iso(from)}::timestamptz and v."startDate" < ${iso(to)}::timestamptz
      and coalesce(m."meaning", 'open') in ('open', 'started') and not (v."id" = any(${own}::uuid[]))
      and not exists (select 1 from activity_plan_activity s where s."companyId" = v."companyId" and s."activityId" = v."id" and s."userId" = g."userId" and s."isLive")`)
}

export const iso = (time: number) => new Date(time).toISOString()
