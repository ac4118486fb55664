import { sql } from '@outpost/platform/db/sql'
import { Decimal, zero } from '@outpost/rules/money'
import type { Ctx } from '../../../kernel/types.ts'
import { post, today, type NewEntry, type Purpose } from '../../ledger/index.ts'
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
export async function moveBalancesToBranch(ctx: Ctx, account: Pick<LockedLoan, 'id' | 'number' | 'tenantId'>): Promise<void> {
  const stray = await ctx.sql.query<Stray>(sql`
    select l."tenantId", a."purpose", sum(l."debit" - l."credit")::text as balance
    from ledger_line l join ledger_account a on a."companyId" = l."companyId" and a."id" = l."accountId"
    where l."companyId" = ${ctx.company.id}::uuid and l."loanId" = ${account.id}::uuid and l."tenantId" <> ${account.tenantId}::uuid and a."purpose" = any(${[...ownAccounts]}::text[])
    group by 1, 2 having sum(l."debit" - l."credit") <> 0 order by 1, 2`)
  await moveBetween(
    ctx,
    { what: `Balances of loan L-${String(account.number).padStart(6, '0')}`, of: `loan ${account.id}`, loanId: account.id },
    { to: account.tenantId, stray },
  )
}

interface Owner {
  /** What the entries say is moved. */
  what: string
  /** Begins their keys. */
  of: string
  loanId?: string
  paymentId?: string
}

/** Moves balances into a branch: an entry in each of the two, which the clearing account between branches balances. */
async function moveBetween(ctx: Ctx, owner: Owner, { to, stray }: { to: string; stray: readonly Stray[] }): Promise<void> {
  if (stray.length === 0) return
  const names = await branchNames(ctx, [to, ...stray.map(({ tenantId }) => tenantId)])
  const nameOf = (id: string) => names.get(id) ?? '–'
  const entries = [...Map.groupBy(stray, ({ tenantId }) => tenantId)].flatMap(([from, balances]) => [
    entryOf(owner, { tenantId: from, text: `to ${nameOf(to)}`, balances, sign: -1 }),
    entryOf(owner, { tenantId: to, text: `from ${nameOf(from)}`, balances, sign: 1 }),
  ])
  await post(
    ctx,
    entries.map((entry) => ({ ...entry, valueOn: today(ctx) })),
  )
}

/**
 * Moves what payments have in suspense in other branches into the branch where each is: money that waits in one branch and is given to a loan of another is owed by
 * the first to the second. Where the money came in stays as it was booked. Running it twice books nothing. The caller holds the locks of the payments.
 */
export async function moveSuspenseToBranch(ctx: Ctx, paymentIds: readonly string[]): Promise<void> {
  const stray = await ctx.sql.query<Stray & { id: string; number: number; to: string }>(sql`
    select p."id", p."number", p."tenantId" as "to", l."tenantId", a."purpose", sum(l."debit" - l."credit")::text as balance
    from payment p join ledger_entry e on e."companyId" = p."companyId" and e."paymentId" = p."id"
      join ledger_line l on l."companyId" = e."companyId" and l."entryId" = e."id"
      join ledger_account a on a."companyId" = l."companyId" and a."id" = l."accountId" and a."purpose" = 'suspense'
    where p."companyId" = ${ctx.company.id}::uuid and p."id" = any(${[...paymentIds]}::uuid[]) and l."tenantId" <> p."tenantId"
    group by 1, 2, 3, 4, 5 having sum(l."debit" - l."credit") <> 0 order by 1, 4`)
  for (const own of Map.groupBy(stray, ({ id }) => id).values()) {
    const [{ id, number, to } = { id: '', number: 0, to: '' }] = own
    const what = `Payment R-${String(number).padStart(6, '0')} in suspense`
    await moveBetween(ctx, { what, of: `payment ${id}`, paymentId: id }, { to, stray: own })
  }
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
function entryOf({ what, of, ...owner }: Owner, { tenantId, text, balances, sign }: Half): Omit<NewEntry, 'valueOn'> {
  const postings = balances.map(({ purpose, balance }) => ({ account: purpose, amount: new Decimal(balance).times(sign) }))
  const sum = postings.reduce((total, { amount }) => total.plus(amount), zero)
  return {
    key: `transfer:${of}:${crypto.randomUUID()}`,
    kind: 'transfer',
    tenantId,
    text: `${what} ${text}`,
    ...owner,
    postings: [...postings, { account: 'interBranch', amount: sum.negated() }],
  }
}
