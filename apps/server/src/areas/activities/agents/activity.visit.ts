import { Failure, fail } from '@outpost/contract/errors'
import { z } from 'zod'
import { setTimeRight } from '../../../kernel/sync/clock.ts'
import type { OfflineCommand } from '../../../kernel/sync/offline-command.ts'
import { assignmentStatusInput, changeAgentStatus } from './activity.status.ts'
import { noActivityAssignment } from '../../agents/index.ts'

const { statusId, statusText, reason, gps, location, deviceTime, clock } = assignmentStatusInput.shape
/** What a device keeps of a change of status: the call's own input, when it was done, and what the screen shows meanwhile. */
const visitInput = z.object({
  statusId,
  statusText,
  reason,
  gps,
  location,
  deviceTime,
  clock,
  meaning: z.string().max(20).optional(),
  userId: z.string().max(60).optional(),
})

/** A change of status made without a connection: the same function as the call, under the time at which it was done. */
export const visitOfDevice: OfflineCommand<z.infer<typeof visitInput>> = {
  entity: 'activity',
  field: 'visit',
  label: 'Visit',
  input: visitInput,
  run: async (ctx, activityId, { meaning: _meaning, userId: _userId, deviceTime, ...visit }, { sentAt }) => {
    // The agent was there when the device says, not when it found a network; a clock that is off is set right, one that runs ahead counts as now.
    const done = setTimeRight({ deviceTime, clock: visit.clock }, sentAt)
    const answer = await changeAgentStatus(ctx, { ...visit, activityId }, { ...done, sentAt }).catch(refuseLost)
    return (answer as { data: { activity: Record<string, unknown> } }).data.activity
  },
}

/** An activity that went to somebody else stays as it is; only the visit is refused. */
function refuseLost(error: unknown): never {
  if (error instanceof Failure && ['NOT_FOUND', noActivityAssignment.name].includes(error.failure))
    return fail('FORBIDDEN', { message: 'This activity was given to somebody else.' })
  throw error
}
