import { addDays, dayOf } from '@outpost/rules/time-zone'
import type { Tile } from '../../kernel/screens/tiles.ts'
import type { Ctx } from '../../kernel/types.ts'
import { user } from './user.resource.ts'

const base = { resource: user, permissions: ['ADMIN/USERS'], screen: '/admin/users/list' } satisfies Partial<Tile>
const daysAgo = ({ company }: Ctx, days: number) => addDays(dayOf(Date.now(), company.timeZone), -days)

/** What dashboards count of the people of a company; deactivated ones are on a list of their own. */
export const userTiles: readonly Tile[] = [
  { ...base, id: 'users-active', period: 'Now' },
  { ...base, id: 'users-seen', terms: (ctx) => [{ field: 'lastSeenAt', op: 'gte', value: daysAgo(ctx, 6) }], period: 'Last 7 days' },
  { ...base, id: 'users-never', terms: () => [{ field: 'lastSeenAt', op: 'empty' }] },
  { ...base, id: 'users-new', terms: (ctx) => [{ field: 'dateCreated', op: 'gte', value: daysAgo(ctx, 29) }], period: 'Last 30 days' },
]
