import { dayOf } from '@outpost/rules/time-zone'
import type { Tile } from '../../kernel/screens/widgets.ts'
import { activityPlan } from './plan.resource.ts'

/** What dashboards count of route plans. */
export const planTiles: readonly Tile[] = [
  {
    id: 'plans-today',
    title: 'Route plans',
    resource: activityPlan,
    permissions: ['SALES/ACTIVITIES/ACTIVITY_PLANS'],
    screen: '/sales/activities/activity-plan',
    period: 'Today',
    terms: ({ company }) => {
      const today = dayOf(Date.now(), company.timeZone)
      return [
        { field: 'startDate', op: 'lte', value: today },
        { field: 'endDate', op: 'gte', value: today },
      ]
    },
    on: { home: {}, sales: { team: 20 } },
  },
]
