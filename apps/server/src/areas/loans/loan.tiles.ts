import type { Tile } from '../../kernel/screens/widgets.ts'
import { today } from '../ledger/index.ts'
import { promise } from './collecting/promise.resource.ts'

/** What dashboards count of lending. */
export const loanTiles: readonly Tile[] = [
  {
    id: 'promises-due',
    title: 'Promises to pay that are due',
    on: { home: { director: 3, branch: 3, team: 3, own: 3 }, sales: {} },
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
