import { fail } from '@outpost/contract/errors'
import { Decimal, moneyText } from '@outpost/rules/money'
import { scheduleOf } from '@outpost/rules/lending/terms'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import type { Ctx } from '../../../kernel/types.ts'
import type { Moved } from '../../../kernel/workflow/types.ts'
import { post, today } from '../../ledger/index.ts'
import { daysOffOf } from '../../working-time/index.ts'
import { lockLoan, moneyAccount, noteTransactions, type LockedLoan } from '../settling/loan.book.ts'
import { loan } from '../loan.resource.ts'
import { storeSchedule } from '../loan.schedule.ts'
import { settle } from '../settling/loan.settle.ts'
import { recordPayment } from '../payments/payment.book.ts'
import { scheduleNightly } from '../loan.nightly.ts'

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
  const amount = String(record['amount'])
  await bookPayout(ctx, account, { disbursementId: id, channel: String(record['channel']), paidOn, amount })
  await settle(ctx, loanId)
  if (account.settlesLoanId) await payOff(ctx, account, { disbursement: String(record['disbursementNumber']), paidOn, amount })
  scheduleNightly(ctx)
}

function refusePayout(ctx: Ctx, account: LockedLoan, paidOn: string): void {
  if (account.status !== 'Approved') fail('ILLEGAL_TRANSITION', { message: `The loan is ${account.status}: it is not paid out once more.` })
  const first = account.terms.firstDueAt
  if (paidOn > today(ctx)) fail('INVALID', { fields: [{ field: 'paidOn', message: 'lies in the future' }] })
  if (first !== undefined && first <= paidOn)
    fail('INVALID', { fields: [{ field: 'paidOn', message: `must be before the first instalment (${first})` }] })
}

async function bookPayout(
  ctx: Ctx,
  account: LockedLoan,
  { disbursementId, channel, paidOn, amount }: { disbursementId: string; channel: string; paidOn: string; amount: string },
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
        { account: moneyAccount(channel), amount: new Decimal(amount).negated() },
        // Of a top-up: what pays the former loan off.
        { account: 'topUps', amount: new Decimal(amount).minus(account.paidOut) },
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

/** The part of a top-up that is not paid out is a payment of the loan it pays off. All of it is paid out where that loan was closed before. */
async function payOff(
  ctx: Ctx,
  account: LockedLoan,
  { disbursement, paidOn, amount }: { disbursement: string; paidOn: string; amount: string },
): Promise<void> {
  const kept = new Decimal(account.paidOut).minus(amount)
  if (kept.isZero()) return
  await recordPayment(ctx, {
    loanId: account.settlesLoanId,
    amount: moneyText(kept),
    method: 'topUp',
    provider: 'topUp',
    providerReference: disbursement,
    paidOn,
    note: `Paid off by loan L-${String(account.number).padStart(6, '0')}`,
  })
}
