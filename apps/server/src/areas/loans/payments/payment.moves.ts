import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import { getRecord, type WireRecord } from '../../../kernel/resource/records.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { reverse } from '../../ledger/index.ts'
import { settleByQuotes, undoSettlement } from '../changes/quote.settle.ts'
import { lockLoan, type LockedLoan } from '../settling/loan.book.ts'
import { moveSuspenseToBranch } from '../settling/loan.branches.ts'
import { settle } from '../settling/loan.settle.ts'
import { bookSuspense, payableLoan } from './payment.book.ts'
import { payment } from './payment.resource.ts'
import { planReceipts } from './receipt.ts'

/** Gives money in suspense to a loan. */
export async function allocatePayment(ctx: Ctx, { id, loanId }: { id: string; loanId: string }): Promise<WireRecord> {
  const { paidOn } = await lockPayment(ctx, id)
  const account = await payableLoan(ctx, loanId, paidOn)
  await writeRecords(ctx, payment, [
    {
      kind: 'update',
      id,
      input: {
        status: 'Posted',
        tenantId: account.tenantId,
        kind: account.status === 'Written off' ? 'recovery' : 'repayment',
      },
      move: { field: 'status', name: 'allocate', asked: {} },
    },
  ])
  await moveTo(ctx, id, account)
  await settleByQuotes(ctx, [{ account, paymentId: id }])
  await settle(ctx, loanId, account)
  await moveSuspenseToBranch(ctx, [id])
  await planReceipts(ctx, [id])
  return getRecord(ctx, payment, id)
}

/** The loan of a payment is set once by whoever captures it; only here it changes. Its client may be filed out of the caller's reach. */
const moveTo = (ctx: Ctx, id: string, account: LockedLoan | null) =>
  ctx.sql.exec(sql`
    update payment set "loanId" = ${account?.id ?? null}::uuid, "clientId" = ${account?.clientId ?? null}::uuid, "viaSuspense" = true where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`)

interface StoredPaymentRow {
  loanId: string | null
  paidOn: string
  kind: string
  status: string
  viaSuspense: boolean
}
async function lockPayment(ctx: Ctx, id: string): Promise<StoredPaymentRow> {
  const row = await ctx.sql.maybe<StoredPaymentRow>(sql`
    select "loanId", to_char("paidOn", 'YYYY-MM-DD') as "paidOn", "kind", "status", "viaSuspense" from payment
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "deletedAt" is null`)
  if (!row) return fail('NOT_FOUND')
  // The loan first, as everybody who books on it does.
  const account = row.loanId === null ? undefined : await lockLoan(ctx, row.loanId)
  if (account?.writtenOffOn != null && row.kind === 'repayment')
    fail('ILLEGAL_TRANSITION', { message: 'The loan was written off after this payment.' })
  const locked = await ctx.sql.one<StoredPaymentRow>(sql`
    select "loanId", to_char("paidOn", 'YYYY-MM-DD') as "paidOn", "kind", "status", "viaSuspense" from payment
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid for update`)
  // Its loan was read before its lock was there: that one is locked, and judged by.
  if (locked.loanId !== row.loanId) fail('CONFLICT', { message: 'Somebody moved this payment at this moment. Look at it again.' })
  return locked
}

/** Books what a payment that counts no more leaves of its loan; the settlement that it made is undone with it. */
async function takenBack(ctx: Ctx, loanId: string, paymentId: string): Promise<void> {
  await undoSettlement(ctx, loanId, paymentId)
  await settle(ctx, loanId)
}

/** Takes a payment back from its loan into suspense: what it did is reversed by contra entries, what later ones did is booked anew. */
export async function releasePayment(ctx: Ctx, { id, reason }: { id: string; reason: string }): Promise<WireRecord> {
  const { loanId, viaSuspense } = await lockPayment(ctx, id)
  await writeRecords(ctx, payment, [
    {
      kind: 'update',
      id,
      input: { status: 'Suspense', clientId: null, kind: 'repayment' },
      move: { field: 'status', name: 'release', asked: { reason } },
    },
  ])
  await moveTo(ctx, id, null)
  if (loanId) await takenBack(ctx, loanId, id)
  if (!viaSuspense) await bookSuspense(ctx, [id])
  await moveSuspenseToBranch(ctx, [id])
  return getRecord(ctx, payment, id)
}

/** Reverses a payment: the money was none. Everything it did is taken back by contra entries, even after later payments. */
export async function reversePayment(ctx: Ctx, { id, reason }: { id: string; reason: string }): Promise<WireRecord> {
  const { loanId } = await lockPayment(ctx, id)
  await writeRecords(ctx, payment, [
    { kind: 'update', id, input: { status: 'Reversed' }, move: { field: 'status', name: 'reverse', asked: { reason } } },
  ])
  if (loanId) await takenBack(ctx, loanId, id)
  const suspense = await ctx.sql.query<{ id: string }>(sql`
    select e."id" from ledger_entry e where e."companyId" = ${ctx.company.id}::uuid and e."paymentId" = ${id}::uuid and e."kind" = 'suspense'
      and not exists (select from ledger_entry r where r."companyId" = e."companyId" and r."reversesId" = e."id")`)
  await reverse(
    ctx,
    suspense.map((entry) => entry.id),
    `Reversed: ${reason}`,
  )
  await moveSuspenseToBranch(ctx, [id])
  return getRecord(ctx, payment, id)
}
