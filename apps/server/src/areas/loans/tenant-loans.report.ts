import { sql, trusted } from '@outpost/platform/db/sql'
import { addDays } from '@outpost/rules/time-zone'
import { z } from 'zod'
import { defineReport, type ReportColumn } from '../../kernel/reports/definition.ts'
import { periodFields, periodFilters, periodInput, periodOf, type Period } from '../../kernel/reports/period.ts'
import type { Ctx } from '../../kernel/types.ts'
import { today } from '../ledger/index.ts'
import { groupField, groupInput, rowsFilter } from './collecting/par.report.ts'
import { groupsOf, type Grouping } from './loan.figures.ts'
import { loansOwed } from './loan.owed.ts'
import { writtenOffBetween } from './loan.places.ts'

const money = (key: string, title: string): ReportColumn => ({ key, title, kind: 'money', width: 16 })
const opened = (key: string) => ({ opens: { terms: `${key}Terms`, resource: 'loan', screen: '/loans/accounts' } })
const count = (key: string, title: string): ReportColumn => ({ key, title, kind: 'number' })

/** The loans of each branch with all below it, of each officer or of each product (domain 4.10). */
export const tenantLoansReport = defineReport({
  name: 'tenantLoansReport',
  title: 'Tenant Loans Report',
  menu: { label: 'Tenant loans', icon: 'apartment', order: 22 },
  description:
    'Clients, active loans, payouts of a period, what is owed, what is late and what each officer looks after, by branch with all below it, officer or product.',
  anyOf: ['CRM/REPORTS'],
  alsoAnyOf: ['CLIENTS', 'LOAN/DISBURSEMENTS'],
  input: z.strictObject({ ...periodInput, by: groupInput }),
  fields: [...periodFields, groupField],
  plan(ctx, input) {
    const period = periodOf(ctx, input)
    // A list shows loans as they are now.
    const isNow = period.endDate >= today(ctx)
    return {
      title: 'Tenant Loans Report',
      filters: [...periodFilters(period), rowsFilter(input.by)],
      definition:
        'Applications (sent in), approvals and payouts are those of the period, in the branch and for the officer where they are now; write-offs those of the period, where each was on the day it was booked; all other figures are as of its last day, from what was booked up to the end of it, in the branch and for the officer of that day. Clients: those with an active loan. Average loan: principal of active loans, lent. PAR x: the whole principal owed by loans more than x days late. ' +
        'Officers: those who look after an active loan. A branch counts with all below it.',
      columns: [
        { key: 'name', title: input.by === 'tenant' ? 'Branch' : input.by === 'officer' ? 'Officer' : 'Product', kind: 'text', width: 32 },
        count('clients', 'Clients'),
        { ...count('active', 'Active loans'), ...(isNow ? opened('active') : {}) },
        count('applications', 'Applications'),
        count('approved', 'Approved'),
        { ...count('disbursed', 'Paid out'), ...opened('disbursed') },
        money('amount', 'Amount paid out'),
        money('principal', 'Principal owed'),
        money('interest', 'Interest owed'),
        money('fees', 'Fees owed'),
        money('penalties', 'Penalties owed'),
        money('overdue', 'Overdue'),
        money('par1', 'PAR 1'),
        money('par30', 'PAR 30'),
        money('par90', 'PAR 90'),
        money('writtenOff', 'Written off'),
        money('average', 'Average loan'),
        ...(input.by === 'officer' ? [] : [count('officers', 'Officers'), count('perOfficer', 'Loans an officer')]),
      ],
      statement: tenantRows(ctx, period, input.by),
    }
  },
})

/** The column by which each source is summed before its sums are put together: of a loan, and of an application (a, of product p). */
const parts = (by: Grouping, of: 'f' | 'l' | 'w') =>
  ({
    tenant: sql`${trusted(of)}."tenantId"`,
    officer: sql`coalesce(${trusted(of)}."officerUserId"::text, '')`,
    product: sql`coalesce(${trusted(of)}."productName", '')`,
  })[by]
const askedParts = { tenant: sql`a."tenantId"`, officer: sql`coalesce(a."ownerUserId"::text, '')`, product: sql`p."name"` }

