import { defineError, fail, Failure } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { Decimal, moneyText } from '@outpost/rules/money'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import { getRecord, type WireRecord } from '../../../kernel/resource/records.ts'
import type { Verdict } from '../../../kernel/resource/writing.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { post, today } from '../../ledger/index.ts'
import { settleByQuotes } from '../changes/quote.settle.ts'
import { lockLoan, lockLoans, moneyAccount, type LockedLoan } from '../settling/loan.book.ts'
import { settleAll } from '../settling/loan.settle.ts'
import { payment } from './payment.resource.ts'
import { findTwins, lockTwins, sayingsOf, type Cleaned, type NewPayment, type Twin } from './payment.twins.ts'
import { planReceipts } from './receipt.ts'

export const referenceTaken = defineError('PAYMENT_REFERENCE_TAKEN', {
  status: 409,
  message: 'A payment with this reference was captured already, for another loan or amount.',
})

/** What became of money that was told of: the payment it is, or why it is none. */
export type Captured = { id: string; isNew: boolean; failure?: undefined } | { failure: Failure }

/**
 * Captures money that came in, in the running transaction. The same money said again (by its Id, or by its reference at its provider) is the payment that is
 * there; said differently it is refused (PAYMENT_REFERENCE_TAKEN). Without a loan it waits in suspense.
 */
export async function recordPayment(ctx: Ctx, given: NewPayment): Promise<{ record: WireRecord; isNew: boolean }> {
  const [made] = await recordPayments(ctx, [given])
  if (made === undefined || made.failure) throw made?.failure ?? new Error('the payment was captured and is not given back')
  return { record: await getRecord(ctx, payment, made.id), isNew: made.isNew }
}

/**
 * Captures many at once, with as many statements as for one; a verdict for each, in order. What is refused has written nothing. All locks are taken in one
 * order: references, then loans.
 */
export async function recordPayments(ctx: Ctx, given: readonly NewPayment[]): Promise<Captured[]> {
  const captured = new Map<NewPayment, Captured>()
  const nothing = new Failure('INVALID', { fields: [{ field: 'amount', message: 'must be more than 0' }] })
  for (const one of given) if (!(Number(one.amount) > 0)) captured.set(one, { failure: nothing })
  let left = given.filter((one) => !captured.has(one)).map(cleaned)
  await lockTwins(ctx, left)
  for (let turn = 0; left.length > 0; turn += 1) {
    const [round, rest] = nextRound(left)
    if (turn === 0 && rest.length > 0) await lockLoans(ctx, loansOf(left))
    for (const [one, verdict] of await bookRound(ctx, round)) captured.set(one.given, verdict)
    left = rest
  }
  return given.map((one) => captured.get(one) ?? missing())
}
const missing = (): never => {
  throw new Error('a payment was given and has no verdict')
}

function cleaned(given: NewPayment): Cleaned {
  const { provider = 'manual', providerReference, isFact: _, ...input } = given
  return { given, provider, providerReference: providerReference?.trim() || null, input }
}

const loansOf = (payments: readonly Cleaned[]) => payments.flatMap(({ input }) => input.loanId ?? [])
/** Payments of which no two say the same or are for the same loan: what the first does counts for the second. */
function nextRound(left: readonly Cleaned[]): [Cleaned[], Cleaned[]] {
  const taken = new Set<string>()
  const [round, rest]: [Cleaned[], Cleaned[]] = [[], []]
  for (const one of left) {
    const keys = [...sayingsOf(one), ...(one.input.loanId ? [`loan ${one.input.loanId.toLowerCase()}`] : [])]
    const isFree = keys.every((key) => !taken.has(key))
    for (const key of keys) taken.add(key)
    if (isFree) round.push(one)
    else rest.push(one)
  }
  return [round, rest]
}

async function bookRound(ctx: Ctx, round: readonly Cleaned[]): Promise<Map<Cleaned, Captured>> {
  const verdicts = new Map<Cleaned, Captured>()
  const twins = await findTwins(ctx, round)
  const fresh: { one: Cleaned; account?: LockedLoan }[] = []
  const isNew = round.filter((one) => !twins.has(one))
  const accounts = await lockLoans(ctx, loansOf(isNew))
  for (const one of round) {
    const twin = twins.get(one)
    if (twin) verdicts.set(one, isSame(twin, one.given) ? { id: twin.id, isNew: false } : { failure: new Failure(referenceTaken) })
    else {
      const account = one.input.loanId ? accounts.get(one.input.loanId.toLowerCase()) : undefined
      const failure = whyNot(ctx, one.input, account)
      if (failure) verdicts.set(one, { failure })
      else fresh.push(account ? { one, account } : { one })
    }
  }
  for (const [place, { id }] of (await create(ctx, fresh)).entries()) {
    const { one } = fresh[place] ?? missing()
    verdicts.set(one, { id, isNew: true })
  }
  return verdicts
}

