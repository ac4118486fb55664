import { randomUUIDv7 } from 'node:crypto'
import { prepared } from '@outpost/platform/db/prepared'
import { sql } from '@outpost/platform/db/sql'
import { cutAt } from '@outpost/rules/lending/restructure'
import { Decimal, zero } from '@outpost/rules/money'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { today } from '../../ledger/index.ts'
import type { LockedLoan } from '../settling/loan.book.ts'
import { settlementSums } from '../loan.quotes.ts'
import { replaceSchedule, restoreSchedule, scheduleRowsOf } from '../loan.schedule.ts'
import { settlement } from './quote.resource.ts'

interface Quote {
  id: string
  validUntil: string
}

/**
 * Ends the schedule of a loan on the day of a payment that covers a quote of that day, also where the payment arrives after the quote
 * expired, as by a statement of the day after: what is left of it is the principal and the interest earned by the day the quote was
 * valid until. Less money, or money of another day, is a payment like any other. Called before settle(); the loans are locked by then, and each is named once.
 */
export async function settleByQuotes(ctx: Ctx, paid: readonly { account: LockedLoan; paymentId: string }[]): Promise<void> {
  const running = paid.filter(({ account }) => account.status === 'Active' && account.disbursedOn !== null)
  if (running.length === 0) return
  const quoted = await ctx.sql.query<{ paymentId: string; amount: string; paidOn: string }>(
    prepared(
      sql`
    select p."id" as "paymentId", p."amount"::text, to_char(p."paidOn", 'YYYY-MM-DD') as "paidOn" from payment p
    where p."companyId" = ${ctx.company.id}::uuid and p."id" = any(${running.map(({ paymentId }) => paymentId)}::uuid[])
      and exists (select from settlement_quote q where q."companyId" = p."companyId" and q."loanId" = p."loanId" and q."status" in ('Open', 'Expired') and q."deletedAt" is null
        and p."paidOn" between q."quotedOn" and q."validUntil")
    order by p."loanId"`,
      'write',
    ),
  )
  for (const payment of quoted) {
    const account = running.find(({ paymentId }) => paymentId === payment.paymentId)?.account
    if (account) await settleByQuote(ctx, account, payment)
  }
}

async function settleByQuote(
  ctx: Ctx,
  account: LockedLoan,
  { paymentId, amount, paidOn }: { paymentId: string; amount: string; paidOn: string },
): Promise<void> {
  const quote = await ctx.sql.maybe<Quote>(sql`
    select "id", to_char("validUntil", 'YYYY-MM-DD') as "validUntil" from settlement_quote where "companyId" = ${ctx.company.id}::uuid and "loanId" = ${account.id}::uuid
      and "status" in ('Open', 'Expired') and "deletedAt" is null and ${paidOn}::date between "quotedOn" and "validUntil"
      and not exists (select from loan_change c where c."companyId" = settlement_quote."companyId" and c."loanId" = settlement_quote."loanId" and c."carriedOutOn" > settlement_quote."validUntil")
    order by "validUntil", "id" limit 1 for update`)
  if (!quote) return
  const { total } = await settlementSums(ctx, account, { on: quote.validUntil, without: paymentId })
  if (new Decimal(amount).lt(total)) return
  await cut(ctx, account, { quote, paymentId, on: paidOn })
}

async function cut(
  ctx: Ctx,
  account: LockedLoan,
  { quote, paymentId, on }: { quote: Quote; paymentId: string; on: string },
): Promise<void> {
  const rows = await scheduleRowsOf(ctx, account.id)
  const { kept, before, principal, earned } = cutAt({
    rows,
    on,
    disbursedOn: account.disbursedOn ?? on,
    currency: account.terms.currency,
    earnedBy: quote.validUntil,
  })
  const pastId = before.length > 0 ? randomUUIDv7() : null
  if (pastId) {
    const due = before.filter(({ dueOn }) => dueOn <= quote.validUntil)
    const sum = (part: 'fee' | 'insurance') => due.reduce((total, row) => total.plus(row[part]), zero)
    const last = {
      number: (kept.at(-1)?.number ?? 0) + 1,
      dueOn: on,
      principal,
      interest: earned,
      fee: sum('fee'),
      insurance: sum('insurance'),
      balance: 0,
    }
    await replaceSchedule(ctx, { loanId: account.id, pastId, kept, rows: [last] })
  }
  await move(ctx, quote.id, 'settle', { status: 'Settled', paymentId, pastId })
}

const move = (ctx: Ctx, id: string, name: string, input: Record<string, unknown>) =>
  writeRecords(ctx, settlement, [{ kind: 'update', id, input, move: { field: 'status', name, asked: {} } }])

/** Takes a settlement back with its payment: the schedule is what it was. Called before settle(). */
export async function undoSettlement(ctx: Ctx, loanId: string, paymentId: string): Promise<void> {
  const quote = await ctx.sql.maybe<{ id: string; pastId: string | null }>(sql`
    select "id", "pastId" from settlement_quote where "companyId" = ${ctx.company.id}::uuid and "loanId" = ${loanId}::uuid and "paymentId" = ${paymentId}::uuid
      and "status" = 'Settled' and "deletedAt" is null for update`)
  if (!quote) return
  if (quote.pastId) await restoreSchedule(ctx, { loanId, pastId: quote.pastId })
  await move(ctx, quote.id, 'undo', { status: 'Open', paymentId: null, pastId: null })
}

/** Quotes whose day is over. In the caller's transaction. */
export async function expireQuotes(ctx: Ctx): Promise<number> {
  const over = await ctx.sql.query<{ id: string }>(sql`
    select "id" from settlement_quote where "companyId" = ${ctx.company.id}::uuid and "status" = 'Open' and "validUntil" < ${today(ctx)}::date and "deletedAt" is null
    order by "id" limit 5000 for update`)
  for (const { id } of over) await move(ctx, id, 'expire', { status: 'Expired' })
  return over.length
}
