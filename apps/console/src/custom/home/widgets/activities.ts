import { callOf } from '../../../data/calls.ts'
import { tile, type HomeWidget } from '../tile.ts'

const screen = '/sales/activities'
/** The list's own window. */
const period = 'Yesterday to 7 days ahead'
const listedWhere = (field: string) => `${screen}?filter=[{"field":"${field}","op":"eq","value":":Id"}]`

/** Of activities and route plans. */
export const activityWidgets: readonly HomeWidget[] = [
  tile('activities-today', 'Activities today', screen),
  tile('activities-done', 'Activities done today', screen),
  tile('activities-overdue', 'Late activities', screen),
  tile('plans-today', 'Route plans', '/sales/activities/activity-plan'),
  tile('my-day', 'My activities today', screen),
  tile('my-overdue', 'My late activities', screen),
  {
    id: 'activities-status',
    title: 'Activities by status',
    period,
    draw: 'donut',
    source: callOf('activities.forStatus'),
    value: 'activities',
    labelKey: 'label',
    valueKey: 'count',
    open: listedWhere('statusId'),
    span: 12,
    needs: screen,
  },
  {
    id: 'activities-type',
    title: 'Activities by type',
    period,
    draw: 'bars',
    source: callOf('activities.forType'),
    value: 'activities',
    labelKey: 'label',
    valueKey: 'count',
    open: listedWhere('activityTypeId'),
    span: 12,
    needs: screen,
  },
  {
    id: 'agents-done',
    title: 'Visits done, by branch',
    period: 'Today',
    draw: 'bars',
    source: callOf('activities.doneByBranch'),
    value: 'branches',
    labelKey: 'name',
    valueKey: 'value',
    open: screen,
    openKey: 'open',
    span: 12,
    needs: screen,
  },
]
