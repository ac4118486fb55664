import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Metric, MetricWindow } from '../../kernel/metrics.ts'

/** Applications at their first time in a state: who holds them, the tenant of that moment, the product's name. */
const reached =
  (state: string, amount: Statement) =>
  ({ companyId, from, to }: MetricWindow) =>
    sql`
    select a."ownerUserId", m."movedInTenantId", m."dateCreated", ${amount}, p."name", 'loanApplication', a."id"
    from record_move m join loan_application a on a."companyId" = m."companyId" and a."id" = m."objectId" and a."deletedAt" is null
    join product p on p."companyId" = a."companyId" and p."id" = a."productId"
    where m."companyId" = ${companyId}::uuid and m."objectType" = 'loanApplication' and m."field" = 'status' and m."to" = ${state} and m."isFirst"
      and m."dateCreated" >= ${from} and m."dateCreated" < ${to}`

/** What targets may count of applications. */
export const applicationMetrics: Metric[] = [
  {
    name: 'applications.submitted',
    label: 'Applications submitted',
    unit: 'count',
    hasProduct: true,
    order: 102,
    events: reached('Submitted', sql`1`),
  },
  {
    name: 'applications.approved',
    label: 'Applications approved',
    unit: 'count',
    hasProduct: true,
    order: 104,
    events: reached('Approved', sql`1`),
  },
  {
    name: 'applications.approvedAmount',
    label: 'Amount approved',
    unit: 'money',
    hasProduct: true,
    order: 106,
    events: reached('Approved', sql`a."amount"`),
  },
]
