import { sql } from '@outpost/platform/db/sql'
import type { Metric } from '../../kernel/metrics.ts'

/** What targets may count of cases. */
export const caseMetrics: Metric[] = [
  {
    name: 'cases.opened',
    label: 'Cases opened',
    unit: 'count',
    hasProduct: false,
    order: 150,
    events: ({ companyId, from, to }) => sql`
      select c."createdByUserId", c."tenantId", c."dateCreated", 1, null, 'case', c."id" from sales_case c
      where c."companyId" = ${companyId}::uuid and c."deletedAt" is null and c."dateCreated" >= ${from} and c."dateCreated" < ${to}`,
  },
  {
    name: 'cases.resolved',
    label: 'Cases resolved',
    unit: 'count',
    hasProduct: false,
    order: 160,
    events: ({ companyId, from, to }) => sql`
      select c."ownerUserId", c."tenantId", c."resolvedAt", 1, null, 'case', c."id" from sales_case c
      where c."companyId" = ${companyId}::uuid and c."deletedAt" is null and c."status" = 'Resolved' and c."resolvedAt" >= ${from} and c."resolvedAt" < ${to}`,
  },
]
