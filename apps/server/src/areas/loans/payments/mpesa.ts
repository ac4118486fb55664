import type { Failure } from '@outpost/contract/errors'
import { prepared } from '@outpost/platform/db/prepared'
import { sql } from '@outpost/platform/db/sql'
import { Decimal } from '@outpost/rules/money'
import { isIdentifier } from '@outpost/rules/validation'
import { audit } from '../../../kernel/audit.ts'
import { providerRoute, type ProviderAnswer } from '../../../kernel/providers/route.ts'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import { settingOf } from '../../../kernel/settings/read.ts'
import type { Setting } from '../../../kernel/settings/define.ts'
import type { Ctx, Route } from '../../../kernel/types.ts'
import { post, today } from '../../ledger/index.ts'
import { disbursement } from '../payouts/disbursement.resource.ts'
import { moneyAccount } from '../settling/loan.book.ts'
import { dayOfTransTime, readB2c, readC2b, type B2cMessage, type C2bMessage } from './mpesa.messages.ts'
import { recordPayments, referenceTaken, type NewPayment } from './payment.book.ts'

/** The provider whose one connection opens all of its doors. */
export const mpesa = 'mpesa'

export const unknownReferences: Setting = {
  name: 'mpesaRefusesUnknownReferences',
  section: 'credit',
  label: 'M-Pesa: refuse payments whose account number is no loan',
  help: 'At 1 they are refused before the money moves, at 0 they are taken and wait in suspense.',
  unit: '(1 is yes)',
  min: 0,
  max: 1,
  standard: 0,
  level: 'company',
}

const say = (code: string | number, words: string): ProviderAnswer => ({
  type: 'application/json; charset=utf-8',
  text: JSON.stringify({ ResultCode: code, ResultDesc: words }),
})
/** M-Pesa repeats what is not answered with 200: only what may go better later is answered otherwise. */
const refuse = ({ error }: Failure): ProviderAnswer => ({
  ...say('C2B00016', 'Rejected'),
  status: error.status >= 500 ? error.status : error.status === 400 ? 400 : 422,
})

interface KnownLoan {
  id: string
  disbursedOn: string | null
}

