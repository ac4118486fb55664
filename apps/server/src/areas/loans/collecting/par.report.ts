import { sql, trusted } from '@outpost/platform/db/sql'
import { addDays, formatDay } from '@outpost/rules/time-zone'
import { fail } from '@outpost/contract/errors'
import { z } from 'zod'
import { defineReport, type ReportColumn } from '../../../kernel/reports/definition.ts'
import { daySchema } from '../../../kernel/days.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { today } from '../../ledger/index.ts'
import { groupings, groupsOf, loansOwing, type Grouping } from '../loan.figures.ts'
import { writtenOffBetween } from '../loan.places.ts'

export const groupField = {
  key: 'by',
  kind: 'choice' as const,
  label: 'Rows',
  options: groupings.map((one) => ({ ...one })),
  defaultValue: 'tenant',
}
export const groupInput = z.enum(['tenant', 'officer', 'product']).default('tenant')
const money = (key: string, title: string): ReportColumn => ({ key, title, kind: 'money', width: 16 })

/** What the rows are, in words. */
export const rowsFilter = (by: Grouping) => ({ label: 'Rows', value: groupings.find(({ value }) => value === by)?.label ?? '' })

/** Portfolio at risk (domain 4.8): all that late loans owe in principal, of all that is owed in principal, with what changed since another day. */
export const parReport = defineReport({
  name: 'parVarThirtyReport',
  title: 'PAR 30 Report',
  menu: { label: 'PAR 30', icon: 'warning', order: 20 },
  description:
    'Principal owed by loans that are more than 30 days late, as of any day, by branch, officer or product, with the change since an earlier day.',
  anyOf: ['CRM/REPORTS'],
  alsoAnyOf: ['CLIENTS', 'LOAN/DISBURSEMENTS'],
  input: z.strictObject({ asOf: daySchema.optional(), before: daySchema.optional(), by: groupInput }),
  fields: [
    { key: 'asOf', kind: 'date', label: 'As of', help: 'Left empty: today' },
    { key: 'before', kind: 'date', label: 'Compared with', help: 'Left empty: 30 days before' },
    groupField,
  ],
  plan(ctx, input) {
    const asOf = input.asOf ?? today(ctx)
    const before = input.before ?? addDays(asOf, -30)
    if (asOf > today(ctx)) fail('INVALID', { fields: [{ field: 'asOf', message: 'lies in the future' }] })
    if (before >= asOf) fail('INVALID', { fields: [{ field: 'before', message: 'must be before the day of the report' }] })
    const opens = (key: string) =>
      asOf === today(ctx) ? { opens: { terms: `${key}Terms`, resource: 'loan', screen: '/loans/accounts' } } : {}
    return {
      title: 'PAR 30 Report',
      filters: [
        { label: 'As of', value: formatDay(asOf), day: asOf },
        { label: 'Compared with', value: formatDay(before), day: before },
        rowsFilter(input.by),
      ],
      definition:
        'Outstanding: principal owed. PAR x: the whole principal owed by loans whose oldest unpaid instalment is more than x days past due, not only its late part. ' +
        'PAR 30 % is PAR 30 of outstanding. Loans that were written off count in neither; what was written off between the two days stands beside, and so does the principal owed by loans whose terms were changed by then.' +
        ' A branch counts with all below it; a loan counts in the branch and for the officer it was with on that day. ' +
        'Figures come from what was booked up to the end of the day, so a past day gives the same figures whenever it is asked for.',
      columns: [
        { key: 'name', title: input.by === 'tenant' ? 'Branch' : input.by === 'officer' ? 'Officer' : 'Product', kind: 'text', width: 32 },
        { key: 'loans', title: 'Loans', kind: 'number', ...opens('loans') },
        money('outstanding', 'Outstanding'),
        money('par1', 'PAR 1'),
        money('par30', 'PAR 30'),
        { key: 'rate', title: 'PAR 30 %', kind: 'percent' },
        { key: 'late', title: 'Loans in PAR 30', kind: 'number', ...opens('late') },
        money('par60', 'PAR 60'),
        money('par90', 'PAR 90'),
        money('par180', 'PAR 180'),
        money('par30Before', 'PAR 30 before'),
        { key: 'rateBefore', title: 'PAR 30 % before', kind: 'percent' },
        money('change', 'Change of PAR 30'),
        { key: 'points', title: 'Change (points)', kind: 'percent' },
        money('writtenOff', 'Written off since'),
        money('restructured', 'Restructured, of outstanding'),
      ],
      statement: parRows(ctx, { asOf, before, by: input.by }),
    }
  },
})

