import { sql, trusted } from '@outpost/platform/db/sql'
import { addDays } from '@outpost/rules/time-zone'
import { z } from 'zod'
import { defineReport, type ReportColumn } from '../../../kernel/reports/definition.ts'
import { periodFields, periodFilters, periodInput, periodOf, type Period } from '../../../kernel/reports/period.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { groupsOf, loansAsOf, type Grouping } from '../loan.figures.ts'
import { groupField, groupInput, rowsFilter } from './par.report.ts'

const money = (key: string, title: string): ReportColumn => ({ key, title, kind: 'money', width: 16 })
const count = (key: string, title: string): ReportColumn => ({ key, title, kind: 'number' })

/** What was due and what came in (domain 4.9). */
export const collectionsReport = defineReport({
  name: 'collectionsSummaryReport',
  title: 'Collections Summary Report',
  menu: { label: 'Collections', icon: 'rise', order: 21 },
  description:
    'Opening arrears, what fell due, what was collected, closing arrears, promises to pay and how loans rolled between arrears buckets in a period.',
  anyOf: ['CRM/REPORTS'],
  alsoAnyOf: ['CLIENTS', 'LOAN/DISBURSEMENTS'],
  input: z.strictObject({ ...periodInput, by: groupInput }),
  fields: [...periodFields, groupField],
  plan(ctx, input) {
    const period = periodOf(ctx, input)
    return {
      title: 'Collections Summary Report',
      filters: [...periodFilters(period), rowsFilter(input.by)],
      definition:
        'Arrears: instalments due by the end of a day (principal, interest, fees, insurance) that were not paid. Demand: opening arrears and what fell due. Collected: payments booked in the period against demand; ' +
        'money for instalments not due yet is advance and does not count, advance that fell due does. Efficiency: collected of demand. Opening arrears + due - collected - written off = closing arrears, at every row. ' +
        'Kept rate: kept of decided promises. Contact rate: contacts about arrears in which the client was reached, of all but messages that were sent. Worse, better, cured: loans that changed their arrears bucket between the two ends. Paid by sales of securities: what of their proceeds paid loans, written off or not, by the day of the sale. Penalties are not in these figures.',
      columns: [
        { key: 'name', title: input.by === 'tenant' ? 'Branch' : input.by === 'officer' ? 'Officer' : 'Product', kind: 'text', width: 32 },
        money('opening', 'Opening arrears'),
        money('due', 'Due in the period'),
        money('demand', 'Demand'),
        money('collected', 'Collected'),
        money('advance', 'Advance received'),
        { key: 'efficiency', title: 'Efficiency', kind: 'percent' },
        money('writtenOff', 'Arrears written off'),
        money('closing', 'Closing arrears'),
        money('recovered', 'Recovered of written-off loans'),
        money('sold', 'Paid by sales of securities'),
        count('promised', 'Promises made'),
        count('kept', 'Kept'),
        count('broken', 'Broken'),
        { key: 'keptRate', title: 'Kept rate', kind: 'percent' },
        count('contacts', 'Contacts'),
        { key: 'contactRate', title: 'Contact rate', kind: 'percent' },
        count('worse', 'Loans worse'),
        count('better', 'Loans better'),
        count('cured', 'Loans cured'),
      ],
      statement: collectionRows(ctx, { period, by: input.by }),
    }
  },
})

/** Bucket of days past due, 0 is current. */
const bucketOf = (dpd: 'f.dpd' | 'f."dpdBefore"') =>
  trusted(
    `case when ${dpd} <= 0 then 0 when ${dpd} <= 30 then 1 when ${dpd} <= 60 then 2 when ${dpd} <= 90 then 3 when ${dpd} <= 180 then 4 else 5 end`,
  )

