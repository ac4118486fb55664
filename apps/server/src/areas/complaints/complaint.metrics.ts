import { sql } from '@outpost/platform/db/sql'
import type { Metric } from '../../kernel/metrics.ts'

/** What targets may count of complaints. Those about a colleague are left out: a number that counts them would reveal them to that person. */
export const complaintMetrics: Metric[] = [
  {
    name: 'complaints.received',
    label: 'Complaints received',
    unit: 'count',
    hasProduct: true,
    isBurden: true,
    order: 175,
    events: ({ companyId, from, to }) => sql`
      select c."createdByUserId", c."tenantId", c."receivedAt", 1, c."product", 'complaint', c."id" from complaint c
      where c."companyId" = ${companyId}::uuid and c."accusedUserId" is null and c."receivedAt" >= ${from} and c."receivedAt" < ${to}`,
  },
  {
    name: 'complaints.settled',
    label: 'Complaints settled in time',
    unit: 'count',
    hasProduct: true,
    order: 180,
    events: ({ companyId, from, to }) => sql`
      select c."ownerUserId", c."tenantId", c."resolvedAt", 1, c."product", 'complaint', c."id" from complaint c
      where c."companyId" = ${companyId}::uuid and c."accusedUserId" is null and c."resolvedAt" <= c."resolutionDueAt" and c."resolvedAt" >= ${from} and c."resolvedAt" < ${to}`,
  },
]
