import type { FilterTerm } from '@outpost/contract/envelope'
import { listedAt } from '../../kernel/screens/tiles.ts'
import type { BoardWidget, Counting, Tile } from '../../kernel/screens/widgets.ts'
import type { Ctx } from '../../kernel/types.ts'
import { activity } from './activity.resource.ts'

const list = { resource: activity, screen: '/sales/activities' }
const base = { ...list, permissions: ['SALES/ACTIVITIES/ACTIVITIES'] } satisfies Partial<Tile>
const today = { days: { type: 'start', from: 0, to: 0 }, period: 'Today' }
const isLate: FilterTerm = { field: 'late', op: 'eq', value: 'LATE' }
const isDone: FilterTerm = { field: 'meaning', op: 'eq', value: 'done' }
const isMine = ({ user }: Ctx): FilterTerm => ({ field: 'assignedUsers', op: 'contains', value: user.id })

/** What dashboards count of activities. */
export const activityTiles: readonly Tile[] = [
  {
    ...base,
    id: 'activities-today',
    title: 'Activities today',
    ...today,
    on: { home: { branch: 50, team: 50, own: 50 }, sales: { team: 30, own: 10 } },
  },
  {
    ...base,
    id: 'activities-done',
    title: 'Activities done today',
    terms: () => [isDone],
    ...today,
    on: { home: { director: 30, branch: 60, team: 60 }, sales: { director: 30, branch: 30, team: 80 } },
  },
  {
    ...base,
    id: 'activities-overdue',
    title: 'Late activities',
    terms: () => [isLate],
    on: { home: { branch: 70, team: 70, admin: 70, own: 60 }, sales: { branch: 40, team: 40, admin: 30, own: 20 } },
  },
  { ...base, id: 'my-day', title: 'My activities today', terms: (ctx) => [isMine(ctx)], ...today, on: { home: { own: 70 } } },
  { ...base, id: 'my-overdue', title: 'My late activities', terms: (ctx) => [isMine(ctx), isLate], on: { home: { own: 80 } } },
]

const drawn = {
  draw: 'donut',
  period: 'Yesterday to 7 days ahead',
  value: 'activities',
  labelKey: 'label',
  valueKey: 'count',
  span: 12,
} as const

/** What dashboards draw of activities; the days are the list's own. */
export const activityWidgets: readonly BoardWidget[] = [
  {
    ...drawn,
    id: 'activities-status',
    title: 'Activities by status',
    source: 'activities.forStatus',
    open: listedAt(list.screen, { statusId: ':Id' }),
    on: { home: { branch: 110, team: 110, admin: 120 }, sales: { branch: 90, team: 100, admin: 70, own: 60 } },
  },
  {
    ...drawn,
    id: 'activities-type',
    title: 'Activities by type',
    draw: 'bars',
    source: 'activities.forType',
    open: listedAt(list.screen, { activityTypeId: ':Id' }),
    on: { home: {}, sales: { team: 120, admin: 80, own: 90 } },
  },
  {
    id: 'agents-done',
    title: 'Visits done, by branch',
    period: 'Today',
    draw: 'bars',
    source: 'activities.doneByBranch',
    value: 'branches',
    labelKey: 'name',
    valueKey: 'value',
    open: list.screen,
    openKey: 'open',
    span: 12,
    on: { home: { director: 90 }, sales: { director: 90, admin: 110 } },
  },
]

/** The visits done today in a tenant and below it. */
export const doneIn = (tenantId: string): Counting => ({
  ...list,
  terms: () => [isDone, { field: 'tenantId', op: 'eq', value: tenantId }],
  ...today,
})
