import type { FilterTerm } from '@outpost/contract/envelope'
import type { ListView } from '@outpost/contract/views'
import type { Tile } from '../../kernel/screens/widgets.ts'
import type { Ctx } from '../../kernel/types.ts'
import { teammatesOf } from '../teams/index.ts'
import { openTaskStates, task } from './task.resource.ts'

const base = {
  resource: task,
  permissions: ['SALES/ACTIVITIES/ACTIVITIES', 'SALES/AGENTS/MYWORK'],
  screen: '/tasks',
  on: { home: {}, sales: {} },
} satisfies Partial<Tile>
const isOpen: FilterTerm = { field: 'status', op: 'in', value: openTaskStates }
const isOverdue: FilterTerm = { field: 'isOverdue', op: 'eq', value: true }
const isFor = (people: string | string[]): FilterTerm => ({ field: 'assignedUsers', op: 'contains', value: people })

/** What dashboards count of tasks. */
export const taskTiles: readonly Tile[] = [
  { ...base, on: { home: {} }, id: 'my-tasks', title: 'My tasks', terms: ({ user }) => [isFor(user.id), isOpen] },
  { ...base, on: { home: {} }, id: 'my-tasks-overdue', title: 'My overdue tasks', terms: ({ user }) => [isFor(user.id), isOverdue] },
  { ...base, id: 'tasks-overdue', title: 'Overdue tasks', terms: () => [isOverdue] },
]

/** The list with views of its own: what is mine, my team's, late, and what I gave to others. */
export async function withViews(ctx: Ctx, view: ListView): Promise<ListView> {
  const mates = await teammatesOf(ctx)
  return {
    ...view,
    views: [
      { key: 'mine', name: 'Mine', terms: [isFor(ctx.user.id), isOpen] },
      ...(mates.length > 0 ? [{ key: 'team', name: 'My team', terms: [isFor([ctx.user.id, ...mates]), isOpen] }] : []),
      { key: 'overdue', name: 'Overdue', terms: [isOverdue] },
      { key: 'given', name: 'Given by me', terms: [{ field: 'createdByUserId', op: 'eq', value: ctx.user.id }, isOpen] },
    ],
  }
}
