import type { FilterTerm } from '@outpost/contract/envelope'
import type { ListView } from '@outpost/contract/views'
import type { Tile } from '../../../kernel/screens/widgets.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { withProviders } from './payment.network.ts'
import { payment } from './payment.resource.ts'

const inSuspense: FilterTerm = { field: 'status', op: 'eq', value: 'Suspense' }

/** Money whose loan nobody knows yet, for who may give it to one. */
export const paymentTiles: readonly Tile[] = [
  {
    id: 'payments-suspense',
    title: 'Payments in suspense',
    resource: payment,
    permissions: ['CLIENTS'],
    alsoNeeds: 'CLIENTS/EDIT',
    screen: '/clients/payments/',
    terms: () => [inSuspense],
    period: 'They wait for their loan',
    on: { home: { director: 4, branch: 4, team: 4 } },
  },
]

/** The list of payments with the queue of those in suspense. */
export const withSuspense = async (ctx: Ctx, view: ListView): Promise<ListView> => ({
  ...(await withProviders(ctx, view)),
  views: [{ key: 'suspense', name: 'In suspense', terms: [inSuspense] }],
})
