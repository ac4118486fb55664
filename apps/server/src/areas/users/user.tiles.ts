import { addDays, dayOf } from '@outpost/rules/time-zone'
import type { BoardWidget, Tile } from '../../kernel/screens/widgets.ts'
import type { Ctx } from '../../kernel/types.ts'
import { user } from './user.resource.ts'

const base = { resource: user, permissions: ['ADMIN/USERS'], screen: '/admin/users/list' } satisfies Partial<Tile>
const daysAgo = ({ company }: Ctx, days: number) => addDays(dayOf(Date.now(), company.timeZone), -days)

/** What dashboards count of the people of a company; deactivated ones are on a list of their own. */
export const userTiles: readonly Tile[] = [
  { ...base, id: 'users-active', title: 'Active users', period: 'Now', on: { home: { admin: 10 }, sales: {} } },
  {
    ...base,
    id: 'users-seen',
    title: 'Users signed in',
    terms: (ctx) => [{ field: 'lastSeenAt', op: 'gte', value: daysAgo(ctx, 6) }],
    period: 'Last 7 days',
    on: { home: { admin: 20 }, sales: {} },
  },
  {
    ...base,
    id: 'users-never',
    title: 'Users who never signed in',
    terms: () => [{ field: 'lastSeenAt', op: 'empty' }],
    on: { home: { admin: 30 }, sales: {} },
  },
  {
    ...base,
    id: 'users-new',
    title: 'New users',
    terms: (ctx) => [{ field: 'dateCreated', op: 'gte', value: daysAgo(ctx, 29) }],
    period: 'Last 30 days',
    on: { home: { admin: 40 }, sales: {} },
  },
]

/** What dashboards draw of them. */
export const userWidgets: readonly BoardWidget[] = [
  {
    id: 'users-logins',
    title: 'Sign-ins a day',
    period: 'Last 30 days',
    draw: 'line',
    source: 'users.loginHistory',
    value: 'loginHistory',
    labelKey: 'date',
    valueKey: 'logins',
    span: 12,
    on: { home: { admin: 90 }, sales: {} },
  },
]
