import { sql } from '@outpost/platform/db/sql'
import { replay, openAmount, type Allocation, type PenaltyCharge, type Replayed } from '@outpost/rules/lending/replay'
import { Decimal, moneyText, zero } from '@outpost/rules/money'
import { fail } from '@outpost/contract/errors'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import type { Ctx } from '../../kernel/types.ts'
import { post, reverse, today, type NewEntry } from '../ledger/index.ts'
import { accrue } from './loan.accrue.ts'
import {
  accountOf,
  instalmentsOf,
  lockLoan,
  moneyAccount,
  noteTransactions,
  paymentsOf,
  takeBack,
  type LockedLoan,
  type NewTransaction,
  type StoredPayment,
} from './loan.book.ts'
import { gatherInBranch } from './loan.branches.ts'
import { refundsOf } from './payouts/disbursement.refund.ts'
import { loan } from './loan.resource.ts'

interface Line {
  number: number
  part: Allocation['part'] | 'recovery'
  amount: Decimal
}

/**
 * Brings ledger, schedule and loan in line with the payments that count: replays the loan and books the difference only. An allocation that is different
 * now is taken back by a contra entry and booked anew; nothing is changed. Running it twice books nothing. In the caller's transaction; locks the loan.
 */
export async function settle(ctx: Ctx, loanId: string, locked?: LockedLoan): Promise<void> {
  const account = locked ?? (await lockLoan(ctx, loanId)) ?? fail('NOT_FOUND')
  if (account.disbursedOn === null) return
  const [instalments, payments] = [await instalmentsOf(ctx, loanId), await paymentsOf(ctx, loanId)]
  const day = today(ctx)
  const asOf = account.writtenOffOn !== null && account.writtenOffOn < day ? account.writtenOffOn : day
  const replayed = replay({ terms: account.terms, instalments, payments: payments.filter(({ kind }) => kind === 'repayment'), asOf })
  const withdrawn = [
    await bookPenalties(ctx, account, replayed.penalties),
    await bookPayments(ctx, account, payments, replayed.allocations),
  ]
  // What is taken back is taken back where it was booked; what that leaves there of a loan that has moved on follows it.
  if (withdrawn.some((is) => is)) await gatherInBranch(ctx, account)
  if (account.writtenOffOn !== null) return
  await storeInstalments(ctx, loanId, replayed)
  await storeLoan(ctx, account, replayed, payments)
}

/** Allocations that are stored and those that should be, payment by payment. True when something was taken back. */
async function bookPayments(
  ctx: Ctx,
  account: LockedLoan,
  payments: readonly StoredPayment[],
  wanted: readonly Allocation[],
): Promise<boolean> {
  const stored = await ctx.sql.query<{ paymentId: string; number: number; part: Line['part']; amount: string; entryId: string }>(sql`
    select "paymentId", "number", "part", "amount"::text, "entryId" from payment_allocation
    where "companyId" = ${ctx.company.id}::uuid and "loanId" = ${account.id}::uuid and "supersededAt" is null`)
  const before = Map.groupBy(stored, ({ paymentId }) => paymentId)
  const after = Map.groupBy(wanted, ({ paymentId }) => paymentId)
  const linesOf = ({ id, kind, amount }: StoredPayment): Line[] =>
    kind === 'recovery' ? [{ number: 0, part: 'recovery', amount: new Decimal(amount) }] : (after.get(id) ?? [])
  const changed = payments.filter((payment) => fingerprint(before.get(payment.id) ?? []) !== fingerprint(linesOf(payment)))
  const counting = new Set(payments.map(({ id }) => id))
  const gone = [...before.keys()].filter((id) => !counting.has(id))
  const outdated = [...gone, ...changed.map(({ id }) => id)].flatMap((id) => before.get(id) ?? [])
  const places = await withdraw(ctx, [...new Set(outdated.map(({ entryId }) => entryId))])
  await allocate(
    ctx,
    account,
    changed.map((payment) => ({ payment, lines: linesOf(payment), tenantId: places.get(payment.id) ?? account.tenantId })),
  )
  return outdated.length > 0
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
  payment: StoredPayment
  lines: readonly Line[]
  /** The branch it is booked in. */
  tenantId: string
}

