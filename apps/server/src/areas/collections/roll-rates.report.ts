import { sql, trusted } from '@outpost/platform/db/sql'
import { addDays } from '@outpost/rules/time-zone'
import { z } from 'zod'
import { defineReport, type ReportColumn } from '../../kernel/reports/definition.ts'
import { periodFields, periodFilters, periodInput, periodOf } from '../../kernel/reports/period.ts'
import type { Ctx } from '../../kernel/types.ts'
import { buckets, loansAsOf } from '../loans/index.ts'

const share = (key: string, title: string): ReportColumn => ({ key, title, kind: 'percent' })
const names = buckets.map(({ value }) => value)

/** How the principal of each arrears bucket moved between two days (domain 4.9). */
export const rollRatesReport = defineReport({
  name: 'rollRatesReport',
  title: 'Roll Rates Report',
  menu: { label: 'Roll rates', icon: 'swap', order: 22 },
  description: 'Where the loans of each arrears bucket were at the end of a period: same, better, worse, paid off or written off.',
  anyOf: ['CRM/REPORTS'],
  alsoAnyOf: ['CLIENTS', 'LOAN/DISBURSEMENTS'],
  input: z.strictObject(periodInput),
  fields: periodFields,
  plan(ctx, input) {
    const period = periodOf(ctx, input)
    return {
      title: 'Roll Rates Report',
      filters: periodFilters(period),
      definition:
        'Rows: arrears bucket at the end of the day before the period. Columns: where the principal they owed then is at the end of the period, in percent of it; all columns of a row add up to 100 %. ' +
        'A loan counts whole, with the principal of the beginning. Paid off: nothing is owed any more. Worse: later buckets and written off. Loans paid out in the period are in no row.',
      columns: [
        { key: 'name', title: 'From', kind: 'text', width: 14 },
        { key: 'loans', title: 'Loans', kind: 'number' },
        { key: 'outstanding', title: 'Outstanding', kind: 'money', width: 16 },
        ...names.map((name, index) => share(`to${index}`, name)),
        share('paidOff', 'Paid off'),
        share('gone', 'Written off'),
        share('worse', 'Worse'),
      ],
      statement: rollRows(ctx, { before: addDays(period.startDate, -1), last: period.endDate }),
    }
  },
})

const bucketOf = (dpd: string) => `case ${buckets.map(({ to }, index) => `when ${dpd} <= ${to} then ${index}`).join(' ')} end`

/** One row a bucket, and one for all. */
export function rollRows(ctx: Ctx, { before, last }: { before: string; last: string }) {
  const part = (condition: string) =>
    trusted(
      `case when sum(f.principal) > 0 then round(coalesce(sum(f.principal) filter (where ${condition}), 0) / sum(f.principal), 6) else 0 end`,
    )
  const columns = [
    ...names.map((_, index) => sql`${part(`f.fate = ${index}`)} as ${trusted(`"to${index}"`)}`),
    sql`${part('f.fate = 10')} as "paidOff"`,
    sql`${part('f.fate = 11')} as gone`,
    sql`${part('f.fate <> 10 and f.fate > f.start')} as worse`,
  ]
  const list = columns.reduce((all, column) => sql`${all}, ${column}`)
  return sql`
    with a as materialized (${loansAsOf(ctx, before)}), b as materialized (${loansAsOf(ctx, last)}),
    f as materialized (
      select a.principal, ${trusted(bucketOf('a.dpd'))} as start, case when b.gone then 11 when b.principal <= 0 then 10 else ${trusted(bucketOf('b.dpd'))} end as fate
      from a join b on b."loanId" = a."loanId" where a.principal > 0 and not a.gone),
    n as (select ordinality::int - 1 as start, name from unnest(${[...names]}::text[]) with ordinality as u(name, ordinality))
    select name, loans, outstanding, ${trusted(names.map((_, index) => `"to${index}"`).join(', '))}, "paidOff", gone, worse from (
      select n.start as place, n.name, count(f.start)::int as loans, coalesce(sum(f.principal), 0) as outstanding, ${list} from n left join f on f.start = n.start group by 1, 2
      union all select 100, 'All', count(f.start)::int, coalesce(sum(f.principal), 0), ${list} from f) r order by place`
}
