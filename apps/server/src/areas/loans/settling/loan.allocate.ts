import { prepared } from '@outpost/platform/db/prepared'
import { sql } from '@outpost/platform/db/sql'
import type { Allocation } from '@outpost/rules/lending/replay'
import { Decimal, moneyText, smallest, zero } from '@outpost/rules/money'
import type { Ctx } from '../../../kernel/types.ts'
import { post, reverse, today, type NewEntry } from '../../ledger/index.ts'
import {
  accountOf,
  moneyAccount,
  noteAll,
  takeBack,
  unbooked,
  type LockedLoan,
  type NewTransaction,
  type ReplayedLoan,
  type StoredAllocation,
  type StoredPayment,
} from './loan.book.ts'

interface Line {
  number: number
  part: Allocation['part'] | 'recovery'
  amount: Decimal
}

/** Allocations that are stored and those that should be, payment by payment. Gives the loans of which something was taken back. */
export async function bookPayments(ctx: Ctx, replays: readonly ReplayedLoan[]): Promise<Set<string>> {
  const found = replays.map((one) => ({ account: one.account, ...differenceOf(one) }))
  const places = await withdraw(ctx, [...new Set(found.flatMap(({ outdated }) => outdated.map(({ entryId }) => entryId)))])
  await allocate(
    ctx,
    found.flatMap(({ account, changed }) =>
      changed.map((one): Booking => ({ ...one, account, tenantId: places.get(one.payment.id) ?? account.tenantId })),
    ),
  )
  return new Set(found.filter(({ outdated }) => outdated.length > 0).map(({ account }) => account.id))
}

/** Allocations of loans that count. */
export const storedAllocations = (ctx: Ctx, loanIds: readonly string[]): Promise<StoredAllocation[]> =>
  ctx.sql.query<StoredAllocation>(
    prepared(
      sql`
    select "loanId", "paymentId", "number", "part", "amount"::text, "entryId" from payment_allocation
    where "companyId" = ${ctx.company.id}::uuid and "loanId" = any(${[...loanIds]}::uuid[]) and "supersededAt" is null`,
      'write',
    ),
  )

/** What is stored of a loan and does not hold any more, and the payments that are allocated otherwise now. */
function differenceOf({ account, payments, replayed, stored }: ReplayedLoan) {
  const before = Map.groupBy(stored.allocations, ({ paymentId }) => paymentId)
  const after = Map.groupBy(replayed.allocations, ({ paymentId }) => paymentId)
  const recovered = recoveriesOf(account, payments)
  const linesOf = ({ id }: StoredPayment): readonly Line[] => recovered.get(id) ?? after.get(id) ?? []
  const changed = payments.filter((payment) => fingerprint(before.get(payment.id) ?? []) !== fingerprint(linesOf(payment)))
  const counting = new Set(payments.map(({ id }) => id))
  const gone = [...before.keys()].filter((id) => !counting.has(id))
  return {
    outdated: [...gone, ...changed.map(({ id }) => id)].flatMap((id) => before.get(id) ?? []),
    changed: changed.map((payment) => ({ payment, lines: linesOf(payment) })),
  }
}

/** What clients pay of a written-off loan is a recovery up to what was written off; what is beyond is theirs. */
export function recoveriesOf({ writtenOff }: LockedLoan, payments: readonly StoredPayment[]): Map<string, Line[]> {
  let left = new Decimal(writtenOff)
  return new Map(
    payments
      .filter(({ kind }) => kind === 'recovery')
      .map(({ id, amount }) => {
        const recovery = smallest(left, amount)
        const beyond = new Decimal(amount).minus(recovery)
        left = left.minus(recovery)
        const lines: Line[] = [
          { number: 0, part: 'recovery', amount: recovery },
          { number: 0, part: 'overpaid', amount: beyond },
        ]
        return [id, lines.filter((line) => !line.amount.isZero())]
      }),
  )
}

const fingerprint = (lines: readonly { number: number; part: string; amount: Decimal | string }[]) =>
  lines
    .map(({ number, part, amount }) => `${number} ${part} ${moneyText(amount)}`)
    .toSorted()
    .join()

