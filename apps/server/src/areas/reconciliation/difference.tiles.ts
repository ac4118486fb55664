import type { Tile } from '../../kernel/screens/widgets.ts'
import { moneyDifference } from './difference.resource.ts'

/** What dashboards count of differences. */
export const differenceTiles: readonly Tile[] = [
  {
    id: 'books-differences',
    title: 'Differences in the books',
    resource: moneyDifference,
    permissions: ['LOAN/DISBURSEMENTS'],
    screen: '/loans/differences',
    terms: () => [{ field: 'status', op: 'eq', value: 'Open' }],
    on: { home: {} },
  },
]
