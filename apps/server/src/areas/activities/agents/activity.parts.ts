import type { ActivityMeaning } from '@outpost/rules/activities/activity-status'
import { sql } from '@outpost/platform/db/sql'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { assignment } from './assignment.resource.ts'
import { follow, refuseSecondVisit } from './part.workflow.ts'

/** An agent's part in an activity. */
export interface Part {
  id: string
  userId: string
  statusId: string | null
  meaning: ActivityMeaning
}

/** The parts in an activity; one without a status of its own has the activity's. */
export function partsOf(ctx: Ctx, activityId: string): Promise<Part[]> {
  return ctx.sql.query<Part & Record<string, unknown>>(sql`
    select a."id", a."userId", a."statusId", coalesce(s."meaning", 'open') as meaning from activity_assignment a
      join activity v on v."companyId" = a."companyId" and v."id" = a."activityId"
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
  { statusId, meaning, reason = null }: { statusId: string; meaning: ActivityMeaning; reason: unknown },
): Promise<void> {
  const takers = (await takersOf(ctx, activityId, meaning)).filter((part) => part.statusId !== statusId)
  const move = { field: 'statusId', name: follow, asked: { reason } }
  await writeRecords(
    ctx,
    assignment,
    takers.map(({ id }) => ({ kind: 'update', id, input: { statusId, distance: null, isOutOfRange: false }, move })),
  )
}

/** Fails when an agent of the activity is at another one. */
export async function refuseSecondVisits(ctx: Ctx, activityId: string): Promise<undefined> {
  for (const { userId } of await takersOf(ctx, activityId, 'started')) await refuseSecondVisit(ctx, { userId, activityId })
}
