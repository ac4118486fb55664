import { sql } from '@outpost/platform/db/sql'
import type { Metric } from '../../kernel/metrics.ts'

/** What targets may count of work in the field. */
export const agentMetrics: Metric[] = [
  {
    name: 'days.worked',
    label: 'Days worked',
    unit: 'days',
    hasProduct: false,
    order: 140,
    events: ({ companyId, from, to, timeZone }) => sql`
      select a."performedByUserId", (array_agg(a."tenantId" order by a."dateCreated"))[1], min(a."dateCreated"), 1, null, 'agentAction', (array_agg(a."id" order by a."dateCreated"))[1]
      from agent_action a where a."companyId" = ${companyId}::uuid and a."action" = 1 and a."dateCreated" >= ${from} and a."dateCreated" < ${to}
      group by a."performedByUserId", (a."dateCreated" at time zone ${timeZone})::date`,
  },
]
