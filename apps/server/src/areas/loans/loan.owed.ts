import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../kernel/types.ts'
import { scheduleThen } from './loan.figures.ts'
import { loansPlaced } from './loan.places.ts'
import { bookedSums, joinPast, balancesOn } from './snapshots/balances.ts'

/**
 * What each loan owes at the end of a day, in all its parts, where it owes anything: rows of "loanId", "tenantId", "officerUserId", "productName", "clientId", lent, principal, interest,
 * fees (with insurance), penalties, dpd, arrears. `ctes` come before the statement that reads `rows`.
 *
 * Principal and what was paid begin at the last snapshot. The other parts are what the loan owes now without what was booked since; loans that were written off or
 * whose schedule was replaced since are summed from their own rows.
 */
export function loansOwed(ctx: Ctx, day: string): { ctes: Statement; rows: Statement } {
  const own = sql`${ctx.company.id}::uuid`
  const { ctes, rows } = balancesOn(ctx, { day, name: 'owed' })
  return {
    ctes: sql`${ctes},
    later as materialized (
      select x."loanId", sum(x."interest") as interest, sum(x."fee" + x."insurance") as fees, sum(x."penalty") as penalties
      from loan_transaction x where x."companyId" = ${own} and x."bookedOn" > ${day}::date group by 1),
    placed as materialized (${loansPlaced(ctx, day)}),
    owes_principal as materialized (${rows}),
    owed as materialized (select o."loanId", o.principal, o.paid, o.gone from owes_principal o union all ${owingNoPrincipal(ctx, day)})`,
    rows: sql`
    select m."loanId", p."tenantId", p."officerUserId", p."productName", l."clientId", l."principal" as lent, m.principal, o.interest, o.fees, o.penalties, d.dpd, d.arrears
    from owed m ${joinPast(ctx, sql`${day}::date`)}
    join placed p on p."loanId" = m."loanId"
    left join loan l on l."companyId" = ${own} and l."id" = m."loanId"
    left join later x on x."loanId" = m."loanId"
    cross join lateral (${ownRows(ctx, day)}) s
    cross join lateral (
      select case when m.gone then 0 else coalesce(s.interest, l."interestOwed" - coalesce(x.interest, 0)) end as interest,
        case when m.gone then 0 else coalesce(s.fees, l."feesOwed" - coalesce(x.fees, 0)) end as fees,
        coalesce(s.penalties, l."penaltiesOwed" - coalesce(x.penalties, 0)) as penalties) o
    cross join lateral (
      select greatest(0, ${day}::date - min(g."dueOn") filter (where g."dueSoFar" > m.paid)) as dpd,
        case when m.gone then 0 else greatest(0, coalesce(max(g."dueSoFar") filter (where g."dueOn" <= ${day}::date), 0) - m.paid) end as arrears
      from (${scheduleThen(ctx)}) g where not m.gone and m.principal + o.interest + o.fees > 0) d
    where m.principal + o.interest + o.fees + o.penalties > 0`,
  }
}

/** Snapshots hold loans that owe principal: those that may owe something else alone, or whose present figures do not lead back to the day, are summed from their first transaction. */
const owingNoPrincipal = ({ company }: Ctx, day: string): Statement => sql`
  select p."loanId", t.principal, t.paid, t.gone from placed p
  left join loan l on l."companyId" = ${company.id}::uuid and l."id" = p."loanId" left join later x on x."loanId" = p."loanId"
  cross join lateral (select ${bookedSums} from loan_transaction x where x."companyId" = ${company.id}::uuid and x."loanId" = p."loanId" and x."bookedOn" <= ${day}::date having count(*) > 0) t
  where not exists (select from owes_principal o where o."loanId" = p."loanId") and (
    l."id" is null or l."writtenOffOn" > ${day}::date
    or l."interestOwed" + l."feesOwed" + l."penaltiesOwed" > coalesce(x.interest + x.fees + x.penalties, 0)
    or exists (select from loan_instalment_past q where q."companyId" = ${company.id}::uuid and q."loanId" = p."loanId" and q."replacedOn" > ${day}::date))`

/** Interest, fees and penalties of a loan m whose present figures do not lead back to that day: its schedule of then, and what was booked by then; else nulls. */
const ownRows = ({ company }: Ctx, day: string): Statement => sql`
  select sum(u.interest) as interest, sum(u.fees) as fees, sum(u.penalties) as penalties from (
    select i."interest", i."fee" + i."insurance" as fees, 0 as penalties from loan_instalment i
    where i."companyId" = ${company.id}::uuid and i."loanId" = m."loanId" and past."changeId" is null
    union all
    select i."interest", i."fee" + i."insurance", 0 from loan_instalment_past i
    where i."companyId" = ${company.id}::uuid and i."loanId" = m."loanId" and i."changeId" = past."changeId"
    union all
    select x."interest", x."fee" + x."insurance", x."penalty" from loan_transaction x
    where x."companyId" = ${company.id}::uuid and x."loanId" = m."loanId" and x."bookedOn" <= ${day}::date) u
  where l."id" is null or l."writtenOffOn" > ${day}::date or past."changeId" is not null`
