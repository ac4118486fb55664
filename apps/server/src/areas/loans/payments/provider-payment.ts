import { prepared } from '@outpost/platform/db/prepared'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../../../kernel/types.ts'
import { today } from '../../ledger/index.ts'
import { recordPayments, referenceTaken } from './payment.book.ts'
import type { NewPayment } from './payment.twins.ts'

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

/** Whether a bill reference names a loan that runs. */
export const isKnownReference = async (ctx: Ctx, reference: string): Promise<boolean> => (await loansNamed(ctx, [reference])).size > 0

/** Money that a provider says has come in. */
export interface ProviderPayment {
  amount: string
  method: string
  provider: string
  reference: string
  paidOn: string | undefined
  payerName: string
  payerPhone: string
  /** What the payer said that it is for. */
  billReference: string
}

/** The money is here, whatever it is for: booked on the loan it names, else in suspense. `sayer` is the provider for people. */
export async function captureProviderPayments(ctx: Ctx, payments: readonly (ProviderPayment & { sayer: string })[]): Promise<void> {
  const loans = await loansNamed(
    ctx,
    payments.map(({ billReference }) => billReference),
  )
  const given = payments.map((one) => ({ sayer: one.sayer, payment: paymentOf(ctx, one, loans.get(loanNumber(one.billReference) ?? -1)) }))
  const captured = await recordPayments(
    ctx,
    given.map(({ payment }) => payment),
  )
  const beside: NewPayment[] = []
  for (const [place, { failure }] of captured.entries()) {
    const one = given[place]
    if (!failure || !one) continue
    if (failure.failure !== referenceTaken.name) throw failure
    // Somebody may have captured a reference by hand with another amount: the money is real all the same, and waits beside it.
    beside.push({ ...one.payment, loanId: null, providerReference: `${one.payment.providerReference} (as ${one.sayer} says)` })
  }
  const failed = (await recordPayments(ctx, beside)).find(({ failure }) => failure)?.failure
  if (failed) throw failed
}

function paymentOf(ctx: Ctx, one: ProviderPayment, loan: KnownLoan | undefined): NewPayment {
  const day = one.paidOn ?? today(ctx)
  const paidOn = day > today(ctx) ? today(ctx) : day
  const isPayable = loan?.disbursedOn != null && loan.disbursedOn <= paidOn
  return {
    isFact: true,
    loanId: isPayable ? loan.id : null,
    amount: one.amount,
    method: one.method,
    provider: one.provider,
    providerReference: one.reference,
    paidOn,
    payerName: one.payerName.slice(0, 120) || null,
    payerPhone: one.payerPhone.slice(0, 25) || null,
    billReference: one.billReference.slice(0, 60) || null,
  }
}
