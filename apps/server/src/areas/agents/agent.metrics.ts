import { sql } from '@outpost/platform/db/sql'
import type { Metric } from '../../kernel/metrics.ts'
import { happenedAt, happenedWithin } from './action.time.ts'

const at = happenedAt('a')

/** What targets may count of work in the field. */
export const agentMetrics: Metric[] = [
  {
    name: 'days.worked',
    label: 'Days worked',
    unit: 'days',
    hasProduct: false,
    order: 140,
    events: ({ companyId, from, to, timeZone }) => sql`
      select a."performedByUserId", (array_agg(a."tenantId" order by ${at}))[1], min(${at}), 1, null, 'agentAction', (array_agg(a."id" order by ${at}))[1]
      from agent_action a where a."companyId" = ${companyId}::uuid and a."action" = 1 and ${happenedWithin('a', { from, until: to })}
      group by a."performedByUserId", (${at} at time zone ${timeZone})::date`,
  },
]