export function collectionRows(ctx: Ctx, { period, by }: { period: Period; by: Grouping }) {
  const { groups, holds } = groupsOf(ctx, by)
  const [first, last] = [period.startDate, period.endDate]
  return sql`
    with a as materialized (${loansAsOf(ctx, addDays(first, -1))}), b as materialized (${loansAsOf(ctx, last)}),
    s as materialized (
      select q."loanId", sum(q."amount") filter (where q."part" = 'recovery') as recovered, sum(q."amount") filter (where p."method" = 'securitySale') as sold
      from payment p join payment_allocation q on q."companyId" = p."companyId" and q."paymentId" = p."id" and q."supersededAt" is null and q."part" <> 'overpaid'
      where p."companyId" = ${ctx.company.id}::uuid and p."status" = 'Posted' and (p."kind" = 'recovery' or p."method" = 'securitySale') and p."paidOn" between ${first}::date and ${last}::date group by 1),
    f as materialized (
      select b."path", b."officerUserId", b."productName", coalesce(a.arrears, 0) as opening, b.arrears as closing, case when b.gone and coalesce(a.gone, false) then 0 else b.due - coalesce(a.due, 0) end as due,
        b.advance - coalesce(a.advance, 0) as advance, b.paid - coalesce(a.paid, 0) as paid, case when b.gone and not coalesce(a.gone, false) then greatest(0, b.due - b.paid) else 0 end as "writtenOff",
        case when b.gone and coalesce(a.gone, false) then 0 else 1 end as counts, a.dpd as "dpdBefore", b.dpd, b.gone,
        coalesce(s.recovered, 0) as recovered, coalesce(s.sold, 0) as sold
      from b left join s on s."loanId" = b."loanId" left join a on a."loanId" = b."loanId"),
    p as materialized (
      select n."path", l."officerUserId", l."productName", (q."dateCreated" >= ${period.from} and q."dateCreated" < ${period.until})::int as made,
        (q."status" = 'Kept' and q."decidedOn" between ${first}::date and ${last}::date)::int as kept, (q."status" = 'Broken' and q."decidedOn" between ${first}::date and ${last}::date)::int as broken
      from payment_promise q join loan l on l."companyId" = q."companyId" and l."id" = q."loanId" join tenant n on n."companyId" = l."companyId" and n."id" = l."tenantId"
      where q."companyId" = ${ctx.company.id}::uuid and q."deletedAt" is null),
    k as materialized (
      select n."path", l."officerUserId", l."productName", (x."outcome" in ('Reached', 'Promised', 'Refused'))::int as reached
      from loan_contact x join loan l on l."companyId" = x."companyId" and l."id" = x."loanId" join tenant n on n."companyId" = l."companyId" and n."id" = l."tenantId"
      where x."companyId" = ${ctx.company.id}::uuid and x."dateCreated" >= ${period.from} and x."dateCreated" < ${period.until} and x."outcome" <> 'Sent'),
    g as (${groups}),
    r as (
      select g.key, g.name, g.place, coalesce(sum(f.opening), 0) as opening, coalesce(sum(f.due), 0) as due, coalesce(sum((f.paid - f.advance) * f.counts), 0) as collected,
        coalesce(sum(greatest(0, f.advance) * f.counts), 0) as advance, coalesce(sum(f."writtenOff"), 0) as "writtenOff", coalesce(sum(f.closing), 0) as closing, coalesce(sum(f.recovered), 0) as recovered, coalesce(sum(f.sold), 0) as sold,
        count(*) filter (where f."dpdBefore" is not null and not f.gone and f.rank > f."rankBefore")::int as worse,
        count(*) filter (where f."dpdBefore" is not null and not f.gone and f.rank < f."rankBefore" and f.rank > 0)::int as better,
        count(*) filter (where f."dpdBefore" is not null and not f.gone and f.rank = 0 and f."rankBefore" > 0)::int as cured
      from g left join (select f.*, ${bucketOf('f.dpd')} as rank, ${bucketOf('f."dpdBefore"')} as "rankBefore" from f) f on ${holds} group by 1, 2, 3),
    q as (select g.key, coalesce(sum(f.made), 0)::int as promised, coalesce(sum(f.kept), 0)::int as kept, coalesce(sum(f.broken), 0)::int as broken from g left join p f on ${holds} group by 1),
    t as (select g.key, count(f.reached)::int as contacts, coalesce(sum(f.reached), 0)::int as reached from g left join k f on ${holds} group by 1)
    select r.name, r.opening, r.due, r.opening + r.due as demand, r.collected, r.advance, case when r.opening + r.due = 0 then 0 else round(r.collected / (r.opening + r.due), 6) end as efficiency,
      r."writtenOff", r.closing, r.recovered, r.sold, q.promised, q.kept, q.broken, case when q.kept + q.broken = 0 then 0 else round(q.kept::numeric / (q.kept + q.broken), 6) end as "keptRate", t.contacts,
      case when t.contacts = 0 then 0 else round(t.reached::numeric / t.contacts, 6) end as "contactRate", r.worse, r.better, r.cured
    from r join q on q.key = r.key join t on t.key = r.key order by r.place, r.key`
}
