import { sql } from '@outpost/platform/db/sql'
import { decimalsOf } from '@outpost/rules/currency'
import { Decimal, zero } from '@outpost/rules/money'
import type { Ctx } from '../../../kernel/types.ts'
import { post, today, type NewEntry } from '../../ledger/index.ts'

/** Loans of one transaction: what it locks is soon free again. */
const batch = 2_000

interface Difference {
  tenantId: string
  loanId: string
  number: number
  interest: string
  fee: string
  insurance: string
}

/**
 * Books what loans have earned up to a day and was not booked yet: interest by the days of the running period, fees and insurance when they are due. A second
 * run finds no difference and books nothing. One loan, or the next 2,000 of those that run; gives how many it looked at, 0 at the end. In the caller's transaction.
 */
export async function accrue(ctx: Ctx, { loanId, asOf = today(ctx) }: { loanId?: string; asOf?: string }): Promise<number> {
  const one = loanId === undefined ? sql`true` : sql`t."id" = ${loanId}::uuid`
  // The target of a loan that is paid off is all that was agreed. Rows are locked in one order, so that two runs wait for each other.
  const due = await ctx.sql.query<Difference>(sql`
    with l as materialized (
      select t."id", t."tenantId", t."number", t."status", t."disbursedOn", t."interestAccrued", t."feeAccrued", t."insuranceAccrued" from loan t
      where t."companyId" = ${ctx.company.id}::uuid and t."deletedAt" is null and t."disbursedOn" is not null and ${one}
        and (t."status" = 'Active' and (${loanId !== undefined} or t."accruedTo" is null or t."accruedTo" < ${asOf}::date) or ${loanId !== undefined} and t."status" in ('Closed', 'Overpaid'))
      order by t."id" limit ${batch} for update),
    target as (
      select l."id",
        sum(case when l."status" <> 'Active' or i."dueOn" <= ${asOf}::date then i."interest" when i."from" < ${asOf}::date
          then ctx.half_even(i."interest" * (${asOf}::date - i."from") / (i."dueOn" - i."from"), ${decimalsOf(ctx.company.currency)}) else 0 end) as interest,
        sum(case when l."status" <> 'Active' or i."dueOn" <= ${asOf}::date then i."fee" else 0 end) as fee,
        sum(case when l."status" <> 'Active' or i."dueOn" <= ${asOf}::date then i."insurance" else 0 end) as insurance
      from l join lateral (
        select r.*, coalesce(lag(r."dueOn") over (order by r."number"), l."disbursedOn") as "from" from loan_instalment r
        where r."companyId" = ${ctx.company.id}::uuid and r."loanId" = l."id") i on true group by 1),
    done as (
      update loan u set "interestAccrued" = target.interest, "feeAccrued" = target.fee, "insuranceAccrued" = target.insurance, "accruedTo" = ${asOf}::date
      from target where u."companyId" = ${ctx.company.id}::uuid and u."id" = target."id")
    select l."tenantId", l."id" as "loanId", l."number", (target.interest - l."interestAccrued")::text as interest,
      (target.fee - l."feeAccrued")::text as fee, (target.insurance - l."insuranceAccrued")::text as insurance
    from l join target on target."id" = l."id" order by l."id"`)
  const changed = due.filter(({ interest, fee, insurance }) => [interest, fee, insurance].some((amount) => Number(amount) !== 0))
  await post(
    ctx,
    changed.map((one) => entryOf(one, asOf)),
  )
  return due.length
}

function entryOf({ tenantId, loanId, number, ...earned }: Difference, asOf: string): NewEntry {
  const amounts = { interest: new Decimal(earned.interest), fee: new Decimal(earned.fee), insurance: new Decimal(earned.insurance) }
  const pair = (receivable: NewEntry['postings'][number]['account'], income: NewEntry['postings'][number]['account'], amount = zero) => [
    { account: receivable, amount },
    { account: income, amount: amount.negated() },
  ]
  return {
    key: `accrual:${loanId}:${asOf}:${crypto.randomUUID()}`,
    kind: 'accrual',
    tenantId,
    valueOn: asOf,
    text: `Interest and fees of loan L-${String(number).padStart(6, '0')} to ${asOf}`,
    loanId,
    postings: [
      ...pair('interestReceivable', 'interestIncome', amounts.interest),
      ...pair('feeReceivable', 'feeIncome', amounts.fee),
      ...pair('insuranceReceivable', 'insurancePayable', amounts.insurance),
    ],
  }
}
