import { fail, type FieldError } from '@outpost/contract/errors'
import { loanTerms, type LoanTerms } from '@outpost/contract/lending'
import { optionalNumber } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { rangeProblems, type CreditType } from '@outpost/rules/products/product-terms'
import { addDays } from '@outpost/rules/time-zone'
import { Decimal, moneyText } from '@outpost/rules/money'
import { z } from 'zod'
import { createRecord } from '../../../kernel/resource/records.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { today } from '../../ledger/index.ts'
import { readVersion } from '../../products/index.ts'
import { findLoan, lockLoan } from '../settling/loan.book.ts'
import { createLoan, mayDecideOn } from '../loan.create.ts'
import { settlementQuote } from '../loan.quotes.ts'
import { settlement } from './quote.resource.ts'

/** Days in which a top-up is paid out at what pays the former loan off. */
const promised = 14
const amount = z.union([z.string().regex(/^\d{1,15}(\.\d{1,2})?$/, 'is not an amount'), z.number().positive()])
export const topUpInput = z.strictObject({
  id: idSchema,
  principal: amount,
  // The form sends what was left empty as null.
  annualRate: z.union([z.string(), z.number()]).transform(String).nullish(),
  instalments: optionalNumber(z.int()),
})

/** Opens a loan that pays a running one off and brings the rest to the client, within the ranges of its product. It waits for its payout like any other. */
export async function topUp(ctx: Ctx, { id, principal, annualRate, instalments }: z.infer<typeof topUpInput>): Promise<Answer> {
  await mayDecideOn(ctx, principal)
  const former = (await lockLoan(ctx, id)) ?? fail('NOT_FOUND')
  const { total } = await settlementQuote(ctx, { id })
  await clientInReach(ctx, former.clientId)
  if (new Decimal(principal).lte(total))
    fail('INVALID', { fields: [{ field: 'principal', message: `must be more than what settles the loan today (${total})` }] })
  const { officerUserId, ...product } = await productOf(ctx, id)
  const { firstDueAt: _, insurance, ...terms } = loanTerms.parse(former.terms)
  // A premium of so much was accepted for the former amount; a new cover is a new offer.
  const kept = insurance && insurance.kind !== 'amount' ? { insurance } : {}
  const wanted = {
    ...terms,
    ...kept,
    ...(annualRate == null || annualRate === '' ? {} : { annualRate }),
    instalments: instalments ?? terms.instalments,
  }
  if (product.productVersionId) await withinProduct(ctx, product.productVersionId, { principal, wanted, agreed: terms.annualRate })
  refuseTerms(wanted)
  const place = { tenantId: former.tenantId, officerUserId }
  const record = await createLoan(ctx, {
    ...product,
    ...place,
    clientId: former.clientId,
    terms: wanted,
    principal,
    settlesLoanId: id,
    prefix: '',
  })
  return { data: { loan: record }, message: 'Top-up opened: it pays this loan off when it is paid out' }
}

/** A loan may have gone to another branch without its client. */
async function clientInReach(ctx: Ctx, id: string): Promise<void> {
  const found = await ctx.sql.maybe(
    sql`select from client where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "deletedAt" is null`,
  )
  if (!found) fail('CONFLICT', { message: 'The client is filed in another branch. Transfer the client here first.' })
}

/** What is wrong with the terms is named as the form names it. */
function refuseTerms(wanted: LoanTerms): void {
  const { error } = loanTerms.safeParse(wanted)
  if (error) fail('INVALID', { fields: error.issues.map(({ path, message }) => ({ field: String(path[0]), message })) })
}

interface Product {
  creditType: CreditType
  productVersionId: string | null
  productName: string | null
  officerUserId: string | null
}

/** Product and officer of a loan. CONFLICT where another top-up of it waits already: two would not both pay it off. */
async function productOf(ctx: Ctx, id: string): Promise<Product> {
  const { waits, ...product } = await ctx.sql.one<Product & { waits: number | null }>(sql`
    select l."productVersionId", l."productName", l."creditType", l."officerUserId", (select min(w."number") from loan w where w."companyId" = l."companyId" and w."settlesLoanId" = l."id"
      and w."status" = 'Approved' and w."deletedAt" is null) as waits from loan l where l."companyId" = ${ctx.company.id}::uuid and l."id" = ${id}::uuid`)
  if (waits !== null)
    fail('CONFLICT', {
      message: `L-${String(waits).padStart(6, '0')} waits for its payout and pays this loan off. Pay it out, or cancel it first.`,
    })
  return product
}

/** What is lent on a product stays within its ranges, at its rate or the one that was agreed, or a lower one. */
async function withinProduct(
  ctx: Ctx,
  versionId: string,
  { principal, wanted, agreed }: { principal: string | number; wanted: LoanTerms; agreed: string },
): Promise<void> {
  const { terms } = await readVersion(ctx, versionId)
  const most = Decimal.max(terms.annualRate, agreed)
  const fields: FieldError[] = rangeProblems(terms, { amount: principal, instalments: wanted.instalments }).map(({ field, message }) => ({
    field: field === 'amount' ? 'principal' : field,
    message,
  }))
  if (most.lt(wanted.annualRate))
    fields.push({ field: 'annualRate', message: `may be ${most.toString()} at most: the rate of the product` })
  if (fields.length > 0) fail('INVALID', { fields })
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
