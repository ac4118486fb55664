import type { Tile } from '../../kernel/screens/widgets.ts'
import { client } from './client.resource.ts'

/** What dashboards count of clients. */
export const clientTiles: readonly Tile[] = [
  {
    id: 'clients-papers',
    title: 'Papers that expire',
    resource: client,
    permissions: ['CLIENTS'],
    screen: '/clients/list',
    terms: () => [{ field: 'kyc', op: 'in', value: ['EXPIRING', 'EXPIRED'] }],
    period: 'Expired or within 30 days',
    on: { home: {}, sales: {} },
  },
]