async function allocate(ctx: Ctx, account: LockedLoan, made: readonly Booking[]): Promise<void> {
  if (made.length === 0) return
  const booked = await ctx.sql.query<{ paymentId: string; count: number }>(sql`
    select "paymentId", count(*)::int as count from ledger_entry where "companyId" = ${ctx.company.id}::uuid and "paymentId" = any(${made.map(({ payment }) => payment.id)}::uuid[]) group by 1`)
  const counts = new Map(booked.map(({ paymentId, count }) => [paymentId, count]))
  const ids = await post(
    ctx,
    made.map((one) => entryOf(account, { ...one, turn: counts.get(one.payment.id) ?? 0 })),
  )
  const done = made.map((one, index) => ({ ...one, entryId: ids[index] ?? failed(one.payment.id) }))
  await noteTransactions(
    ctx,
    { loanId: account.id, bookedOn: today(ctx) },
    done.map(({ payment, lines, entryId }): NewTransaction => ({
      entryId,
      kind: payment.kind === 'recovery' ? 'recovery' : 'payment',
      valueOn: payment.on,
      paymentId: payment.id,
      changes: changesOf(lines),
    })),
  )
  const rows = done.flatMap(({ payment, lines, entryId }) =>
    lines.map(({ number, part, amount }) => ({ paymentId: payment.id, number, part, amount: moneyText(amount), entryId })),
  )
  await ctx.sql.exec(sql`
    insert into payment_allocation ("companyId", "id", "paymentId", "loanId", "number", "part", "amount", "entryId")
    select ${ctx.company.id}::uuid, uuidv7(), "paymentId", ${account.id}::uuid, "number", "part", "amount", "entryId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g("paymentId" uuid, "number" int, "part" text, "amount" numeric, "entryId" uuid)`)
}

const failed = (id: string): never => {
  throw new Error(`the payment ${id} was booked by somebody else under a locked loan`)
}

function entryOf(account: LockedLoan, { payment, lines, tenantId, turn }: Booking & { turn: number }): NewEntry {
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

/** Penalties that are charged and those that should be: what a payment captured late shows to be undue is taken back. True when something was. */
async function bookPenalties(ctx: Ctx, account: LockedLoan, wanted: readonly PenaltyCharge[]): Promise<boolean> {
  const stored = await ctx.sql.query<{ id: string; number: number; period: number; amount: string; entryId: string }>(sql`
    select "id", "number", "period", "amount"::text, "entryId" from loan_penalty where "companyId" = ${ctx.company.id}::uuid and "loanId" = ${account.id}::uuid and "cancelledAt" is null`)
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
      entryId: entryId ?? failed(account.id),
      kind: 'penalty',
      valueOn: on,
      changes: { penalty: amount },
    })),
  )
}

async function storeInstalments(ctx: Ctx, loanId: string, { instalments }: Replayed): Promise<void> {
  const rows = instalments.map(({ number, paid, due, paidOn }) => ({
    number,
    paidOn,
    penalty: moneyText(due.penalty),
    ...Object.fromEntries(Object.entries(paid).map(([part, amount]) => [`${part}Paid`, moneyText(amount)])),
  }))
  await ctx.sql.exec(sql`
    update loan_instalment i set "principalPaid" = g."principalPaid", "interestPaid" = g."interestPaid", "feePaid" = g."feePaid", "insurancePaid" = g."insurancePaid",
      "penalty" = g."penalty", "penaltyPaid" = g."penaltyPaid", "paidOn" = g."paidOn"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g("number" int, "paidOn" date, "penalty" numeric, "principalPaid" numeric, "interestPaid" numeric,
      "feePaid" numeric, "insurancePaid" numeric, "penaltyPaid" numeric)
    where i."companyId" = ${ctx.company.id}::uuid and i."loanId" = ${loanId}::uuid and i."number" = g."number"
      and (i."principalPaid", i."interestPaid", i."feePaid", i."insurancePaid", i."penalty", i."penaltyPaid", i."paidOn")
        is distinct from (g."principalPaid", g."interestPaid", g."feePaid", g."insurancePaid", g."penalty", g."penaltyPaid", g."paidOn")`)
}

/** What is owed, and the status that follows from it. */
async function storeLoan(
  ctx: Ctx,
  account: LockedLoan,
  { instalments, overpaid }: Replayed,
  payments: readonly StoredPayment[],
): Promise<void> {
  const { confirmed, live } = await refundsOf(ctx, account.id)
  if (live.gt(overpaid))
    fail('ILLEGAL_TRANSITION', {
      message: `What was overpaid is refunded, or on its way: ${moneyText(live)} to the client. Reject that refund first.`,
    })
  const left = overpaid.minus(confirmed)
  const owed = (...parts: Parameters<typeof openAmount>[1] & {}) =>
    moneyText(instalments.reduce((sum, row) => sum.plus(openAmount(row, parts)), zero))
  const oldest = instalments.find((row) => openAmount(row).gt(0))
  const status = oldest ? 'Active' : left.gt(0) ? 'Overpaid' : 'Closed'
  await writeRecords(ctx, loan, [
    {
      kind: 'update',
      id: account.id,
      input: {
        principalOwed: owed('principal'),
        interestOwed: owed('interest'),
        feesOwed: owed('fee', 'insurance'),
        penaltiesOwed: owed('penalty'),
        overpaid: moneyText(left),
        unpaidSince: oldest?.dueOn ?? null,
        closedOn: oldest ? null : (payments.at(-1)?.on ?? today(ctx)),
        ...(status === account.status ? {} : { status }),
      },
      ...(status === account.status ? {} : { move: { field: 'status', name: moveTo[status], asked: {} } }),
    },
  ])
  // What is paid before its time was earned by then, and is not earned any more when the payment is taken back.
  if (status !== account.status) await accrue(ctx, { loanId: account.id })
}
const moveTo = { Active: 'reopen', Overpaid: 'overpay', Closed: 'close' } as const
