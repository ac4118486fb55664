import type { Tile } from '../../kernel/screens/tiles.ts'
import { waitingTile } from '../../kernel/workflow/waiting.ts'
import { application } from './application.resource.ts'

const base = { resource: application, permissions: ['SALES/LEADS'], screen: '/sales/applications' } satisfies Partial<Tile>

/** What dashboards count of applications. */
export const applicationTiles: readonly Tile[] = [
  waitingTile(application, { ...base, id: 'applications-decision', alsoNeeds: 'LOAN/DISBURSEMENTS' }),
]
