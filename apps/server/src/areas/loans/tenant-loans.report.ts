import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { defineReport, type ReportColumn } from '../../kernel/reports/definition.ts'
import { periodFields, periodFilters, periodInput, periodOf, type Period } from '../../kernel/reports/period.ts'
import type { Ctx } from '../../kernel/types.ts'
import { today } from '../ledger/index.ts'
import { groupsOf, loansAsOf } from './loan.figures.ts'

const money = (key: string, title: string): ReportColumn => ({ key, title, kind: 'money', width: 16 })
const opened = (key: string) => ({ opens: { terms: `${key}Terms`, resource: 'loan', screen: '/loans/accounts' } })
const count = (key: string, title: string): ReportColumn => ({ key, title, kind: 'number' })

/** The loans of each branch with all below it (domain 4.10). */
export const tenantLoansReport = defineReport({
  name: 'tenantLoansReport',
  title: 'Tenant Loans Report',
  menu: { label: 'Tenant loans', icon: 'apartment', order: 22 },
  description:
    'Clients, active loans, payouts of a period, what is owed, what is late and what each officer looks after, by branch with all below it.',
  anyOf: ['CRM/REPORTS'],
  alsoAnyOf: ['CLIENTS', 'LOAN/DISBURSEMENTS'],
  input: z.strictObject(periodInput),
  fields: periodFields,
  plan(ctx, input) {
    const period = periodOf(ctx, input)
    // A list shows loans as they are now.
    const isNow = period.endDate >= today(ctx)
    return {
      title: 'Tenant Loans Report',
      filters: periodFilters(period),
      definition:
        'Applications (sent in), approvals, payouts and write-offs are those of the period, in the branch where they are now; all other figures are as of its last day, from what was booked up to the end of it, in the branch of that day. Clients: those with an active loan. Average loan: principal of active loans, lent. PAR x: the whole principal owed by loans more than x days late. ' +
        'Officers: those who look after an active loan. A branch counts with all below it.',
      columns: [
        { key: 'name', title: 'Branch', kind: 'text', width: 32 },
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
        count('officers', 'Officers'),
        { key: 'perOfficer', title: 'Loans an officer', kind: 'number' },
      ],
      statement: tenantRows(ctx, period),
    }
  },
})

export function tenantRows(ctx: Ctx, { startDate, endDate, from, until }: Period) {
  const { groups, holds } = groupsOf(ctx, 'tenant')
  const day = endDate < today(ctx) ? endDate : today(ctx)
  return sql`
    with late as materialized (${loansAsOf(ctx, day)}),
    owing as materialized (${owedBeside(ctx, day)}),
    f as materialized (
      select a."path", l."clientId", a."officerUserId", l."principal" as lent, a.principal, a.dpd, a.arrears, o.*, a.principal + o.interest + o.fees + o.penalties > 0 as is_active
      from late a left join loan l on l."companyId" = ${ctx.company.id}::uuid and l."id" = a."loanId" left join owing w on w."loanId" = a."loanId"
        cross join lateral (select case when a.gone then 0 else coalesce(w.interest, 0) end as interest, case when a.gone then 0 else coalesce(w.fees, 0) end as fees, coalesce(w.penalties, 0) as penalties) o),
    done as materialized (
      select n."path", l."disbursedOn" between ${startDate}::date and ${endDate}::date as is_new, l."principal" as lent,
        case when l."writtenOffOn" between ${startDate}::date and ${endDate}::date then l."writtenOff" else 0 end as gone
      from loan l join tenant n on n."companyId" = l."companyId" and n."id" = l."tenantId" where l."companyId" = ${ctx.company.id}::uuid and l."deletedAt" is null and l."disbursedOn" is not null),
    asked as materialized (
      select n."path", (a."submittedAt" >= ${from} and a."submittedAt" < ${until})::int as applications,
        (a."decidedAt" >= ${from} and a."decidedAt" < ${until} and a."status" in ('Approved', 'Disbursing'))::int as approved
      from loan_application a join tenant n on n."companyId" = a."companyId" and n."id" = a."tenantId"
      where a."companyId" = ${ctx.company.id}::uuid and a."deletedAt" is null),
    g as (${groups}),
    h as (select g.key, coalesce(sum(f.applications), 0)::int as applications, coalesce(sum(f.approved), 0)::int as approved from g left join asked f on ${holds} group by 1),
    k as (select g.key, count(*) filter (where f.is_new)::int as disbursed, coalesce(sum(f.lent) filter (where f.is_new), 0) as amount, coalesce(sum(f.gone), 0) as gone from g left join done f on ${holds} group by 1)
    select g.name, h.applications, h.approved, count(distinct f."clientId") filter (where f.is_active)::int as clients, count(*) filter (where f.is_active)::int as active, k.disbursed,
      k.amount, coalesce(sum(f.principal), 0) as principal, coalesce(sum(f.interest), 0) as interest, coalesce(sum(f.fees), 0) as fees,
      coalesce(sum(f.penalties), 0) as penalties, coalesce(sum(f.arrears + f.penalties) filter (where f.is_active), 0) as overdue, coalesce(sum(f.principal) filter (where f.dpd > 1), 0) as par1,
      coalesce(sum(f.principal) filter (where f.dpd > 30), 0) as par30, coalesce(sum(f.principal) filter (where f.dpd > 90), 0) as par90, k.gone as "writtenOff",
      coalesce(round(avg(f.lent) filter (where f.is_active), 2), 0) as average, count(distinct f."officerUserId") filter (where f.is_active)::int as officers,
      case when count(distinct f."officerUserId") filter (where f.is_active) = 0 then 0 else round(count(*) filter (where f.is_active)::numeric / count(distinct f."officerUserId") filter (where f.is_active), 1) end as "perOfficer",
      g.terms || '[{"field":"status","op":"eq","value":"Active"}]'::jsonb as "activeTerms",
      g.terms || jsonb_build_array(jsonb_build_object('field', 'disbursedOn', 'op', 'gte', 'value', ${startDate}::text), jsonb_build_object('field', 'disbursedOn', 'op', 'lte', 'value', ${endDate}::text)) as "disbursedTerms"
    from g join h on h.key = g.key join k on k.key = g.key left join f on ${holds}
    group by g.key, g.name, g.place, g.terms, h.applications, h.approved, k.disbursed, k.amount, k.gone order by g.place, g.key`
}

/** What loans owe beside their principal at the end of a day, from their schedule of that day and what was booked by then: rows of "loanId", interest, fees (with insurance), penalties. */
const owedBeside = ({ company }: Ctx, day: string): Statement => sql`
  with past as (
    select distinct on (q."loanId") q."loanId", q."changeId" from loan_instalment_past q
    where q."companyId" = ${company.id}::uuid and q."replacedOn" > ${day}::date order by q."loanId", q."replacedOn", q."replacedAt")
  select u."loanId", sum(u.interest) as interest, sum(u.fees) as fees, sum(u.penalties) as penalties from (
    select i."loanId", i."interest", i."fee" + i."insurance" as fees, 0 as penalties from loan_instalment i
    where i."companyId" = ${company.id}::uuid and not exists (select from past where past."loanId" = i."loanId")
    union all
    select i."loanId", i."interest", i."fee" + i."insurance", 0 from past join loan_instalment_past i on i."companyId" = ${company.id}::uuid and i."loanId" = past."loanId" and i."changeId" = past."changeId"
    union all
    select x."loanId", x."interest", x."fee" + x."insurance", x."penalty" from loan_transaction x where x."companyId" = ${company.id}::uuid and x."bookedOn" <= ${day}::date) u
  group by 1`
