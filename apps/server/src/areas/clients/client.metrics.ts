import { sql } from '@outpost/platform/db/sql'
import type { Metric } from '../../kernel/metrics.ts'

/** What targets may count of clients. */
export const clientMetrics: Metric[] = [
  {
    name: 'clients.created',
    label: 'New clients',
    unit: 'count',
    hasProduct: true,
    order: 100,
    events: ({ companyId, from, to }) => sql`
      select c."createdByUserId", c."tenantId", c."dateCreated", 1, c."type", 'client', c."id" from client c
      where c."companyId" = ${companyId}::uuid and c."deletedAt" is null and c."dateCreated" >= ${from} and c."dateCreated" < ${to}`,
  },
]
