import type { Tile } from '../../kernel/screens/widgets.ts'
import { waitingTile } from '../../kernel/workflow/waiting.ts'
import { application } from './application.resource.ts'

const base = { resource: application, permissions: ['SALES/LEADS'], screen: '/sales/applications' } satisfies Partial<Tile>

/** What dashboards count of applications. */
export const applicationTiles: readonly Tile[] = [
  waitingTile(application, {
    ...base,
    id: 'applications-decision',
    title: 'Applications for me to decide',
    alsoNeeds: 'LOAN/DISBURSEMENTS',
    // What waits for one's own decision comes before all that one only looks at.
    on: { home: { director: 2, branch: 2, team: 2, own: 2 }, sales: {} },
  }),
]
