import { activityMeaningNames, activityMeanings, mayFollow, type ActivityMeaning } from '@outpost/rules/activities/activity-status'
import { sql } from '@outpost/platform/db/sql'
import type { MoveCalled } from '../../kernel/resource/writing.ts'
import type { Ctx } from '../../kernel/types.ts'
import { from } from '../../kernel/workflow/states.ts'
import type { MoveDefinition, OwnState, WorkflowDefinition } from '../../kernel/workflow/types.ts'
import { refuseSecondVisits, takeOver } from './agents/activity.parts.ts'
import { activityStatus } from './options/option.resource.ts'

/** Statuses of the company; inactive ones are left and not entered. */
const statuses = from(activityStatus, {
  isCommon: true,
  invalid: 'is not an active status',
  read: (ctx: Ctx) =>
    ctx.sql.query<OwnState & Record<string, unknown>>(sql`
      select "id", "name", "meaning", "status" <> 1 as "isRetired" from activity_status where "companyId" = ${ctx.company.id} order by "position", "name"`),
})

/** The move that follows from another one: an activity follows its agents, and they follow it. Nothing is asked or refused. */
export const follow = 'follow'

/** How an activity as a whole goes on: its agents take its status over, and it follows theirs. */
export const activityWorkflow: WorkflowDefinition<'statusId' | 'statusReason'> = {
  field: 'statusId',
  route: 'activities.setStatus',
  many: 'activities.bulk',
  choose: 'Change status',
  kept: { reason: 'statusReason' },
  log: 'own',
  states: statuses,
  moves: [...activityMeaningNames.map(moveTo), { name: follow, from: '*', to: '*', madeBy: 'program' }],
}

function moveTo(meaning: ActivityMeaning): MoveDefinition {
  const isLost = meaning === 'missed' || meaning === 'cancelled'
  return {
    name: meaning,
    label: activityMeanings[meaning].label,
    from: activityMeaningNames.filter((one) => mayFollow(one, meaning)),
    to: meaning,
    ...(isLost ? { ask: { reason: { kind: 'text', label: 'Reason', maxLength: 300 } } } : {}),
    ...(meaning === 'started' ? { refuse: (ctx, { id }) => refuseSecondVisits(ctx, id) } : {}),
    after: (ctx, { id, to, asked: { reason } }) => takeOver(ctx, id, { statusId: to, meaning, reason }),
  }
}

/** A new status of a change, where it gives one, and the change as the move that leads there. */
export const statusInput = (statusId: string | null | undefined) => (statusId ? { statusId } : {})
export const statusMove = (statusId: string | null | undefined, reason?: string | null): MoveCalled | undefined =>
  statusId ? { field: 'statusId', asked: { reason: reason ?? null } } : undefined
