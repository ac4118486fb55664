import type { Tile } from '../../kernel/screens/tiles.ts'
import { countOnlineAgents } from './map.ts'

/** What dashboards count of people in the field. */
export const agentTiles: readonly Tile[] = [
  {
    id: 'agents-online',
    permissions: ['SALES/AGENTS/HISTORY', 'SALES/TEAMS'],
    figure: async (ctx) => ({ value: await countOnlineAgents(ctx), period: 'Now', open: '/sales/agents/map?show=online' }),
  },
]
