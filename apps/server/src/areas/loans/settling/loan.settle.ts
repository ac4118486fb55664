import { fail } from '@outpost/contract/errors'
import { prepared } from '@outpost/platform/db/prepared'
import { sql } from '@outpost/platform/db/sql'
import { oldestUnpaid, openAmount, replay } from '@outpost/rules/lending/replay'
import { moneyText, zero, type Decimal } from '@outpost/rules/money'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import type { Change } from '../../../kernel/resource/writing.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { today } from '../../ledger/index.ts'
import { accrue } from './loan.accrue.ts'
import { bookPayments, recoveriesOf, storedAllocations } from './loan.allocate.ts'
import { instalmentsOfAll, lockLoan, paymentsOfAll, type LockedLoan, type ReplayedLoan } from './loan.book.ts'
import { moveBalancesToBranch } from './loan.branches.ts'
import { bookPenalties, storedPenalties } from './loan.penalties.ts'
import { noRefunds, refundsOfAll, type Refunds } from '../payouts/disbursement.refund.ts'
import { loan } from '../loan.resource.ts'

/** settleAll() for one loan. */
export async function settle(ctx: Ctx, loanId: string, locked?: LockedLoan): Promise<void> {
  await settleAll(ctx, [locked ?? (await lockLoan(ctx, loanId)) ?? fail('NOT_FOUND')])
}

/**
 * Brings ledger, schedule and loans in line with the payments that count: replays each loan and books the difference only. An allocation that is different
 * now is taken back by a contra entry and booked anew; nothing is changed. Running it twice books nothing. In sets: as many statements for many loans as for
 * one. In the caller's transaction, which holds the locks of the loans.
 */
export async function settleAll(ctx: Ctx, accounts: readonly LockedLoan[]): Promise<void> {
  const replays = await replayAll(
    ctx,
    accounts.filter(({ disbursedOn }) => disbursedOn !== null),
  )
  if (replays.length === 0) return
  const penalties = await bookPenalties(ctx, replays)
  const withdrawn = penalties.union(await bookPayments(ctx, replays))
  // What is taken back is taken back where it was booked; what that leaves there of a loan that has moved on follows it.
  for (const { account } of replays) if (withdrawn.has(account.id)) await moveBalancesToBranch(ctx, account)
  const [running, gone] = [
    replays.filter(({ account }) => account.writtenOffOn === null),
    replays.filter(({ account }) => account.writtenOffOn !== null),
  ]
  if (gone.length > 0) await storeWrittenOff(ctx, gone)
  if (running.length === 0) return
  const [refunds] = await Promise.all([
    refundsOfAll(
      ctx,
      running.map(({ account }) => account.id),
    ),
    storeInstalments(ctx, running),
  ])
  await storeLoans(ctx, running, refunds)
}

/** What is stored of the loans is asked for at once: statements of one transaction need not wait for each other's answers. */
async function replayAll(ctx: Ctx, accounts: readonly LockedLoan[]): Promise<ReplayedLoan[]> {
  if (accounts.length === 0) return []
  const ids = accounts.map(({ id }) => id)
  const [instalments, payments, penalties, allocations] = await Promise.all([
    instalmentsOfAll(ctx, ids),
    paymentsOfAll(ctx, ids),
    storedPenalties(ctx, ids),
    storedAllocations(ctx, ids),
  ])
  const of = <Row extends { loanId: string }>(rows: readonly Row[]) => Map.groupBy(rows, ({ loanId }) => loanId)
  const by = { instalments: of(instalments), payments: of(payments), penalties: of(penalties), allocations: of(allocations) }
  const day = today(ctx)
  return accounts.map((account) => {
    const paid = by.payments.get(account.id) ?? []
    const asOf = account.writtenOffOn !== null && account.writtenOffOn < day ? account.writtenOffOn : day
    const counted = paid.filter(({ kind }) => kind === 'repayment')
    const rows = by.instalments.get(account.id) ?? []
    return {
      account,
      payments: paid,
      stored: { penalties: by.penalties.get(account.id) ?? [], allocations: by.allocations.get(account.id) ?? [] },
      replayed: replay({ terms: account.terms, instalments: rows, payments: counted, asOf }),
    }
  })
}

