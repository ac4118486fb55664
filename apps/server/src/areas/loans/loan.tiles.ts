import type { Tile } from '../../kernel/screens/tiles.ts'
import { today } from '../ledger/index.ts'
import { promise } from './collecting/promise.resource.ts'

/** What dashboards count of lending. */
export const loanTiles: readonly Tile[] = [
  {
    id: 'promises-due',
    resource: promise,
    permissions: ['CLIENTS', 'LOAN/DISBURSEMENTS'],
    screen: '/loans/promises',
    terms: (ctx) => [
      { field: 'status', op: 'in', value: ['Open'] },
      { field: 'dueOn', op: 'lte', value: today(ctx) },
    ],
    period: 'Open, by today',
  },
]
