import { sql } from '@outpost/platform/db/sql'
import { timeAt } from '@outpost/rules/time-zone'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { today } from '../../ledger/index.ts'
import { promise } from './promise.resource.ts'
import { planVisit } from './visit.ts'

interface Matured {
  id: string
  loanId: string
  tenantId: string
  clientId: string
  number: number
  loanNumber: number
  createdByUserId: string
  officerUserId: string | null
  amount: string
  paid: string
  isKept: boolean
}

/** Days after the promised one on which money still counts. */
const graceDays = 1

/**
 * Decides the promises whose day and grace are over, or that were paid before: kept when the client paid as much between making it and then, else broken, with a task
 * for the loan's officer the same day. Once a promise: those that are decided are not looked at again. In the caller's transaction.
 */
export async function decidePromises(ctx: Ctx): Promise<number> {
  const matured = await ctx.sql.query<Matured>(sql`
    select * from (
      select p."id", p."loanId", p."tenantId", p."clientId", p."number", l."number" as "loanNumber", p."createdByUserId", l."officerUserId", p."amount"::text, x.paid::text as paid, x.paid >= p."amount" as "isKept", p."dueOn"
      from payment_promise p join loan l on l."companyId" = p."companyId" and l."id" = p."loanId" cross join lateral (
        select coalesce(sum(m."amount"), 0) as paid from payment m where m."companyId" = p."companyId" and m."loanId" = p."loanId" and m."status" = 'Posted'
          and m."paidOn" >= (p."dateCreated" at time zone ${ctx.company.timeZone})::date and m."paidOn" <= p."dueOn" + ${graceDays}::int) x
      where p."companyId" = ${ctx.company.id}::uuid and p."status" = 'Open' and p."deletedAt" is null order by p."id" for update of p) s
    where s."isKept" or s."dueOn" + ${graceDays}::int < ${today(ctx)}::date`)
  for (const one of matured) {
    const activityId = one.isKept ? null : await giveTask(ctx, one)
    await writeRecords(ctx, promise, [
      {
        kind: 'update',
        id: one.id,
        input: { status: one.isKept ? 'Kept' : 'Broken', paid: one.paid, decidedOn: today(ctx), ...(activityId ? { activityId } : {}) },
        move: { field: 'status', name: one.isKept ? 'keep' : 'break', asked: {} },
      },
    ])
  }
  return matured.length
}

/** A task for today, for whoever looks after the loan. */
const giveTask = (ctx: Ctx, { loanNumber, officerUserId, createdByUserId, amount, paid, ...one }: Matured): Promise<string | null> =>
  planVisit(ctx, {
    ...one,
    name: `Broken promise on loan L-${String(loanNumber).padStart(6, '0')}`,
    description: `Promised ${amount}, paid ${paid}.`,
    people: [officerUserId, createdByUserId].filter((id) => id !== null),
    start: new Date(timeAt(today(ctx), 9 * 60, ctx.company.timeZone)),
  })
