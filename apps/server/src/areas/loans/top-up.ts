import { fail } from '@outpost/contract/errors'
import { loanTerms } from '@outpost/contract/lending'
import { addDays } from '@outpost/rules/time-zone'
import { Decimal, moneyText } from '@outpost/rules/money'
import { z } from 'zod'
import { createRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { today } from '../ledger/index.ts'
import { findLoan } from './loan.book.ts'
import { createLoan } from './loan.create.ts'
import { settlementQuote } from './loan.quotes.ts'
import { settlement } from './quote.resource.ts'

/** Days in which a top-up is paid out at what pays the former loan off. */
const promised = 14
const amount = z.union([z.string().regex(/^\d{1,15}(\.\d{1,2})?$/, 'is not an amount'), z.number().positive()])
export const topUpInput = z.strictObject({
  id: idSchema,
  principal: amount,
  annualRate: z.union([z.string(), z.number()]).transform(String).optional(),
  instalments: z.coerce.number().int().optional(),
})

/** Opens a loan that pays a running one off and brings the rest to the client. It waits for its payout like any other. */
export async function topUp(ctx: Ctx, { id, principal, annualRate, instalments }: z.infer<typeof topUpInput>): Promise<Answer> {
  const former = (await findLoan(ctx, id)) ?? fail('NOT_FOUND')
  const { total } = await settlementQuote(ctx, { id })
  if (new Decimal(principal).lte(total))
    fail('INVALID', { fields: [{ field: 'principal', message: `must be more than what settles the loan today (${total})` }] })
  const { firstDueAt: _, insurance, ...terms } = loanTerms.parse(former.terms)
  // A premium of so much was accepted for the former amount; a new cover is a new offer.
  const kept = insurance && insurance.kind !== 'amount' ? { insurance } : {}
  const wanted = { ...terms, ...kept, ...(annualRate === undefined ? {} : { annualRate }), instalments: instalments ?? terms.instalments }
  const record = await createLoan(ctx, { clientId: former.clientId, terms: wanted, principal, settlesLoanId: id })
  return { data: { loan: record }, message: 'Top-up opened: it pays this loan off when it is paid out' }
}

/** What is paid out to the client: all of it, of a top-up what the former loan leaves. What pays that off is quoted, so that it holds until the payout. */
export async function toPayOut(ctx: Ctx, loan: { paidOut: string; settlesLoanId: string | null }): Promise<string> {
  const former = loan.settlesLoanId === null ? undefined : await findLoan(ctx, loan.settlesLoanId)
  if (former?.status !== 'Active') return loan.paidOut
  const validUntil = addDays(today(ctx), promised)
  const { total } = await settlementQuote(ctx, { id: former.id, on: validUntil })
  const rest = new Decimal(loan.paidOut).minus(total)
  if (!rest.gt(0))
    fail('INVALID', { fields: [{ field: 'loanId', message: `brings ${loan.paidOut}, and ${total} settle the loan it pays off` }] })
  await createRecord(ctx, settlement, { loanId: former.id, validUntil })
  return moneyText(rest)
}
