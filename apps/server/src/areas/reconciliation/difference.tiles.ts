import type { Tile } from '../../kernel/screens/tiles.ts'
import { moneyDifference } from './difference.resource.ts'

/** What dashboards count of differences. */
export const differenceTiles: readonly Tile[] = [
  {
    id: 'books-differences',
    resource: moneyDifference,
    permissions: ['LOAN/DISBURSEMENTS'],
    screen: '/loans/differences',
    terms: () => [{ field: 'status', op: 'eq', value: 'Open' }],
  },
]
