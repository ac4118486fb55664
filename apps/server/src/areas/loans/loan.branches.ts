import { sql } from '@outpost/platform/db/sql'
import { Decimal, zero } from '@outpost/rules/money'
import type { Ctx } from '../../kernel/types.ts'
import { post, today, type NewEntry, type Purpose } from '../ledger/index.ts'
import { ownAccounts, type LockedLoan } from './loan.book.ts'

interface Stray {
  tenantId: string
  purpose: Purpose
  balance: string
}

/**
 * Moves what a loan has on its own accounts in other branches into the branch where the loan is: an entry in each of the two, which the clearing account between
 * branches balances. What was booked stays as it was, so a past day keeps its branch. Running it twice books nothing. The caller holds the lock of the loan.
 */
export async function gatherInBranch(ctx: Ctx, account: Pick<LockedLoan, 'id' | 'number' | 'tenantId'>): Promise<void> {
  const stray = await ctx.sql.query<Stray>(sql`
    select l."tenantId", a."purpose", sum(l."debit" - l."credit")::text as balance
    from ledger_line l join ledger_account a on a."companyId" = l."companyId" and a."id" = l."accountId"
    where l."companyId" = ${ctx.company.id}::uuid and l."loanId" = ${account.id}::uuid and l."tenantId" <> ${account.tenantId}::uuid and a."purpose" = any(${[...ownAccounts]}::text[])
    group by 1, 2 having sum(l."debit" - l."credit") <> 0 order by 1, 2`)
  if (stray.length === 0) return
  const names = await branchNames(ctx, [account.tenantId, ...stray.map(({ tenantId }) => tenantId)])
  const nameOf = (id: string) => names.get(id) ?? '–'
  const entries = [...Map.groupBy(stray, ({ tenantId }) => tenantId)].flatMap(([from, balances]) => [
    entryOf(account, { tenantId: from, text: `to ${nameOf(account.tenantId)}`, balances, sign: -1 }),
    entryOf(account, { tenantId: account.tenantId, text: `from ${nameOf(from)}`, balances, sign: 1 }),
  ])
  await post(
    ctx,
    entries.map((entry) => ({ ...entry, valueOn: today(ctx) })),
  )
}

async function branchNames(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.sql.query<{ id: string; name: string }>(
    sql`select "id", "name" from tenant where "companyId" = ${ctx.company.id}::uuid and "id" = any(${[...ids]}::uuid[])`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

interface Half {
  tenantId: string
  /** Where it goes to, or comes from. */
  text: string
  balances: readonly Stray[]
  sign: 1 | -1
}

/** What leaves a branch, or comes into one. */
function entryOf({ id, number }: Pick<LockedLoan, 'id' | 'number'>, { tenantId, text, balances, sign }: Half): Omit<NewEntry, 'valueOn'> {
  const postings = balances.map(({ purpose, balance }) => ({ account: purpose, amount: new Decimal(balance).times(sign) }))
  const sum = postings.reduce((total, { amount }) => total.plus(amount), zero)
  return {
    key: `transfer:${id}:${crypto.randomUUID()}`,
    kind: 'transfer',
    tenantId,
    text: `Balances of loan L-${String(number).padStart(6, '0')} ${text}`,
    loanId: id,
    postings: [...postings, { account: 'interBranch', amount: sum.negated() }],
  }
}
