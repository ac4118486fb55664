import { sql } from '@outpost/platform/db/sql'
import { addDays, timeAt } from '@outpost/rules/time-zone'
import { enqueueJob, enqueueOnce } from '../../kernel/jobs/enqueue.ts'
import type { Ctx, JobDefinition } from '../../kernel/types.ts'
import { today } from '../ledger/index.ts'
import { reconcile } from '../reconciliation/index.ts'
import { moveBalancesToBranch, moveSuspenseToBranch } from './settling/loan.branches.ts'
import { lockLoan } from './settling/loan.book.ts'
import { accrue } from './settling/loan.accrue.ts'
import { settle } from './settling/loan.settle.ts'
import { expireQuotes } from './changes/quote.settle.ts'
import { snapshotJobName } from './snapshots/snapshot.job.ts'
import { decidePromises } from './collecting/promise.decide.ts'

const type = 'loans.nightly'
/** Minutes after midnight in the company at which its books are brought to the new day. */
const runsAt = 30

/** Has the company's books brought to the next day, once; called whenever a loan begins to run. The job that runs now does not count as planned. */
export const scheduleNightly = (ctx: Ctx): void =>
  enqueueOnce(ctx, type, { at: new Date(timeAt(addDays(today(ctx), 1), runsAt, ctx.company.timeZone)), planned: sql`"runAt" > now()` })

/**
 * Loans that a penalty has come to: an instalment that is open past its days of grace, with fewer penalties than months have begun since (or with none, where
 * one is charged for all). settle() charges what is due; a payment that comes in has charged what was due before it.
 */
const withPenalties = (ctx: Ctx) =>
  ctx.sql.query<{ id: string }>(sql`
    select t."id" from loan t where t."companyId" = ${ctx.company.id}::uuid and t."deletedAt" is null and t."status" = 'Active' and t."unpaidSince" < ctx.today() and t."terms" ? 'penalty'
      and exists (
        select from loan_instalment i cross join lateral (
          select count(*)::int as charged from loan_penalty p where p."companyId" = i."companyId" and p."loanId" = i."loanId" and p."number" = i."number" and p."cancelledAt" is null) c
        where i."companyId" = t."companyId" and i."loanId" = t."id" and i."dueOn" >= t."unpaidSince"
          and i."dueOn" < ctx.today() and i."principal" + i."interest" + i."fee" + i."insurance" > i."principalPaid" + i."interestPaid" + i."feePaid" + i."insurancePaid"
          and case when t."terms" -> 'penalty' ->> 'per' = 'instalment' then c.charged = 0 else c.charged < 120 end
          and i."dueOn" + coalesce((t."terms" -> 'penalty' ->> 'graceDays')::int, 0) + 1 + make_interval(months => c.charged) <= ctx.today())
    order by t."id"`)

/** Loans that an earlier version gave to another branch without their balances: nothing was cleared between branches for them. */
const leftBehind = (ctx: Ctx) =>
  ctx.sql.query<{ id: string }>(sql`
    select distinct l."id" from record_transfer t join loan l on l."companyId" = t."companyId" and l."id" = t."objectId"
    where t."companyId" = ${ctx.company.id}::uuid and t."objectType" = 'loan' and t."fromTenantId" <> t."toTenantId" and l."disbursedOn" is not null
      and not exists (select from ledger_entry e where e."companyId" = l."companyId" and e."loanId" = l."id" and e."kind" = 'transfer') order by 1`)

/** Payments whose money waits, or is taken from suspense, in a branch that is not theirs: an earlier version cleared nothing between branches for them. */
const strayInSuspense = (ctx: Ctx) =>
  ctx.sql.query<{ id: string }>(sql`
    select distinct p."id" from (
      select e."paymentId", l."tenantId" from ledger_account a join ledger_line l on l."companyId" = a."companyId" and l."accountId" = a."id"
        join ledger_entry e on e."companyId" = l."companyId" and e."id" = l."entryId"
      where a."companyId" = ${ctx.company.id}::uuid and a."purpose" = 'suspense' and e."paymentId" is not null
      group by 1, 2 having sum(l."debit" - l."credit") <> 0) s
    join payment p on p."companyId" = ${ctx.company.id}::uuid and p."id" = s."paymentId" and p."tenantId" <> s."tenantId" order by 1`)

/** One after the other, each under its lock: what moves it meanwhile has done the same. */
async function gatherStray(ctx: Ctx): Promise<void> {
  for (const { id } of await strayInSuspense(ctx))
    await ctx.transaction(async (inner) => {
      await inner.sql.exec(sql`select from payment where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid for update`)
      await moveSuspenseToBranch(inner, [id])
    })
}

async function takeAlong(ctx: Ctx, id: string): Promise<void> {
  const account = await lockLoan(ctx, id)
  if (account) await moveBalancesToBranch(ctx, account)
}

/** Brings the books of the company to today: penalties, interest earned, promises whose day is over; then compares them with themselves and with statements. Any number of runs end in the same books. */
export async function runNightly(ctx: Ctx): Promise<{ penalties: number; accrued: number }> {
  for (const { id } of await leftBehind(ctx)) await ctx.transaction((inner) => takeAlong(inner, id))
  await gatherStray(ctx)
  const late = await withPenalties(ctx)
  for (const { id } of late) await ctx.transaction((inner) => settle(inner, id))
  let accrued = 0
  for (;;) {
    const some = await ctx.transaction((inner) => accrue(inner, {}))
    if (some === 0) break
    accrued += some
  }
  await ctx.transaction(decidePromises)
  await ctx.transaction(expireQuotes)
  await ctx.transaction(reconcile)
  return { penalties: late.length, accrued }
}

/** In steps of their own transactions: a try that ends in the middle is gone on with by the next. */
export const nightlyJob: JobDefinition = {
  name: type,
  ownTransaction: true,
  run: async (ctx) => {
    await runNightly(ctx)
    await ctx.transaction(scheduleNext)
  },
}

/** Snapshots for reports are a job of their own: the books do not wait for them. */
async function scheduleNext(ctx: Ctx): Promise<void> {
  await enqueueJob(ctx, snapshotJobName)
  const alive = await ctx.sql.maybe(
    sql`select from loan where "companyId" = ${ctx.company.id}::uuid and "status" in ('Approved', 'Active', 'Overpaid') and "deletedAt" is null limit 1`,
  )
  if (alive) scheduleNightly(ctx)
}
