import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { dayOf, timeAt } from '@outpost/rules/route-day'
import type { Point } from '@outpost/rules/distance'
import type { RouteStop } from '@outpost/rules/route-plan'
import { timeRoute, type TimedRoute } from '@outpost/rules/route-schedule'
import type { PlannedRoute } from '@outpost/rules/route-conflicts'
import { visibleRows } from '../../kernel/resource/query.ts'
import type { Ctx } from '../../kernel/types.ts'
import { activity } from '../activities/index.ts'
import type { PlanSettings, StopInput } from './plan.input.ts'

/** What planning needs to know of an activity. Times are milliseconds since 1970. */
export interface ActivityFacts { id: string, tenantId: string, name: string, lat: number | null, lng: number | null, start: number, end: number, users: string[] }

/** The caller's activities of these ids; INVALID when one is gone or out of sight. */
export async function activityFacts(ctx: Ctx, ids: readonly string[], field: string): Promise<Map<string, ActivityFacts>> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const rows = await ctx.sql.query<ActivityFacts>(sql`
    select t."id", t."tenantId", t."name", t."lat"::float8 as lat, t."lng"::float8 as lng,
      extract(epoch from t."startDate")::float8 * 1000 as start, extract(epoch from t."endDate")::float8 * 1000 as "end",
      array(select a."userId" from activity_assignment a where a."companyId" = t."companyId" and a."activityId" = t."id" order by a."dateCreated", a."userId")::text[] as users
    from activity t where ${visibleRows(ctx, activity)} and t."id" = any(${wanted}::uuid[])`)
  if (rows.length < wanted.length) fail('INVALID', { fields: [{ field, message: 'names an activity that does not exist' }] })
  return new Map(rows.map((row) => [row.id, row]))
}

/** Fails unless all are active users in the caller's reach. */
export async function refuseStrangers(ctx: Ctx, users: readonly string[], field: string): Promise<void> {
  const wanted = [...new Set(users)]
  if (wanted.length === 0) return
  const inReach = ctx.scope === '*' ? sql`` : sql`and exists (select 1 from user_tenant m where m."companyId" = u."companyId" and m."userId" = u."id" and m."tenantId" = any(${ctx.scope}::uuid[]))`
  const { n } = await ctx.sql.one<{ n: number }>(sql`
    select count(*)::int as n from app_user u where u."companyId" = ${ctx.company.id} and u."id" = any(${wanted}::uuid[]) and u."deletedAt" is null and u."status" = 1 ${inReach}`)
  if (n < wanted.length) fail('INVALID', { fields: [{ field, message: 'names somebody who is not an active user in your reach' }] })
}

/** One agent's day: its stops in order, with what is known of each. */
export interface DayRoute { userId: string, day: string, stops: { input: StopInput, facts: ActivityFacts }[] }

/** The stops by agent and day, in their given order. An appointment falls on its own day, whatever was asked. */
export function routesOf(ctx: Ctx, stops: readonly StopInput[], facts: ReadonlyMap<string, ActivityFacts>): DayRoute[] {
  const known = stops.map((input) => ({ input, facts: facts.get(input.activityId.toLowerCase()) as ActivityFacts }))
  const dueDay = ({ start }: ActivityFacts) => dayOf(start, ctx.company.timeZone)
  const groups = Map.groupBy(known, (stop) => `${stop.input.userId} ${(stop.input.keepsTime ? undefined : stop.input.day) ?? dueDay(stop.facts)}`)
  return [...groups].map(([key, members]) => {
    const [userId = '', day = ''] = key.split(' ')
    return { userId, day, stops: members }
  })
}

const pointOf = (lat: number | null | undefined, lng: number | null | undefined): Point | null => (lat == null || lng == null ? null : { latitude: lat, longitude: lng })

export const startOf = ({ startLat, startLng }: PlanSettings) => pointOf(startLat, startLng)

/** A stop as the rules take it: the activity's length is the stay, an appointment its window. */
export function ruleStop({ input, facts }: DayRoute['stops'][number]): RouteStop {
  return {
    id: facts.id, point: pointOf(facts.lat, facts.lng), stay: Math.max(0, facts.end - facts.start) / 1000, lock: input.lock ?? null,
    ...(input.keepsTime ? { notBefore: facts.start, notAfter: facts.start } : {}),
  }
}

/** What timeRoute and orderStops need of one day. */
export function routeInput(ctx: Ctx, settings: PlanSettings, route: DayRoute) {
  const start = startOf(settings)
  return { stops: route.stops.map(ruleStop), startsAt: timeAt(route.day, settings.dayStart, ctx.company.timeZone), start, end: settings.returnsToStart ? start : null, settings }
}

export interface TimedDay extends DayRoute { timed: TimedRoute }

export function timeDay(ctx: Ctx, settings: PlanSettings, route: DayRoute): TimedDay {
  return { ...route, timed: timeRoute(routeInput(ctx, settings, route)) }
}

/** A timed day as the conflict rules take it. */
export function plannedRoute(ctx: Ctx, settings: PlanSettings, { userId, day, stops, timed }: TimedDay): PlannedRoute {
  const { timeZone } = ctx.company
  return {
    userId, day, start: startOf(settings), opensAt: timeAt(day, settings.dayStart, timeZone), closesAt: timeAt(day, settings.dayEnd, timeZone), endsAt: timed.endsAt,
    stops: timed.stops.map((stop, index) => {
      const { point, notAfter } = ruleStop(stops[index] as DayRoute['stops'][number])
      return { id: stop.id, activityId: stop.id, point, arrival: stop.arrival, departure: stop.departure, ...(notAfter === undefined ? {} : { notAfter }) }
    }),
  }
}
