import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../../kernel/types.ts'
import type { StopInput } from './plan.input.ts'
import { agentsOf, readStops, saveStops } from './plan.stops.ts'

/** What became of an agent's stops in a plan, so that it can be undone. */
export interface HandedPlan {
  id: string
  /** Activities whose stops went to the other agent. */
  activities: string[]
  /** Stops that were taken out: the other agent has the activity already, and nobody goes there twice. */
  dropped: StopInput[]
}

/** Gives the stops of an agent in a plan to another one. */
export async function handOverPlan(ctx: Ctx, planId: string, { from, to }: { from: string; to: string }): Promise<HandedPlan> {
  const [stops, agents, planned] = [await readStops(ctx, planId), await agentsOf(ctx, planId), await plannedFor(ctx, to)]
  const own = stops.filter(({ userId }) => userId === from)
  const dropped = own.filter(({ activityId }) => planned.has(activityId))
  const next = stops.flatMap((stop) => (stop.userId !== from ? [stop] : planned.has(stop.activityId) ? [] : [{ ...stop, userId: to }]))
  await saveStops(ctx, planId, { agents: [...new Set([...agents.filter((id) => id !== from), to])], stops: next, setTimes: false })
  const activities = own.map(({ activityId }) => activityId).filter((id) => !planned.has(id))
  return { id: planId, activities, dropped }
}

/** Gives back what went, as far as it is still in the plan and with whom it went to. */
export async function giveStopsBack(
  ctx: Ctx,
  { id, activities, dropped }: HandedPlan,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const [stops, agents] = [await readStops(ctx, id), await agentsOf(ctx, id)]
  const alive = await ctx.sql.query<{ id: string }>(sql`
    select "id" from activity where "companyId" = ${ctx.company.id} and "id" = any(${dropped.map(({ activityId }) => activityId)}::uuid[]) and "deletedAt" is null`)
  const returned = stops.map((stop) => (stop.userId === from && activities.includes(stop.activityId) ? { ...stop, userId: to } : stop))
  const again = dropped.filter(({ activityId }) => alive.some((one) => one.id === activityId))
  await saveStops(ctx, id, { agents: [...new Set([...agents, to])], stops: [...returned, ...again], setTimes: false })
}

async function plannedFor(ctx: Ctx, userId: string): Promise<Set<string>> {
  const rows = await ctx.sql.query<{ activityId: string }>(sql`
    select "activityId" from activity_plan_activity where "companyId" = ${ctx.company.id} and "userId" = ${userId} and "isLive"`)
  return new Set(rows.map(({ activityId }) => activityId))
}
