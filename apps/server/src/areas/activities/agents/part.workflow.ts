import { fail } from '@outpost/contract/errors'
import { activityMeaningNames, activityMeanings, mayFollow, type ActivityMeaning } from '@outpost/rules/activities/activity-status'
import { sql } from '@outpost/platform/db/sql'
import { nameOf } from '../../../kernel/names.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { ownStates } from '../../../kernel/relations/own-options.ts'
import type { MoveDefinition, Parts, Row, WorkflowDefinition } from '../../../kernel/workflow/types.ts'
import { activityStatus } from '../options/option.resource.ts'

/** Statuses of the company; inactive ones are left and not entered. */
export const statuses = ownStates(activityStatus, 'is not an active status')

/** The move that follows from another one: an activity follows its agents, and they follow it. Nothing is asked or refused. */
export const follow = 'follow'

/** A move to each meaning from those it may follow, with what the activity or the agent says of it. */
export const movesByMeaning = (make: (meaning: ActivityMeaning) => Partial<MoveDefinition>): MoveDefinition[] => [
  ...activityMeaningNames.map((meaning) => ({
    name: meaning,
    label: activityMeanings[meaning].label,
    from: activityMeaningNames.filter((one) => mayFollow(one, meaning)),
    to: meaning,
    ...make(meaning),
  })),
  { name: follow, from: '*', to: '*', madeBy: 'program', isSilent: true },
]

/** The parts of agents in an activity: what they report is in its log, with how far off they were. */
export const agentParts: Parts = {
  one: 'activity',
  of: 'activityId',
  by: 'userId',
  facts: {
    columns: ['distance', 'isOutOfRange'],
    words: `"facts" ->> 'distance' || ' m from the place' || case when ("facts" ->> 'isOutOfRange')::boolean then ', outside the circle' else '' end`,
  },
}

/** How an agent's part in an activity goes on. */
export const partWorkflow: WorkflowDefinition<'statusId' | 'statusReason'> = {
  field: 'statusId',
  route: 'activities.updateAssignmentStatus',
  kept: { reason: 'statusReason' },
  partOf: agentParts,
  subject: subjectOf,
  states: statuses,
  moves: movesByMeaning((meaning) => ({
    madeBy: 'elsewhere',
    ...(meaning === 'started'
      ? {
          refuse: (ctx, { before }) =>
            refuseSecondVisit(ctx, { userId: String(before['userId']), activityId: String(before['activityId']) }),
        }
      : {}),
  })),
}

/** The activity, and whose part of it where several work on it. */
async function subjectOf(ctx: Ctx, { activityId, userId }: Row): Promise<string> {
  const { agents, name } = await ctx.sql.one<{ agents: number; name: string }>(sql`
    select count(*)::int as agents, max(${nameOf('u')}) filter (where u."id" = ${userId as string}) as name from activity_assignment a
      join app_user u on u."companyId" = a."companyId" and u."id" = a."userId" where a."companyId" = ${ctx.company.id} and a."activityId" = ${activityId as string}`)
  return agents > 1 ? `The activity of ${name}` : 'The activity'
}

/** Fails when the agent is at another activity: one visit at a time. */
export async function refuseSecondVisit(ctx: Ctx, { userId, activityId }: { userId: string; activityId: string }): Promise<undefined> {
  const running = await ctx.sql.maybe<{ Id: string; name: string }>(sql`
    select v."id" as "Id", v."name" from activity_assignment a
      join activity v on v."companyId" = a."companyId" and v."id" = a."activityId" and v."deletedAt" is null
      join activity_status s on s."companyId" = a."companyId" and s."id" = a."statusId" and s."meaning" = 'started'
    where a."companyId" = ${ctx.company.id} and a."userId" = ${userId} and a."activityId" <> ${activityId} order by v."startDate" limit 1`)
  if (running)
    fail('ILLEGAL_TRANSITION', { message: `“${running.name}” is still in progress. Finish it first.`, details: { running, allowed: [] } })
}
