import { failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { dayRoutes, type DayRoute, type PlanActivity } from '@outpost/rules/routes/route-build'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import type { Ctx } from '../../kernel/types.ts'
import { activity } from '../activities/index.ts'
import type { StopInput } from './plan.input.ts'

/** An activity with its tenant and the agents it has. */
export interface ActivityFacts extends PlanActivity {
  tenantId: string
  users: string[]
}

/** The caller's activities of these ids; INVALID when one is gone or out of sight. */
export async function activityFacts(ctx: Ctx, ids: readonly string[], field: string): Promise<Map<string, ActivityFacts>> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const rows = await ctx.sql.query<ActivityFacts>(sql`
    select t."id", t."tenantId", t."name", t."lat"::float8 as lat, t."lng"::float8 as lng,
      extract(epoch from t."startDate")::float8 * 1000 as start, extract(epoch from t."endDate")::float8 * 1000 as "end",
      array(select a."userId" from activity_assignment a where a."companyId" = t."companyId" and a."activityId" = t."id" order by a."dateCreated", a."userId")::text[] as users
    from activity t where ${visibleRows(ctx, activity)} and t."id" = any(${wanted}::uuid[])`)
  if (rows.length < wanted.length) failField(field, 'names an activity that does not exist')
  return new Map(rows.map((row) => [row.id, row]))
}

/** The stops by agent and day, each with what is known of its activity; and that by the activities' ids. */
export async function routesOf(
  ctx: Ctx,
  given: readonly StopInput[],
): Promise<{ routes: DayRoute<ActivityFacts, StopInput>[]; facts: Map<string, ActivityFacts> }> {
  const stops = given.map((stop) => ({ ...stop, activityId: stop.activityId.toLowerCase(), userId: stop.userId.toLowerCase() }))
  const ids = stops.map(({ activityId }) => activityId)
  const facts = await activityFacts(ctx, ids, 'stops')
  return { routes: dayRoutes(stops, facts, ctx.company.timeZone), facts }
}