export function tenantRows(ctx: Ctx, { startDate, endDate, from, until }: Period, by: Grouping = 'tenant') {
  // Who holds an application and no loan has a row too.
  const { groups } = groupsOf(ctx, by, by === 'tenant' ? sql`` : sql`union select nullif(a.part, '') from asked a`)
  const day = endDate < today(ctx) ? endDate : today(ctx)
  const { ctes, rows } = loansOwed(ctx, day)
  const own = sql`${ctx.company.id}::uuid`
  // Sums are made by branch (officer, product) first, and each branch adds up what is below it; people that are counted once come as pairs of branch and person.
  return sql`
    with ${ctes},
    f as materialized (select o.*, o.principal + o.interest + o.fees + o.penalties > 0 as is_active from (${rows}) o),
    owing as materialized (
      select ${parts(by, 'f')} as part, count(*) filter (where f.is_active) as active, sum(f.principal) as principal, sum(f.interest) as interest, sum(f.fees) as fees, sum(f.penalties) as penalties,
        sum(f.arrears + f.penalties) filter (where f.is_active) as overdue, sum(f.principal) filter (where f.dpd > 1) as par1, sum(f.principal) filter (where f.dpd > 30) as par30,
        sum(f.principal) filter (where f.dpd > 90) as par90, sum(f.lent) filter (where f.is_active) as lent, count(f.lent) filter (where f.is_active) as counted
      from f group by 1),
    borrower as materialized (select distinct ${parts(by, 'f')} as part, f."clientId" as who from f where f.is_active),
    officer as materialized (select distinct ${parts(by, 'f')} as part, f."officerUserId" as who from f where f.is_active),
    done as materialized (
      select ${parts(by, 'l')} as part, count(*) filter (where l."disbursedOn" between ${startDate}::date and ${endDate}::date) as disbursed,
        sum(l."principal") filter (where l."disbursedOn" between ${startDate}::date and ${endDate}::date) as amount
      from loan l where l."companyId" = ${own} and l."deletedAt" is null and l."disbursedOn" is not null group by 1),
    lost as materialized (select ${parts(by, 'w')} as part, sum(w.amount) as gone from (${writtenOffBetween(ctx, addDays(startDate, -1), endDate)}) w group by 1),
    asked as materialized (
      select ${askedParts[by]} as part, count(*) filter (where a."submittedAt" >= ${from} and a."submittedAt" < ${until}) as applications,
        count(*) filter (where a."decidedAt" >= ${from} and a."decidedAt" < ${until} and a."status" in ('Approved', 'Disbursing')) as approved
      from loan_application a ${by === 'product' ? sql`join product p on p."companyId" = a."companyId" and p."id" = a."productId"` : sql``}
      where a."companyId" = ${own} and a."deletedAt" is null group by 1),
    g as (${groups}),
    below as materialized (${by === 'tenant' ? sql`select g.key, n."id" as part from g join tenant n on n."companyId" = ${own} and n."path" @> array[g.key::uuid]` : sql`select g.key, g.key as part from g`})
    select g.name, coalesce(a.applications, 0)::int as applications, coalesce(a.approved, 0)::int as approved, c.clients, coalesce(o.active, 0)::int as active,
      coalesce(d.disbursed, 0)::int as disbursed, coalesce(d.amount, 0) as amount, coalesce(o.principal, 0) as principal, coalesce(o.interest, 0) as interest,
      coalesce(o.fees, 0) as fees, coalesce(o.penalties, 0) as penalties, coalesce(o.overdue, 0) as overdue, coalesce(o.par1, 0) as par1, coalesce(o.par30, 0) as par30,
      coalesce(o.par90, 0) as par90, coalesce(w.gone, 0) as "writtenOff", coalesce(round(o.lent / nullif(o.counted, 0), 2), 0) as average, c.officers,
      case when c.officers = 0 then 0 else round(coalesce(o.active, 0) / c.officers::numeric, 1) end as "perOfficer",
      g.terms || '[{"field":"status","op":"eq","value":"Active"}]'::jsonb as "activeTerms",
      g.terms || jsonb_build_array(jsonb_build_object('field', 'disbursedOn', 'op', 'gte', 'value', ${startDate}::text), jsonb_build_object('field', 'disbursedOn', 'op', 'lte', 'value', ${endDate}::text)) as "disbursedTerms"
    from g
    left join (
      select b.key, sum(o.active) as active, sum(o.principal) as principal, sum(o.interest) as interest, sum(o.fees) as fees, sum(o.penalties) as penalties, sum(o.overdue) as overdue,
        sum(o.par1) as par1, sum(o.par30) as par30, sum(o.par90) as par90, sum(o.lent) as lent, sum(o.counted) as counted
      from below b join owing o on o.part = b.part group by 1) o on o.key = g.key
    left join (select b.key, sum(d.disbursed) as disbursed, sum(d.amount) as amount from below b join done d on d.part = b.part group by 1) d on d.key = g.key
    left join (select b.key, sum(w.gone) as gone from below b join lost w on w.part = b.part group by 1) w on w.key = g.key
    left join (select b.key, sum(a.applications) as applications, sum(a.approved) as approved from below b join asked a on a.part = b.part group by 1) a on a.key = g.key
    cross join lateral (select
      (select count(distinct u.who) from below b join borrower u on u.part = b.part where b.key = g.key)::int as clients,
      (select count(distinct u.who) from below b join officer u on u.part = b.part where b.key = g.key)::int as officers) c
    where ${by === 'tenant'} or coalesce(o.active, 0) > 0 or coalesce(d.disbursed, 0) > 0 or coalesce(w.gone, 0) <> 0 or coalesce(a.applications, 0) + coalesce(a.approved, 0) > 0
    order by g.place, g.key`
}