/** Writes payments and books them: on their loans, or in suspense. */
async function create(ctx: Ctx, fresh: readonly { one: Cleaned; account?: LockedLoan }[]): Promise<Verdict[]> {
  const made = await writeRecords(
    ctx,
    payment,
    fresh.map(({ one: { input, provider, providerReference }, account }) => ({
      kind: 'create' as const,
      input: { ...input, providerReference },
      columns: {
        provider,
        clientId: account?.clientId ?? null,
        kind: account?.status === 'Written off' ? 'recovery' : 'repayment',
        status: account ? 'Posted' : 'Suspense',
        viaSuspense: !account,
        tenantId: account?.tenantId ?? ctx.tenant.id,
      },
    })),
  )
  const idOf = (place: number) => (made[place] ?? missing()).id
  const booked = fresh.flatMap(({ account }, place) => (account ? [{ account, paymentId: idOf(place) }] : []))
  await settleByQuotes(ctx, booked)
  await settleAll(
    ctx,
    booked.map(({ account }) => account),
  )
  await bookSuspense(
    ctx,
    fresh.flatMap(({ account }, place) => (account ? [] : [idOf(place)])),
  )
  await planReceipts(
    ctx,
    booked.map(({ paymentId }) => paymentId),
  )
  return made
}

const isSame = (twin: Twin, { loanId, amount, isFact }: NewPayment) =>
  moneyText(amount) === moneyText(twin.amount) && (isFact === true || (loanId ?? null) === twin.loanId)

/** The loan of a payment, locked. INVALID naming the field where it takes none, or not on that day. */
export async function payableLoan(ctx: Ctx, loanId: string, paidOn: string): Promise<LockedLoan> {
  const account = await lockLoan(ctx, loanId)
  const failure = whyNot(ctx, { loanId, paidOn }, account)
  if (failure) throw failure
  return account ?? fail('NOT_FOUND')
}

/** Why a payment cannot be booked: naming the field where its loan takes none, or not on that day. */
function whyNot(ctx: Ctx, { loanId, paidOn }: Pick<NewPayment, 'loanId' | 'paidOn'>, account: LockedLoan | undefined): Failure | undefined {
  const refuse = (field: string, message: string) => new Failure('INVALID', { fields: [{ field, message }] })
  if (loanId && !account) return refuse('loanId', 'does not exist')
  if (account?.disbursedOn === null) return refuse('loanId', 'is not paid out yet')
  if (paidOn > today(ctx)) return refuse('paidOn', 'lies in the future')
  if (account?.disbursedOn != null && paidOn < account.disbursedOn)
    return refuse('paidOn', `is before the loan was paid out (${account.disbursedOn})`)
  return undefined
}

/** Books money whose owner nobody knows yet. */
export async function bookSuspense(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await ctx.sql.query<Waiting>(sql`
    select p."id", p."amount"::text, p."method", to_char(p."paidOn", 'YYYY-MM-DD') as "paidOn", p."number", p."tenantId",
      (select count(*)::int from ledger_entry e where e."companyId" = p."companyId" and e."paymentId" = p."id") as count
    from payment p where p."companyId" = ${ctx.company.id}::uuid and p."id" = any(${[...ids]}::uuid[]) order by p."number"`)
  await post(
    ctx,
    rows.map((row) => ({
      key: `suspense:${row.id}:${row.count}`,
      kind: 'suspense',
      tenantId: row.tenantId,
      valueOn: row.paidOn,
      text: `Payment R-${String(row.number).padStart(6, '0')} in suspense`,
      paymentId: row.id,
      postings: [
        { account: moneyAccount(row.method), amount: row.amount },
        { account: 'suspense', amount: new Decimal(row.amount).negated() },
      ],
    })),
  )
}

interface Waiting {
  id: string
  amount: string
  method: string
  paidOn: string
  number: number
  tenantId: string
  /** How many entries it has. */
  count: number
}
