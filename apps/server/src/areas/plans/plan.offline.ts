import { mergeStops } from '@outpost/rules/routes/merge-stops'
import { mergeSet, setChange } from '@outpost/rules/sync/merge'
import { getRecord, updateRecord } from '../../kernel/resource/records.ts'
import type { OfflineCommand } from '../../kernel/sync/offline-command.ts'
import { plannedInput } from './plan.input.ts'
import { activityPlan } from './plan.resource.ts'
import { agentsOf, readStops, saveStops } from './plan.stops.ts'

/**
 * Agents and stops of a plan as they were made on a device. Each was put in or taken out by one side: both count. Refused like
 * the call: an activity that is gone, or that is in another plan of the agent.
 */
export const planOfDevice: OfflineCommand<(typeof plannedInput)['_output']> = {
  entity: activityPlan.one,
  field: 'planned',
  label: 'Stops',
  isWhole: true,
  input: plannedInput,
  run: async (ctx, id, { base, agents, stops, setTimes }) => {
    await updateRecord(ctx, activityPlan, id, {})
    const [theirAgents, theirStops] = [await agentsOf(ctx, id), await readStops(ctx, id)]
    await saveStops(ctx, id, {
      agents: mergeSet(theirAgents, setChange(base.agents, agents)),
      stops: mergeStops(base.stops, stops, theirStops),
      setTimes,
    })
    return getRecord(ctx, activityPlan, id)
  },
}
