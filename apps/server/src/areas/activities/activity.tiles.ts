import type { FilterTerm } from '@outpost/contract/envelope'
import type { Tile } from '../../kernel/screens/tiles.ts'
import type { Ctx } from '../../kernel/types.ts'
import { activity } from './activity.resource.ts'

const base = { resource: activity, permissions: ['SALES/ACTIVITIES/ACTIVITIES'], screen: '/sales/activities' } satisfies Partial<Tile>
const today = { days: { type: 'start', from: 0, to: 0 }, period: 'Today' }
const isLate: FilterTerm = { field: 'late', op: 'eq', value: 'LATE' }
const isDone: FilterTerm = { field: 'meaning', op: 'eq', value: 'done' }
const isMine = ({ user }: Ctx): FilterTerm => ({ field: 'assignedUsers', op: 'contains', value: user.id })

/** What dashboards count of activities. */
export const activityTiles: readonly Tile[] = [
  { ...base, id: 'activities-today', ...today },
  { ...base, id: 'activities-done', terms: () => [isDone], ...today },
  { ...base, id: 'activities-overdue', terms: () => [isLate] },
  { ...base, id: 'my-day', terms: (ctx) => [isMine(ctx)], ...today },
  { ...base, id: 'my-overdue', terms: (ctx) => [isMine(ctx), isLate] },
]

/** The visits done today in a tenant and below it. */
export const doneIn = (tenantId: string): Tile => ({
  ...base,
  id: 'done-in',
  terms: () => [isDone, { field: 'tenantId', op: 'eq', value: tenantId }],
  ...today,
})