/** Takes entries of payments back, with their allocations; gives the branch in which each payment was booked: its money is there. */
async function withdraw(ctx: Ctx, entryIds: readonly string[]): Promise<Map<string, string>> {
  if (entryIds.length === 0) return new Map()
  const contra = await reverse(ctx, entryIds, 'Allocation taken back')
  await takeBack(ctx, contra, today(ctx))
  await ctx.sql.exec(sql`
    update payment_allocation set "supersededAt" = now() where "companyId" = ${ctx.company.id}::uuid and "entryId" = any(${[...entryIds]}::uuid[]) and "supersededAt" is null`)
  const booked = await ctx.sql.query<{ paymentId: string; tenantId: string }>(
    sql`select "paymentId", "tenantId" from ledger_entry where "companyId" = ${ctx.company.id}::uuid and "id" = any(${[...entryIds]}::uuid[])`,
  )
  return new Map(booked.map(({ paymentId, tenantId }) => [paymentId, tenantId]))
}

interface Booking {
  account: LockedLoan
  payment: StoredPayment
  lines: readonly Line[]
  /** The branch it is booked in. */
  tenantId: string
}

async function allocate(ctx: Ctx, made: readonly Booking[]): Promise<void> {
  if (made.length === 0) return
  const booked = await ctx.sql.query<{ paymentId: string; count: number }>(
    prepared(
      sql`
    select "paymentId", count(*)::int as count from ledger_entry where "companyId" = ${ctx.company.id}::uuid and "paymentId" = any(${made.map(({ payment }) => payment.id)}::uuid[]) group by 1`,
      'write',
    ),
  )
  const counts = new Map(booked.map(({ paymentId, count }) => [paymentId, count]))
  const ids = await post(
    ctx,
    made.map((one) => entryOf(one, counts.get(one.payment.id) ?? 0)),
  )
  const done = made.map((one, index) => ({ ...one, entryId: ids[index] ?? unbooked(one.payment.id) }))
  const rows = done.flatMap(({ account, payment, lines, entryId }) =>
    lines.map(({ number, part, amount }) => ({
      loanId: account.id,
      paymentId: payment.id,
      number,
      part,
      amount: moneyText(amount),
      entryId,
    })),
  )
  await Promise.all([
    noteAll(
      ctx,
      today(ctx),
      done.map(({ account, payment, lines, entryId }) => ({
        loanId: account.id,
        entryId,
        kind: payment.kind === 'recovery' ? 'recovery' : 'payment',
        valueOn: payment.on,
        paymentId: payment.id,
        changes: changesOf(lines),
      })),
    ),
    ctx.sql.exec(
      prepared(
        sql`
    insert into payment_allocation ("companyId", "id", "paymentId", "loanId", "number", "part", "amount", "entryId")
    select ${ctx.company.id}::uuid, uuidv7(), "paymentId", "loanId", "number", "part", "amount", "entryId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g("loanId" uuid, "paymentId" uuid, "number" int, "part" text, "amount" numeric, "entryId" uuid)`,
        'write',
      ),
    ),
  ])
}

/** `turn`: how often the payment was booked before. */
function entryOf({ account, payment, lines, tenantId }: Booking, turn: number): NewEntry {
  const sums = new Map<Line['part'], Decimal>()
  for (const { part, amount } of lines) sums.set(part, (sums.get(part) ?? zero).plus(amount))
  return {
    key: `payment:${payment.id}:${turn}`,
    kind: payment.kind,
    tenantId,
    valueOn: payment.on,
    text: `Payment R-${String(payment.number).padStart(6, '0')} on loan L-${String(account.number).padStart(6, '0')}`,
    loanId: account.id,
    paymentId: payment.id,
    postings: [
      { account: payment.viaSuspense ? 'suspense' : moneyAccount(payment.method), amount: payment.amount },
      ...[...sums].map(([part, amount]) => ({ account: accountOf[part], amount: amount.negated() })),
    ],
  }
}

function changesOf(lines: readonly Line[]): NewTransaction['changes'] {
  const changes: NewTransaction['changes'] = {}
  for (const { part, amount } of lines) {
    if (part === 'recovery') continue
    const sign = part === 'overpaid' ? 1 : -1
    changes[part] = moneyText(new Decimal(changes[part] ?? 0).plus(amount.times(sign)))
  }
  return changes
}
