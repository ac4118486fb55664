import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { Decimal, moneyText } from '@outpost/rules/money'
import { scheduleOf, type Instalment } from '@outpost/rules/lending/terms'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import type { Ctx } from '../../kernel/types.ts'
import type { Moved } from '../../kernel/workflow/types.ts'
import { post, today } from '../ledger/index.ts'
import { daysOffOf } from '../working-time/index.ts'
import { lockLoan, moneyAccount, noteTransactions, type LockedLoan } from './loan.book.ts'
import { loan } from './loan.resource.ts'
import { settle } from './loan.settle.ts'
import { scheduleNightly } from './loan.nightly.ts'

/** What follows a confirmed payout: the schedule is stored, the payout is booked, the loan runs. Once a loan, whoever confirms. */
export async function payOut(ctx: Ctx, { id, record }: Moved): Promise<void> {
  const [loanId, paidOn] = [String(record['loanId']), String(record['paidOn'] ?? today(ctx))]
  const account = (await lockLoan(ctx, loanId)) ?? fail('NOT_FOUND')
  refusePayout(ctx, account, paidOn)
  const rows = scheduleOf(account.terms, account.principal, paidOn, await daysOffOf(ctx, account.tenantId))
  await storeSchedule(ctx, loanId, rows)
  const last = rows.at(-1)
  await writeRecords(ctx, loan, [
    {
      kind: 'update',
      id: loanId,
      input: {
        status: 'Active',
        disbursedOn: paidOn,
        maturesOn: last?.dueOn ?? null,
        unpaidSince: rows[0]?.dueOn ?? null,
        principalOwed: account.owedAtPayout,
      },
      move: { field: 'status', name: 'pay', asked: {} },
    },
  ])
  await bookPayout(ctx, account, { disbursementId: id, channel: String(record['channel']), paidOn })
  await settle(ctx, loanId)
  await scheduleNightly(ctx)
}

function refusePayout(ctx: Ctx, account: LockedLoan, paidOn: string): void {
  if (account.status !== 'Approved') fail('ILLEGAL_TRANSITION', { message: `The loan is ${account.status}: it is not paid out once more.` })
  const first = account.terms.firstDueAt
  if (paidOn > today(ctx)) fail('INVALID', { fields: [{ field: 'paidOn', message: 'lies in the future' }] })
  if (first !== undefined && first <= paidOn)
    fail('INVALID', { fields: [{ field: 'paidOn', message: `must be before the first instalment (${first})` }] })
}

async function storeSchedule(ctx: Ctx, loanId: string, rows: readonly Instalment[]): Promise<void> {
  let dueSoFar = new Decimal(0)
  const stored = rows.map(({ number, dueOn, total, ...amounts }) => {
    dueSoFar = dueSoFar.plus(total)
    return {
      number,
      dueOn,
      dueSoFar: moneyText(dueSoFar),
      ...Object.fromEntries(Object.entries(amounts).map(([part, amount]) => [part, moneyText(amount)])),
    }
  })
  await ctx.sql.exec(sql`
    insert into loan_instalment ("companyId", "loanId", "number", "dueOn", "principal", "interest", "fee", "insurance", "balance", "dueSoFar")
    select ${ctx.company.id}::uuid, ${loanId}::uuid, "number", "dueOn", "principal", "interest", "fee", "insurance", "balance", "dueSoFar"
    from jsonb_to_recordset(${JSON.stringify(stored)}::jsonb) as g("number" int, "dueOn" date, "principal" numeric, "interest" numeric, "fee" numeric,
      "insurance" numeric, "balance" numeric, "dueSoFar" numeric)`)
}

async function bookPayout(
  ctx: Ctx,
  account: LockedLoan,
  { disbursementId, channel, paidOn }: { disbursementId: string; channel: string; paidOn: string },
): Promise<void> {
  const [entryId] = await post(ctx, [
    {
      key: `disbursement:${disbursementId}`,
      kind: 'disbursement',
      tenantId: account.tenantId,
      valueOn: paidOn,
      text: `Payout of loan L-${String(account.number).padStart(6, '0')}`,
      loanId: account.id,
      postings: [
        { account: 'portfolio', amount: account.owedAtPayout },
        { account: moneyAccount(channel), amount: new Decimal(account.paidOut).negated() },
        // Fees that were deducted from the payout or added to the loan are earned with it.
        { account: 'feeIncome', amount: new Decimal(account.paidOut).minus(account.owedAtPayout) },
      ],
    },
  ])
  if (!entryId) fail('ILLEGAL_TRANSITION', { message: 'This payout is booked already.' })
  else
    await noteTransactions(ctx, { loanId: account.id, bookedOn: today(ctx) }, [
      { entryId, kind: 'disbursement', valueOn: paidOn, changes: { principal: account.owedAtPayout } },
    ])
}