/** The number of the loan that a bill reference names, as L-000012, L12 or 12. */
function loanNumber(reference: string): number | undefined {
  const number = /^(?:L-?)?0*(\d{1,9})$/.exec(reference.toUpperCase().replaceAll(/\s/g, ''))?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Loans that bill references name, by number. */
async function loansNamed(ctx: Ctx, references: readonly string[]): Promise<Map<number, KnownLoan>> {
  const numbers = references.flatMap((reference) => loanNumber(reference) ?? [])
  if (numbers.length === 0) return new Map()
  const rows = await ctx.sql.query<KnownLoan & { number: number }>(
    prepared(
      sql`
    select "number", "id", to_char("disbursedOn", 'YYYY-MM-DD') as "disbursedOn" from loan
    where "companyId" = ${ctx.company.id}::uuid and "number" = any(${numbers}::int[]) and "deletedAt" is null and "disbursedOn" is not null`,
      'write',
    ),
  )
  return new Map(rows.map(({ number, ...row }) => [number, row]))
}

/** Before the money moves: taken, unless the company wants no payments whose loan is not known. */
async function validate(ctx: Ctx, message: C2bMessage): Promise<ProviderAnswer> {
  const mayBeUnknown = (await settingOf(ctx, unknownReferences, ctx.company.id)) === 0
  return mayBeUnknown || (await loansNamed(ctx, [message.BillRefNumber])).size > 0
    ? say(0, 'Accepted')
    : say('C2B00012', 'Invalid account number')
}

/** The money is here, whatever it is for: booked on the loan it names, else in suspense. */
async function confirmAll(ctx: Ctx, messages: readonly C2bMessage[]): Promise<ProviderAnswer[]> {
  const loans = await loansNamed(
    ctx,
    messages.map(({ BillRefNumber }) => BillRefNumber),
  )
  await captureAll(
    ctx,
    messages.map((message) => paymentOf(ctx, message, loans.get(loanNumber(message.BillRefNumber) ?? -1))),
  )
  return messages.map(() => say(0, 'Accepted'))
}

function paymentOf(ctx: Ctx, message: C2bMessage, loan: KnownLoan | undefined): NewPayment {
  const day = dayOfTransTime(message.TransTime) ?? today(ctx)
  const paidOn = day > today(ctx) ? today(ctx) : day
  const isPayable = loan?.disbursedOn != null && loan.disbursedOn <= paidOn
  return {
    isFact: true,
    loanId: isPayable ? loan.id : null,
    amount: message.TransAmount,
    method: 'mobileMoney',
    provider: mpesa,
    providerReference: message.TransID,
    paidOn,
    payerName:
      [message.FirstName, message.MiddleName, message.LastName]
        .filter((name) => name !== '')
        .join(' ')
        .slice(0, 120) || null,
    payerPhone: message.MSISDN.slice(0, 25) || null,
    billReference: message.BillRefNumber.slice(0, 60) || null,
  }
}

/** Somebody may have captured a reference by hand with another amount: the money is real all the same, and waits beside it. */
async function captureAll(ctx: Ctx, given: readonly NewPayment[]): Promise<void> {
  const captured = await recordPayments(ctx, given)
  const beside: NewPayment[] = []
  for (const [place, { failure }] of captured.entries()) {
    const one = given[place]
    if (!failure || !one) continue
    if (failure.failure !== referenceTaken.name) throw failure
    beside.push({ ...one, loanId: null, providerReference: `${one.providerReference} (as M-Pesa says)` })
  }
  const failed = (await recordPayments(ctx, beside)).find(({ failure }) => failure)?.failure
  if (failed) throw failed
}

interface Paying {
  id: string
  status: string
  amount: string
  channel: string
  tenantId: string
  providerReference: string | null
}

/** What became of a payout. A success counts even after it had been taken for failed; one too many is booked as money to be asked back. */
async function payoutResult(ctx: Ctx, message: B2cMessage): Promise<ProviderAnswer> {
  const found = await payingOf(ctx, message)
  if (!found) return say(0, 'Accepted')
  const done = message.ResultCode === 0
  if (!done && found.status === 'Sent')
    await make(ctx, found.id, 'fail', { status: 'Failed' }, { reason: message.ResultDesc || `Code ${message.ResultCode}` })
  if (!done) return say(0, 'Accepted')
  const facts = { providerReference: message.TransactionID || message.ConversationID, paidOn: today(ctx) }
  if (found.status === 'Sent') await make(ctx, found.id, 'confirm', { status: 'Confirmed' }, facts)
  else if (found.status === 'Failed') await make(ctx, found.id, 'confirmLate', { status: 'Confirmed', ...facts }, {})
  else if (found.status !== 'Confirmed' || found.providerReference !== facts.providerReference)
    await bookStray(ctx, found, facts.providerReference)
  return say(0, 'Accepted')
}

function payingOf(ctx: Ctx, { OriginatorConversationID }: B2cMessage): Promise<Paying | undefined> {
  const id = OriginatorConversationID.slice(0, 36)
  if (!isIdentifier(id)) return Promise.resolve(undefined)
  return ctx.sql.maybe<Paying>(sql`
    select "id", "status", "amount"::text, "channel", "tenantId", "providerReference" from disbursement
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "deletedAt" is null for update`)
}

const make = (ctx: Ctx, id: string, name: string, input: Record<string, unknown>, asked: Record<string, unknown>) =>
  writeRecords(ctx, disbursement, [{ kind: 'update', id, input, move: { field: 'status', name, asked } }])

/** A payout that nobody asked for any more: the money left all the same. It is booked against suspense, to be asked back. */
async function bookStray(ctx: Ctx, { id, amount, channel, tenantId }: Paying, reference: string): Promise<void> {
  await post(ctx, [
    {
      key: `stray-payout:${id}:${reference}`,
      kind: 'strayPayout',
      tenantId,
      valueOn: today(ctx),
      text: `Payout ${reference} that was not asked for`,
      postings: [
        { account: 'suspense', amount },
        { account: moneyAccount(channel), amount: new Decimal(amount).negated() },
      ],
    },
  ])
  audit(ctx, { action: 'disbursement.stray', objectType: disbursement.one, objectId: id, after: { reference, amount } })
}

/** No answer in time says nothing of the money: it stays sent, and its state has to be asked for. */
async function payoutTimeout(ctx: Ctx, message: B2cMessage): Promise<ProviderAnswer> {
  const found = await payingOf(ctx, message)
  if (found?.status === 'Sent')
    await writeRecords(ctx, disbursement, [
      {
        kind: 'update',
        id: found.id,
        input: { statusReason: 'The provider gave no answer in time: ask for its state before anything else.' },
      },
    ])
  return say(0, 'Accepted')
}

/** M-Pesa calls for all clients of a company from a handful of addresses: 200 a second. */
const callbacksAMinute = 12_000
const door = { proof: { kind: 'address' }, connection: mpesa, refuse } as const

/** The doors that M-Pesa calls: known by its addresses and a key in the path (it signs nothing). */
export const mpesaRoutes: Route[] = [
  providerRoute('mpesa.validation', 'POST', '/hooks/mpesa/validation/:key', {
    ...door,
    read: readC2b,
    idOf: ({ TransID }) => TransID,
    run: validate,
    limit: callbacksAMinute,
  }),
  providerRoute('mpesa.confirmation', 'POST', '/hooks/mpesa/confirmation/:key', {
    ...door,
    read: readC2b,
    idOf: ({ TransID }) => TransID,
    runAll: confirmAll,
    accepted: say(0, 'Accepted'),
    limit: callbacksAMinute,
  }),
  providerRoute('mpesa.payoutResult', 'POST', '/hooks/mpesa/payout-result/:key', {
    ...door,
    read: readB2c,
    idOf: ({ ConversationID, ResultCode }) => `${ConversationID} ${ResultCode}`,
    run: payoutResult,
  }),
  providerRoute('mpesa.payoutTimeout', 'POST', '/hooks/mpesa/payout-timeout/:key', {
    ...door,
    read: readB2c,
    idOf: ({ ConversationID }) => ConversationID,
    run: payoutTimeout,
  }),
]
