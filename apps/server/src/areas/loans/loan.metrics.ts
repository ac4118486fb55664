import { sql } from '@outpost/platform/db/sql'
import { joinPlace, placeColumns } from './loan.places.ts'
import type { Metric, MetricWindow } from '../../kernel/metrics.ts'

/** Payouts in the window: the loan's officer of that day made them; a day counts as its midnight in the company. */
const payouts = (amount: 'one' | 'principal', { companyId, from, to, timeZone }: MetricWindow) => sql`
  select ${placeColumns.officerUserId}, ${placeColumns.tenantId}, (l."disbursedOn"::timestamp at time zone ${timeZone}), ${amount === 'one' ? sql`1` : sql`l."principal"`}, l."productName", 'loan', l."id" from loan l ${joinPlace(sql`l."disbursedOn"`)}
  where l."companyId" = ${companyId}::uuid and l."deletedAt" is null and ${placeColumns.officerUserId} is not null and l."disbursedOn" is not null
    and (l."disbursedOn"::timestamp at time zone ${timeZone}) >= ${from} and (l."disbursedOn"::timestamp at time zone ${timeZone}) < ${to}`

/** What targets may count of loans. */
export const loanMetrics: Metric[] = [
  {
    name: 'loans.disbursed',
    label: 'Loans paid out',
    unit: 'count',
    hasProduct: true,
    order: 170,
    events: (window) => payouts('one', window),
  },
  {
    name: 'loans.disbursedAmount',
    label: 'Amount paid out',
    unit: 'money',
    hasProduct: true,
    order: 171,
    events: (window) => payouts('principal', window),
  },
  {
    name: 'loans.collected',
    label: 'Collected',
    unit: 'money',
    hasProduct: true,
    order: 172,
    events: ({ companyId, from, to, timeZone }) => sql`
      select ${placeColumns.officerUserId}, coalesce(moved."fromTenantId", p."tenantId"), (p."paidOn"::timestamp at time zone ${timeZone}), p."amount", l."productName", 'payment', p."id" from payment p join loan l on l."companyId" = p."companyId" and l."id" = p."loanId" ${joinPlace(sql`p."paidOn"`)}
      where p."companyId" = ${companyId}::uuid and p."status" = 'Posted' and p."deletedAt" is null and ${placeColumns.officerUserId} is not null
        and (p."paidOn"::timestamp at time zone ${timeZone}) >= ${from} and (p."paidOn"::timestamp at time zone ${timeZone}) < ${to}`,
  },
]
