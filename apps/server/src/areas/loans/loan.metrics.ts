import { sql } from '@outpost/platform/db/sql'
import type { Metric, MetricWindow } from '../../kernel/metrics.ts'

/** Payouts in the window: the loan's officer made them; a day counts as its midnight in the company. */
const payouts = (amount: 'one' | 'principal', { companyId, from, to, timeZone }: MetricWindow) => sql`
  select l."officerUserId", l."tenantId", (l."disbursedOn"::timestamp at time zone ${timeZone}), ${amount === 'one' ? sql`1` : sql`l."principal"`}, l."productName", 'loan', l."id" from loan l
  where l."companyId" = ${companyId}::uuid and l."deletedAt" is null and l."officerUserId" is not null and l."disbursedOn" is not null
    and (l."disbursedOn"::timestamp at time zone ${timeZone}) >= ${from} and (l."disbursedOn"::timestamp at time zone ${timeZone}) < ${to}`

/** What targets may count of loans. */
export const loanMetrics: Metric[] = [
  {
    name: 'loans.disbursed',
    label: 'Loans paid out',
    unit: 'count',
    hasProduct: true,
    order: 110,
    events: (window) => payouts('one', window),
  },
  {
    name: 'loans.disbursedAmount',
    label: 'Amount paid out',
    unit: 'money',
    hasProduct: true,
    order: 111,
    events: (window) => payouts('principal', window),
  },
  {
    name: 'loans.collected',
    label: 'Collected',
    unit: 'money',
    hasProduct: true,
    order: 112,
    events: ({ companyId, from, to, timeZone }) => sql`
      select l."officerUserId", p."tenantId", (p."paidOn"::timestamp at time zone ${timeZone}), p."amount", l."productName", 'payment', p."id" from payment p join loan l on l."companyId" = p."companyId" and l."id" = p."loanId"
      where p."companyId" = ${companyId}::uuid and p."status" = 'Posted' and p."deletedAt" is null and l."officerUserId" is not null
        and (p."paidOn"::timestamp at time zone ${timeZone}) >= ${from} and (p."paidOn"::timestamp at time zone ${timeZone}) < ${to}`,
  },
]
