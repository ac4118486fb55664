import type { BoardWidget, Tile } from '../../kernel/screens/widgets.ts'
import { countOnlineAgents } from './map.ts'

/** What dashboards count of people in the field. */
export const agentTiles: readonly Tile[] = [
  {
    id: 'agents-online',
    title: 'Agents at work',
    permissions: ['SALES/AGENTS/HISTORY', 'SALES/TEAMS'],
    screen: '/sales/agents/map',
    figure: async (ctx) => ({ value: await countOnlineAgents(ctx), period: 'Now', open: '/sales/agents/map?show=online' }),
    on: { home: { branch: 80, team: 80, admin: 80 }, sales: { team: 10, admin: 40 } },
  },
]

/** What dashboards draw of them. */
export const agentWidgets: readonly BoardWidget[] = [
  {
    id: 'agents-hours',
    title: 'Hours at work, by branch',
    period: 'Today',
    draw: 'bars',
    source: 'agent.summary',
    value: 'summaryReport',
    labelKey: 'region_name',
    valueKey: 'hours',
    open: '/sales/agents/actions',
    span: 12,
    on: { home: {}, sales: { director: 100, branch: 100 } },
  },
]