async function storeInstalments(ctx: Ctx, replays: readonly ReplayedLoan[]): Promise<void> {
  const rows = replays.flatMap(({ account, replayed }) =>
    replayed.instalments.map(({ number, paid, due, paidOn }) => ({
      loanId: account.id,
      number,
      paidOn,
      penalty: moneyText(due.penalty),
      ...Object.fromEntries(Object.entries(paid).map(([part, amount]) => [`${part}Paid`, moneyText(amount)])),
    })),
  )
  await ctx.sql.exec(
    prepared(
      sql`
    update loan_instalment i set "principalPaid" = g."principalPaid", "interestPaid" = g."interestPaid", "feePaid" = g."feePaid", "insurancePaid" = g."insurancePaid",
      "penalty" = g."penalty", "penaltyPaid" = g."penaltyPaid", "paidOn" = g."paidOn"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g("loanId" uuid, "number" int, "paidOn" date, "penalty" numeric, "principalPaid" numeric,
      "interestPaid" numeric, "feePaid" numeric, "insurancePaid" numeric, "penaltyPaid" numeric)
    where i."companyId" = ${ctx.company.id}::uuid and i."loanId" = g."loanId" and i."number" = g."number"
      and (i."principalPaid", i."interestPaid", i."feePaid", i."insurancePaid", i."penalty", i."penaltyPaid", i."paidOn")
        is distinct from (g."principalPaid", g."interestPaid", g."feePaid", g."insurancePaid", g."penalty", g."penaltyPaid", g."paidOn")`,
      'write',
    ),
  )
}

/** What is owed, and the status that follows from it. */
async function storeLoans(ctx: Ctx, replays: readonly ReplayedLoan[], refunds: ReadonlyMap<string, Refunds>): Promise<void> {
  const changes = replays.map((one) => ({ one, ...changeOf(ctx, one, refunds.get(one.account.id) ?? noRefunds) }))
  await writeRecords(
    ctx,
    loan,
    changes.map(({ change }) => change),
  )
  // What is paid before its time was earned by then, and is not earned any more when the payment is taken back.
  for (const { one, status } of changes) if (status !== one.account.status) await accrue(ctx, { loanId: one.account.id })
}

/** Of a written-off loan only what was paid beyond it changes. */
async function storeWrittenOff(ctx: Ctx, replays: readonly ReplayedLoan[]): Promise<void> {
  const refunds = await refundsOfAll(
    ctx,
    replays.map(({ account }) => account.id),
  )
  const changes = replays.flatMap(({ account, payments }): Change[] => {
    const lines = [...recoveriesOf(account, payments).values()].flat()
    const beyond = lines.reduce((sum, { part, amount }) => (part === 'overpaid' ? sum.plus(amount) : sum), zero)
    const { confirmed, live } = refunds.get(account.id) ?? noRefunds
    refuseRefunded(live, beyond)
    const overpaid = moneyText(beyond.minus(confirmed))
    return overpaid === moneyText(account.overpaid) ? [] : [{ kind: 'update', id: account.id, input: { overpaid } }]
  })
  await writeRecords(ctx, loan, changes)
}

function refuseRefunded(live: Decimal, overpaid: Decimal): void {
  if (live.gt(overpaid))
    fail('ILLEGAL_TRANSITION', {
      message: `What was overpaid is refunded, or on its way: ${moneyText(live)} to the client. Reject that refund first.`,
    })
}

function changeOf(
  ctx: Ctx,
  { account, payments, replayed: { instalments, overpaid } }: ReplayedLoan,
  { confirmed, live }: Refunds,
): { change: Change; status: keyof typeof moveTo } {
  refuseRefunded(live, overpaid)
  const left = overpaid.minus(confirmed)
  const owed = (...parts: Parameters<typeof openAmount>[1] & {}) =>
    moneyText(instalments.reduce((sum, row) => sum.plus(openAmount(row, parts)), zero))
  const isOpen = instalments.some((row) => openAmount(row).gt(0))
  const status = isOpen ? 'Active' : left.gt(0) ? 'Overpaid' : 'Closed'
  const input = {
    principalOwed: owed('principal'),
    interestOwed: owed('interest'),
    feesOwed: owed('fee', 'insurance'),
    penaltiesOwed: owed('penalty'),
    overpaid: moneyText(left),
    unpaidSince: oldestUnpaid(instalments)?.dueOn ?? null,
    closedOn: isOpen ? null : (payments.at(-1)?.on ?? today(ctx)),
  }
  if (status === account.status) return { status, change: { kind: 'update', id: account.id, input } }
  const move = { field: 'status', name: moveTo[status], asked: {} }
  return { status, change: { kind: 'update', id: account.id, input: { ...input, status }, move } }
}
const moveTo = { Active: 'reopen', Overpaid: 'overpay', Closed: 'close' } as const
