import { fail } from '@outpost/contract/errors'
import { prepared } from '@outpost/platform/db/prepared'
import { sql } from '@outpost/platform/db/sql'
import { Decimal, zero } from '@outpost/rules/money'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import type { Ctx } from '../../../kernel/types.ts'
import type { Moved } from '../../../kernel/workflow/types.ts'
import { post, today } from '../../ledger/index.ts'
import { lockLoan, moneyAccount, noteTransactions } from '../settling/loan.book.ts'
import { loan } from '../loan.resource.ts'

/** Refunds of a loan: those that were paid, and all that were not rejected. */
export const refundsOf = async (ctx: Ctx, loanId: string): Promise<Refunds> => (await refundsOfAll(ctx, [loanId])).get(loanId) ?? noRefunds

export interface Refunds {
  confirmed: Decimal
  live: Decimal
}
export const noRefunds: Refunds = { confirmed: zero, live: zero }

/** Those of several loans, by loan; a loan without any is left out. */
export async function refundsOfAll(ctx: Ctx, loanIds: readonly string[]): Promise<Map<string, Refunds>> {
  const sums = await ctx.sql.query<{ loanId: string; confirmed: string; live: string }>(
    prepared(
      sql`
    select "loanId", coalesce(sum("amount") filter (where "status" = 'Confirmed'), 0)::text as confirmed, coalesce(sum("amount"), 0)::text as live from disbursement
    where "companyId" = ${ctx.company.id}::uuid and "loanId" = any(${[...loanIds]}::uuid[]) and "kind" = 'refund' and "status" <> 'Rejected' and "deletedAt" is null group by 1`,
      'write',
    ),
  )
  return new Map(sums.map(({ loanId, confirmed, live }) => [loanId, { confirmed: new Decimal(confirmed), live: new Decimal(live) }]))
}

/** What may be refunded of a loan: what is overpaid and on no way yet. INVALID where it is less than `amount`; without an amount: all of it. */
export async function refundable(ctx: Ctx, loanId: string, amount: string | null): Promise<string> {
  const account = await lockLoan(ctx, loanId)
  const { overpaid } = await ctx.sql.one<{ overpaid: string }>(
    sql`select "overpaid"::text from loan where "companyId" = ${ctx.company.id}::uuid and "id" = ${loanId}::uuid`,
  )
  const { confirmed, live } = await refundsOf(ctx, loanId)
  const left = new Decimal(overpaid).minus(live.minus(confirmed))
  if ((account?.status !== 'Overpaid' && account?.status !== 'Written off') || !left.gt(0))
    return fail('INVALID', { fields: [{ field: 'loanId', message: 'has nothing to refund' }] })
  if (amount !== null && new Decimal(amount).gt(left))
    fail('INVALID', { fields: [{ field: 'amount', message: `may be ${left.toFixed(2)} at most` }] })
  return amount ?? left.toFixed(2)
}

/** What follows a confirmed refund: it is booked, and the loan is overpaid by less. */
export async function payRefund(ctx: Ctx, { id, record }: Moved): Promise<void> {
  const [loanId, paidOn, amount] = [String(record['loanId']), String(record['paidOn'] ?? today(ctx)), String(record['amount'])]
  if (paidOn > today(ctx)) fail('INVALID', { fields: [{ field: 'paidOn', message: 'lies in the future' }] })
  const account = (await lockLoan(ctx, loanId)) ?? fail('NOT_FOUND')
  if (account.disbursedOn !== null && paidOn < account.disbursedOn)
    fail('INVALID', { fields: [{ field: 'paidOn', message: `is before the loan was paid out (${account.disbursedOn})` }] })
  const [entryId] = await post(ctx, [
    {
      key: `refund:${id}`,
      kind: 'refund',
      tenantId: account.tenantId,
      valueOn: paidOn,
      text: `Refund of loan L-${String(account.number).padStart(6, '0')}`,
      loanId,
      postings: [
        { account: 'overpayments', amount },
        { account: moneyAccount(String(record['channel'])), amount: new Decimal(amount).negated() },
      ],
    },
  ])
  if (!entryId) return fail('ILLEGAL_TRANSITION', { message: 'This refund is booked already.' })
  const overpaid = new Decimal(amount).negated().toFixed(2)
  await noteTransactions(ctx, { loanId, bookedOn: today(ctx) }, [{ entryId, kind: 'refund', valueOn: paidOn, changes: { overpaid } }])
  const left = await ctx.sql.one<{ overpaid: string }>(
    sql`select ("overpaid" - ${amount}::numeric)::text as overpaid from loan where "companyId" = ${ctx.company.id}::uuid and "id" = ${loanId}::uuid`,
  )
  // A written-off loan stays one.
  const isOver = account.status === 'Overpaid' && new Decimal(left.overpaid).isZero()
  await writeRecords(ctx, loan, [
    {
      kind: 'update',
      id: loanId,
      input: { overpaid: left.overpaid, ...(isOver ? { status: 'Closed' } : {}) },
      ...(isOver ? { move: { field: 'status', name: 'close', asked: {} } } : {}),
    },
  ])
}
