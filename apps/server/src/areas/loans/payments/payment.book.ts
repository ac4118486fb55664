import { defineError, fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { Decimal, moneyText } from '@outpost/rules/money'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import { createRecord, getRecord, type WireRecord } from '../../../kernel/resource/records.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { post, reverse, today } from '../../ledger/index.ts'
import { lockLoan, moneyAccount, type LockedLoan } from '../loan.book.ts'
import { settle } from '../loan.settle.ts'
import { payment } from './payment.resource.ts'
import { settleByQuote, undoSettlement } from '../changes/quote.settle.ts'

export const referenceTaken = defineError('PAYMENT_REFERENCE_TAKEN', {
  status: 409,
  message: 'A payment with this reference was captured already, for another loan or amount.',
})

export interface NewPayment {
  /** A provider says so: where the money lies by now is not its business, only the amount must be the same. */
  isFact?: boolean
  Id?: string | undefined
  loanId?: string | null | undefined
  amount: number | string
  method: string
  paidOn: string
  provider?: string
  providerReference?: string | null | undefined
  payerName?: string | null | undefined
  payerPhone?: string | null | undefined
  billReference?: string | null | undefined
  note?: string | null | undefined
}

/**
 * Captures money that came in, in the running transaction. The same money said again (by its Id, or by its reference at its provider) is the payment that is
 * there; said differently it is refused (PAYMENT_REFERENCE_TAKEN). Without a loan it waits in suspense.
 */
export async function recordPayment(ctx: Ctx, given: NewPayment): Promise<{ record: WireRecord; isNew: boolean }> {
  if (!(Number(given.amount) > 0)) fail('INVALID', { fields: [{ field: 'amount', message: 'must be more than 0' }] })
  const { provider = 'manual', providerReference: raw, isFact: _, ...input } = given
  const providerReference = raw?.trim() || null
  await waitForTwins(ctx, [given.Id ? `id ${given.Id}` : '', providerReference ? `${provider} ${providerReference.toUpperCase()}` : ''])
  const twin = await findTwin(ctx, { id: given.Id, provider, providerReference })
  if (twin) return { record: await sameOrRefuse(ctx, twin, given), isNew: false }
  const account = input.loanId ? await payableLoan(ctx, input.loanId, input.paidOn) : undefined
  if (!account && input.paidOn > today(ctx)) fail('INVALID', { fields: [{ field: 'paidOn', message: 'lies in the future' }] })
  const { Id } = await createRecord(
    ctx,
    payment,
    { ...input, providerReference },
    {
      provider,
      clientId: account?.clientId ?? null,
      kind: account?.status === 'Written off' ? 'recovery' : 'repayment',
      status: account ? 'Posted' : 'Suspense',
      viaSuspense: !account,
      tenantId: account?.tenantId ?? ctx.tenant.id,
    },
  )
  if (account) {
    await settleByQuote(ctx, account, Id)
    await settle(ctx, account.id, account)
  } else await bookSuspense(ctx, Id)
  return { record: await getRecord(ctx, payment, Id), isNew: true }
}

/** Those who say the same at once wait for each other; locks are taken in one order. */
async function waitForTwins(ctx: Ctx, keys: readonly string[]): Promise<void> {
  for (const key of keys.filter((one) => one !== '').toSorted())
    await ctx.sql.exec(sql`select pg_advisory_xact_lock(hashtextextended(${`payment ${ctx.company.id} ${key}`}, 0))`)
}

interface Twin {
  id: string
  loanId: string | null
  amount: string
  paidOn: string
}

const findTwin = (
  ctx: Ctx,
  { id, provider, providerReference }: { id: string | undefined; provider: string; providerReference: string | null },
) =>
  ctx.sql.maybe<Twin>(sql`
    select "id", "loanId", "amount"::text, to_char("paidOn", 'YYYY-MM-DD') as "paidOn" from payment where "companyId" = ${ctx.company.id}::uuid
      and ("id" = ${id ?? null}::uuid or "status" <> 'Reversed' and "provider" = ${provider} and upper("providerReference") = upper(${providerReference}::text)) order by "id" = ${id ?? null}::uuid desc limit 1`)

async function sameOrRefuse(ctx: Ctx, twin: Twin, { loanId, amount, isFact }: NewPayment): Promise<WireRecord> {
  const isSame = moneyText(amount) === moneyText(twin.amount) && (isFact === true || (loanId ?? null) === twin.loanId)
  return isSame ? getRecord(ctx, payment, twin.id) : fail(referenceTaken)
}

/** The loan of a payment, locked. INVALID naming the field where it takes none, or not on that day. */
export async function payableLoan(ctx: Ctx, loanId: string, paidOn: string): Promise<LockedLoan> {
  const account = await lockLoan(ctx, loanId)
  const refuse = (field: string, message: string): never => fail('INVALID', { fields: [{ field, message }] })
  if (!account) return refuse('loanId', 'does not exist')
  if (account.disbursedOn === null) return refuse('loanId', 'is not paid out yet')
  if (paidOn > today(ctx)) refuse('paidOn', 'lies in the future')
  if (paidOn < account.disbursedOn) refuse('paidOn', `is before the loan was paid out (${account.disbursedOn})`)
  return account
}

/** Books money whose owner nobody knows yet. */
export async function bookSuspense(ctx: Ctx, id: string): Promise<void> {
  const row = await ctx.sql.one<{ amount: string; method: string; paidOn: string; number: number; tenantId: string; count: number }>(sql`
    select p."amount"::text, p."method", to_char(p."paidOn", 'YYYY-MM-DD') as "paidOn", p."number", p."tenantId",
      (select count(*)::int from ledger_entry e where e."companyId" = p."companyId" and e."paymentId" = p."id") as count
    from payment p where p."companyId" = ${ctx.company.id}::uuid and p."id" = ${id}::uuid`)
  await post(ctx, [
    {
      key: `suspense:${id}:${row.count}`,
      kind: 'suspense',
      tenantId: row.tenantId,
      valueOn: row.paidOn,
      text: `Payment R-${String(row.number).padStart(6, '0')} in suspense`,
      paymentId: id,
      postings: [
        { account: moneyAccount(row.method), amount: row.amount },
        { account: 'suspense', amount: new Decimal(row.amount).negated() },
      ],
    },
  ])
}

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
  await settleByQuote(ctx, account, id)
  await settle(ctx, loanId, account)
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
  return ctx.sql.one<StoredPaymentRow>(sql`
    select "loanId", to_char("paidOn", 'YYYY-MM-DD') as "paidOn", "kind", "status", "viaSuspense" from payment
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid for update`)
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
  if (!viaSuspense) await bookSuspense(ctx, id)
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
  return getRecord(ctx, payment, id)
}
