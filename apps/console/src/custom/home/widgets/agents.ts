import { callOf } from '../../../data/calls.ts'
import { tile, type HomeWidget } from '../tile.ts'

const actions = '/sales/agents/actions'

/** Of agents at work. */
export const agentWidgets: readonly HomeWidget[] = [
  tile('agents-online', 'Agents at work', '/sales/agents/map'),
  {
    id: 'agents-hours',
    title: 'Hours at work, by branch',
    period: 'Today',
    draw: 'bars',
    source: callOf('agent.summary'),
    value: 'summaryReport',
    labelKey: 'region_name',
    valueKey: 'hours',
    open: actions,
    span: 12,
    needs: actions,
  },
]
