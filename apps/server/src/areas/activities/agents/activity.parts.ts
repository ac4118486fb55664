import { fail } from '@outpost/contract/errors'
import type { ActivityMeaning } from '@outpost/rules/activities/activity-status'
import { sql } from '@outpost/platform/db/sql'
import { nameOf } from '../../../kernel/names.ts'
import type { Ctx } from '../../../kernel/types.ts'

/** An agent's part in an activity. */
export interface Part {
  id: string
  userId: string
  name: string
  statusName: string
  meaning: ActivityMeaning
}

/** Agents of an activity and the status of each; one without a status of their own has the activity's. */
export function partsOf(ctx: Ctx, activityId: string): Promise<Part[]> {
  return ctx.sql.query<Part & Record<string, unknown>>(sql`
    select a."id", a."userId", ${nameOf('u')} as name, coalesce(s."name", v."status") as "statusName", coalesce(s."meaning", 'open') as meaning
    from activity_assignment a
      join activity v on v."companyId" = a."companyId" and v."id" = a."activityId"
      join app_user u on u."companyId" = a."companyId" and u."id" = a."userId"
      left join activity_status s on s."companyId" = a."companyId" and s."id" = coalesce(a."statusId", v."statusId")
    where a."companyId" = ${ctx.company.id} and a."activityId" = ${activityId} order by a."dateCreated", a."id"`)
}

/** Those who take over what the activity becomes: one who is done stays so. */
const takersOf = async (ctx: Ctx, activityId: string, to: string) =>
  (await partsOf(ctx, activityId)).filter(({ meaning }) => meaning !== 'done' || to === 'done')

/** Gives the status of an activity to its agents. */
export async function takeOver(
  ctx: Ctx,
  activityId: string,
  { statusId, meaning, reason }: { statusId: string; meaning: ActivityMeaning; reason: unknown },
): Promise<void> {
  const takers = await takersOf(ctx, activityId, meaning)
  await ctx.sql.exec(sql`
    update activity_assignment a set "statusId" = s."id", "statusText" = s."name", "statusReason" = ${(reason as string) || null}, "statusDateCreated" = now(), "distance" = null, "isOutOfRange" = false
    from activity_status s where s."companyId" = a."companyId" and s."id" = ${statusId}
      and a."companyId" = ${ctx.company.id} and a."id" = any(${takers.map(({ id }) => id)}::uuid[]) and a."statusId" is distinct from s."id"`)
}

/** Fails when an agent of the activity is at another one. */
export async function refuseSecondVisits(ctx: Ctx, activityId: string): Promise<undefined> {
  for (const { userId } of await takersOf(ctx, activityId, 'started')) await refuseSecondVisit(ctx, { userId, activityId })
}

/** Fails when the agent is at another activity: one visit at a time. */
export async function refuseSecondVisit(ctx: Ctx, { userId, activityId }: { userId: string; activityId: string }): Promise<void> {
  const running = await ctx.sql.maybe<{ Id: string; name: string }>(sql`
    select v."id" as "Id", v."name" from activity_assignment a
      join activity v on v."companyId" = a."companyId" and v."id" = a."activityId" and v."deletedAt" is null
      join activity_status s on s."companyId" = a."companyId" and s."id" = a."statusId" and s."meaning" = 'started'
    where a."companyId" = ${ctx.company.id} and a."userId" = ${userId} and a."activityId" <> ${activityId} order by v."startDate" limit 1`)
  if (running)
    fail('ILLEGAL_TRANSITION', { message: `“${running.name}” is still in progress. Finish it first.`, details: { running, allowed: [] } })
}