const limits = [1, 30, 60, 90, 180] as const
/** Of loans of one branch, officer and product: summed once, before they are counted in each of their groups. */
const sumsOf = trusted(
  [
    'count(*) as loans, sum(a.principal) as principal, count(*) filter (where a.dpd > 30) as late',
    ...limits.map((days) => `coalesce(sum(a.principal) filter (where a.dpd > ${days}), 0) as over${days}`),
  ].join(', '),
)

export function parRows(ctx: Ctx, { asOf, before, by }: { asOf: string; before: string; by: Grouping }) {
  const { groups, holds } = groupsOf(ctx, by)
  const owing = loansOwing(ctx, { asOf, before })
  const over = (days: (typeof limits)[number], when = sql`f.now`) =>
    sql`coalesce(sum(${trusted(`f.over${days}`)}) filter (where ${when}), 0)`
  return sql`
    with ${owing.ctes},
    changed as materialized (
      select distinct q."loanId" from loan_change q where q."companyId" = ${ctx.company.id}::uuid and q."carriedOutOn" <= ${asOf}::date and q."deletedAt" is null),
    f as materialized (
      select n."path", s.* from (
        select a."tenantId", a."officerUserId", a."productName", a.now, ${sumsOf}, coalesce(sum(a.principal) filter (where q."loanId" is not null), 0) as restructured
        from (${owing.rows}) a left join changed q on q."loanId" = a."loanId" group by 1, 2, 3, 4) s
      join tenant n on n."companyId" = ${ctx.company.id}::uuid and n."id" = s."tenantId"),
    w as materialized (
      select n."path", o."officerUserId", o."productName", o.principal as amount from (${writtenOffBetween(ctx, before, asOf)}) o
      join tenant n on n."companyId" = ${ctx.company.id}::uuid and n."id" = o."tenantId"),
    g as (${groups}),
    lost as (select g.key, coalesce(sum(f.amount), 0) as amount from g left join w f on ${holds} group by 1),
    r as (
      select g.key, g.name, g.place, g.terms, coalesce(sum(f.loans) filter (where f.now), 0)::int as loans, coalesce(sum(f.principal) filter (where f.now), 0) as outstanding,
        ${over(1)} as par1, ${over(30)} as par30, coalesce(sum(f.late) filter (where f.now), 0)::int as late, ${over(60)} as par60, ${over(90)} as par90, ${over(180)} as par180,
        coalesce(sum(f.restructured) filter (where f.now), 0) as restructured,
        ${over(30, sql`not f.now`)} as "par30Before", coalesce(sum(f.principal) filter (where not f.now), 0) as "outstandingBefore"
      from g left join f on ${holds} group by 1, 2, 3, 4)
    select r.name, r.loans, r.outstanding, r.par1, r.par30, case when r.outstanding = 0 then 0 else round(r.par30 / r.outstanding, 6) end as rate, r.late, r.par60, r.par90, r.par180,
      r."par30Before", case when r."outstandingBefore" = 0 then 0 else round(r."par30Before" / r."outstandingBefore", 6) end as "rateBefore", r.par30 - r."par30Before" as change,
      case when r.outstanding = 0 then 0 else round(r.par30 / r.outstanding, 6) end - case when r."outstandingBefore" = 0 then 0 else round(r."par30Before" / r."outstandingBefore", 6) end as points,
      lost.amount as "writtenOff", r.restructured,
      r.terms || '[{"field":"principalOwed","op":"gte","value":0.01},{"field":"status","op":"in","value":["Active"]}]'::jsonb as "loansTerms",
      r.terms || '[{"field":"daysPastDue","op":"gte","value":31},{"field":"principalOwed","op":"gte","value":0.01}]'::jsonb as "lateTerms"
    from r join lost on lost.key = r.key where ${by === 'tenant'} or r.loans > 0 or r."outstandingBefore" > 0 or lost.amount <> 0 order by r.place, r.key`
}
