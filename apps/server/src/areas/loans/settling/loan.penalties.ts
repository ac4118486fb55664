import { prepared } from '@outpost/platform/db/prepared'
import { sql } from '@outpost/platform/db/sql'
import type { PenaltyCharge } from '@outpost/rules/lending/replay'
import { moneyText, type Decimal } from '@outpost/rules/money'
import type { Ctx } from '../../../kernel/types.ts'
import { post, reverse, today } from '../../ledger/index.ts'
import { noteTransactions, takeBack, unbooked, type LockedLoan, type ReplayedLoan, type StoredPenalty } from './loan.book.ts'

/** Penalties that are charged and those that should be: what a payment captured late shows to be undue is taken back. Gives the loans of which something was. */
export async function bookPenalties(ctx: Ctx, replays: readonly ReplayedLoan[]): Promise<Set<string>> {
  const withdrawn = new Set<string>()
  for (const { account, stored, replayed } of replays)
    if (await bookThose(ctx, account, { stored: stored.penalties, wanted: replayed.penalties })) withdrawn.add(account.id)
  return withdrawn
}

/** Penalties of loans that count. */
export const storedPenalties = (ctx: Ctx, loanIds: readonly string[]): Promise<StoredPenalty[]> =>
  ctx.sql.query<StoredPenalty>(
    prepared(
      sql`
    select "loanId", "id", "number", "period", "amount"::text, "entryId" from loan_penalty
    where "companyId" = ${ctx.company.id}::uuid and "loanId" = any(${[...loanIds]}::uuid[]) and "cancelledAt" is null`,
      'write',
    ),
  )

async function bookThose(
  ctx: Ctx,
  account: LockedLoan,
  { stored, wanted }: { stored: readonly StoredPenalty[]; wanted: readonly PenaltyCharge[] },
): Promise<boolean> {
  const keyOf = ({ number, period, amount }: { number: number; period: number; amount: Decimal | string }) =>
    `${number} ${period} ${moneyText(amount)}`
  const [known, due] = [new Set(stored.map(keyOf)), new Set(wanted.map(keyOf))]
  const undue = stored.filter((one) => !due.has(keyOf(one)))
  const fresh = wanted.filter((one) => !known.has(keyOf(one)))
  if (undue.length > 0) {
    await takeBack(
      ctx,
      await reverse(
        ctx,
        undue.map(({ entryId }) => entryId),
        'Penalty taken back',
      ),
      today(ctx),
    )
    await ctx.sql.exec(
      sql`update loan_penalty set "cancelledAt" = now() where "companyId" = ${ctx.company.id}::uuid and "id" = any(${undue.map(({ id }) => id)}::uuid[])`,
    )
  }
  if (fresh.length > 0) await chargePenalties(ctx, account, fresh)
  return undue.length > 0
}

async function chargePenalties(ctx: Ctx, account: LockedLoan, fresh: readonly PenaltyCharge[]): Promise<void> {
  const { count } = await ctx.sql.one<{ count: number }>(
    sql`select count(*)::int as count from loan_penalty where "companyId" = ${ctx.company.id}::uuid and "loanId" = ${account.id}::uuid`,
  )
  const ids = await post(
    ctx,
    fresh.map(({ number, period, on, amount }, index) => ({
      key: `penalty:${account.id}:${number}:${period}:${count + index}`,
      kind: 'penalty',
      tenantId: account.tenantId,
      valueOn: on,
      text: `Penalty on instalment ${number} of loan L-${String(account.number).padStart(6, '0')}`,
      loanId: account.id,
      postings: [
        { account: 'penaltyReceivable', amount },
        { account: 'penaltyIncome', amount: amount.negated() },
      ],
    })),
  )
  const rows = fresh.map(({ number, period, on, amount }, index) => ({
    number,
    period,
    on,
    amount: moneyText(amount),
    entryId: ids[index],
  }))
  await ctx.sql.exec(sql`
    insert into loan_penalty ("companyId", "id", "loanId", "number", "period", "chargedOn", "amount", "entryId")
    select ${ctx.company.id}::uuid, uuidv7(), ${account.id}::uuid, "number", "period", "on", "amount", "entryId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g("number" int, "period" int, "on" date, "amount" numeric, "entryId" uuid)`)
  await noteTransactions(
    ctx,
    { loanId: account.id, bookedOn: today(ctx) },
    rows.map(({ on, amount, entryId }) => ({
      entryId: entryId ?? unbooked(account.id),
      kind: 'penalty',
      valueOn: on,
      changes: { penalty: amount },
    })),
  )
}
