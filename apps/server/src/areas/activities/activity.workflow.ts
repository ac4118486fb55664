import type { MoveCalled } from '../../kernel/resource/writing.ts'
import type { WorkflowDefinition } from '../../kernel/workflow/types.ts'
import { refuseSecondVisits, takeOver } from './agents/activity.parts.ts'
import { agentParts, movesByMeaning, statuses } from './agents/part.workflow.ts'

/** How an activity as a whole goes on: its agents take its status over, and it follows theirs. */
export const activityWorkflow: WorkflowDefinition<'statusId' | 'statusReason'> = {
  field: 'statusId',
  route: 'activities.setStatus',
  many: 'activities.bulk',
  choose: 'Change status',
  kept: { reason: 'statusReason' },
  label: 'Status',
  parts: agentParts,
  states: statuses,
  moves: movesByMeaning((meaning) => ({
    ...(meaning === 'missed' || meaning === 'cancelled' ? { ask: { reason: { kind: 'text', label: 'Reason', maxLength: 300 } } } : {}),
    ...(meaning === 'started' ? { refuse: (ctx, { id }) => refuseSecondVisits(ctx, id) } : {}),
    after: (ctx, { id, to, asked: { reason } }) => takeOver(ctx, id, { statusId: to, meaning, reason }),
  })),
}

/** A new status of a change, where it gives one, and the change as the move that leads there. */
export const statusInput = (statusId: string | null | undefined) => (statusId ? { statusId } : {})
export const statusMove = (statusId: string | null | undefined, reason?: string | null): MoveCalled | undefined =>
  statusId ? { field: 'statusId', asked: { reason: reason ?? null } } : undefined
