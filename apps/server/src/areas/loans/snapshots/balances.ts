import { sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../../kernel/types.ts'

/** Sums of transactions x of loans: what is owed in principal, what was paid of the schedule, whether it was written off. */
export const bookedSums = sql`
  coalesce(sum(x."principal"), 0) as principal, coalesce(bool_or(x."kind" = 'writeOff'), false) as gone,
  -coalesce(sum(x."principal" + x."interest" + x."fee" + x."insurance") filter (where x."kind" in ('payment', 'reversal')), 0) as paid`

/** A schedule that was replaced after the day counts as it was before: the first change since then kept it. Joins "changeId" to a loan m. */
export const joinPast = ({ company }: Pick<Ctx, 'company'>, day: Statement): Statement => sql`
  left join (
    select distinct on (q."loanId") q."loanId", q."changeId" from loan_instalment_past q
    where q."companyId" = ${company.id}::uuid and q."replacedOn" > ${day} order by q."loanId", q."replacedOn", q."replacedAt") past on past."loanId" = m."loanId"`

/** The first row of a loan's schedule (that of m and past) whose sum is above another one: one look in an index of sums. Rows of "dueOn", "dueSoFar". */
export const firstAbove = ({ company }: Pick<Ctx, 'company'>, amount: Statement): Statement => sql`
  (select i."dueOn", i."dueSoFar" from loan_instalment i where i."companyId" = ${company.id}::uuid and i."loanId" = m."loanId" and i."dueSoFar" > ${amount}
    and past."changeId" is null order by i."dueSoFar", i."dueOn" limit 1)
  union all
  (select i."dueOn", i."dueSoFar" from loan_instalment_past i where i."companyId" = ${company.id}::uuid and i."loanId" = m."loanId" and i."dueSoFar" > ${amount}
    and i."changeId" = past."changeId" order by i."dueSoFar", i."dueOn" limit 1)`

export interface Balances {
  /** What comes before the statement that reads `rows`. */
  ctes: Statement
  /** "loanId", principal, paid, gone, and "isKnown" with "oldestOn": the day of the first row that is not paid, where it follows without a look at the schedule. */
  rows: Statement
}

/**
 * All loans of the company at the end of a day, whatever the caller's reach: those of the last snapshot before it and what was booked since; loans that it lacks or
 * that are stale are summed from their first transaction. The same figures as without a snapshot. `name` tells the tables of several days apart; `isNew` leaves a
 * snapshot of the day itself out.
 */
export function balancesOn(
  { company }: Pick<Ctx, 'company'>,
  { day, name, isNew = false }: { day: string; name: string; isNew?: boolean },
): Balances {
  const of = (part: string) => trusted(`${name}_${part}`)
  const own = sql`${company.id}::uuid`
  const [base, since, known, again, changed] = [of('base'), of('since'), of('known'), of('again'), of('changed')]
  const start = sql`(select b."day" from ${base} b)`
  const paid = sql`k."paid" + coalesce(x.paid, 0)`
  return {
    ctes: sql`
    ${base} as materialized (
      select max(d."day") as "day" from loan_snapshot_day d where d."companyId" = ${own} and d."takenAt" is not null and d."day" ${trusted(isNew ? '<' : '<=')} ${day}::date),
    ${since} as materialized (
      select x."loanId", ${bookedSums} from loan_transaction x
      where x."companyId" = ${own} and x."bookedOn" > coalesce(${start}, '-infinity'::date) and x."bookedOn" <= ${day}::date group by 1),
    ${known} as materialized (
      select k.* from loan_snapshot k where k."companyId" = ${own} and k."day" = ${start}
        and not exists (select from loan_snapshot_stale s where s."companyId" = ${own} and s."loanId" = k."loanId" and s."from" <= k."day")),
    ${again} as materialized (
      select u."loanId" from (
        select x."loanId" from ${since} x union select s."loanId" from loan_snapshot_stale s where s."companyId" = ${own} and s."from" <= ${start}) u
      where ${start} is not null and not exists (select from ${known} k where k."loanId" = u."loanId")),
    ${changed} as materialized (
      select distinct q."loanId" from loan_instalment_past q where q."companyId" = ${own} and q."replacedOn" > ${start} and q."replacedOn" <= ${day}::date)`,
    rows: sql`
    select k."loanId", k."principal" + coalesce(x.principal, 0) as principal, ${paid} as paid, k."gone" or coalesce(x.gone, false) as gone,
      c."loanId" is null and coalesce(x.paid, 0) >= 0 and (k."oldestSum" is null or k."nextSum" is null or ${paid} < k."nextSum") as "isKnown",
      case when ${paid} < k."oldestSum" then k."oldestOn" when ${paid} < k."nextSum" then k."nextOn" end as "oldestOn"
    from ${known} k left join ${since} x on x."loanId" = k."loanId" left join ${changed} c on c."loanId" = k."loanId"
    union all
    select a."loanId", t.principal, t.paid, t.gone, false, null from ${again} a
      cross join lateral (select ${bookedSums} from loan_transaction x where x."companyId" = ${own} and x."loanId" = a."loanId" and x."bookedOn" <= ${day}::date) t
    union all
    select x."loanId", x.principal, x.paid, x.gone, false, null from ${since} x where ${start} is null`,
  }
}
