import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { capsInForce } from '@outpost/rules/products/cap-check'
import { Decimal } from '@outpost/rules/money'
import { loanTermsOf, rangeProblems, type ProductFee, type ProductTerms } from '@outpost/rules/products/product-terms'
import { quoteOf, type Quote } from '@outpost/rules/products/quote'
import { z } from 'zod'
import { recordAnswer } from '../../kernel/resource/answers.ts'
import { companyDay, daySchema } from '../../kernel/days.ts'
import { createRecord, getRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { daysOffOf } from '../working-time/index.ts'
import { product } from './product.resource.ts'
import { termFields } from './version.fields.ts'
import { productVersion } from './version.resource.ts'
import { capsBrokenBy, feesOf, termsOf } from './version.rules.ts'
import { affordabilityAnswer, affordabilityOf } from './version.sample.ts'

export const newVersionAnswer = recordAnswer(productVersion)

/** Begins a draft with the terms of the product's newest version. CONFLICT while the product has none or a draft is open. */
export async function newVersion(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, product, id)
  await ctx.sql.query(sql`select from product where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid for update`)
  const newest = await ctx.sql.maybe<{ id: string; state: string }>(sql`
    select "id", "state" from product_version where "companyId" = ${ctx.company.id}::uuid and "productId" = ${id}::uuid and "deletedAt" is null order by "number" desc limit 1`)
  if (!newest) return fail('CONFLICT', { message: 'The product has no version yet: enter its first one.' })
  if (newest.state === 'Draft')
    fail('CONFLICT', { message: 'A draft is open already: change that one.', details: { versionId: newest.id } })
  const before = await getRecord(ctx, productVersion, newest.id)
  const today = companyDay(ctx)
  const terms = Object.fromEntries(Object.keys(termFields).map((key) => [key, before[key]]))
  const fees = (await feesOf(ctx, newest.id)).map((fee) => ({ ...fee, amount: Number(fee.amount) }))
  const made = await createRecord(ctx, productVersion, { productId: id, ...terms, effectiveFrom: today, effectiveUntil: null, fees })
  return { data: { productVersion: made }, message: `Version ${String(made['number'])} begun as a draft` }
}

export interface VersionTerms {
  version: WireRecord
  fees: ProductFee[]
  terms: ProductTerms
}

/** A version with its terms as sums need them. */
export async function readVersion(ctx: Ctx, id: string): Promise<VersionTerms> {
  const version = await getRecord(ctx, productVersion, id)
  const fees = await feesOf(ctx, id)
  return { version, fees, terms: termsOf(version, fees) }
}

const money = z.string()
const row = z.strictObject({
  number: z.int(),
  dueOn: z.iso.date(),
  principal: money,
  interest: money,
  fee: money,
  insurance: money,
  total: money,
  balance: money,
})
export const quoteAnswer = z.strictObject({
  amount: money,
  paidOut: money,
  instalment: money,
  roundedTo: money.optional(),
  totalInterest: money,
  totalFees: money,
  totalInsurance: money,
  totalPaid: money,
  totalCost: money,
  aprEffective: z.number().nullable(),
  aprNominal: z.number().nullable(),
  rows: z.array(row),
}) satisfies z.ZodType<Quote>

export const simulateInput = z.strictObject({
  id: idSchema,
  amount: z.coerce.number().positive().max(999_999_999_999).optional(),
  instalments: z.coerce.number().int().min(1).max(600).optional(),
  disbursedOn: daySchema.optional(),
  firstDueAt: daySchema.optional(),
  /** Net pay and expenses a month of a sample borrower. */
  income: z.coerce.number().min(0).max(999_999_999_999).optional(),
  expenses: z.coerce.number().min(0).max(999_999_999_999).optional(),
})
const broken = z.strictObject({ rule: z.string(), source: z.string(), message: z.string() })
export const simulationAnswer = z.strictObject({
  quote: quoteAnswer,
  broken: z.array(broken),
  /** Whether we hold caps on the cost of this kind of credit in the company's country. */
  hasCaps: z.boolean(),
  version: z.strictObject({
    Id: idSchema,
    name: z.string(),
    state: z.string(),
    minAmount: z.number(),
    maxAmount: z.number(),
    minInstalments: z.int(),
    maxInstalments: z.int(),
  }),
  currency: z.string(),
  disbursedOn: z.iso.date(),
  /** What the sample borrower has left after the instalment, and its share of the income in percent; null without an income. */
  leftOver: money.nullable(),
  shareOfIncome: z.number().nullable(),
  /** By the product's own calculator; null without one, or without an income. */
  affordability: affordabilityAnswer.nullable(),
})

/** What a loan of a version would cost, draft or not; left out, the middle of its ranges. INVALID where the choice lies out of them. */
export async function simulate(ctx: Ctx, { id, ...asked }: z.infer<typeof simulateInput>): Promise<Answer> {
  const { version, fees, terms } = await readVersion(ctx, id)
  const amount = asked.amount ?? middleOf(Number(terms.minAmount), Number(terms.maxAmount))
  const instalments = asked.instalments ?? Math.round((terms.minInstalments + terms.maxInstalments) / 2)
  const { currency } = ctx.company
  const disbursedOn = asked.disbursedOn ?? companyDay(ctx)
  const problems = rangeProblems(terms, { amount, instalments })
  if (asked.firstDueAt !== undefined && asked.firstDueAt <= disbursedOn)
    fail('INVALID', { fields: [{ field: 'firstDueAt', message: 'must lie after the payout' }] })
  if (problems.length > 0) fail('INVALID', { fields: problems })
  const loan = loanTermsOf(terms, { currency, amount, instalments, firstDueAt: asked.firstDueAt })
  const quote = quoteOf({ terms: loan, amount, disbursedOn, daysOff: await daysOffOf(ctx) })
  const free = asked.income === undefined ? undefined : new Decimal(asked.income).minus(asked.expenses ?? 0).minus(quote.instalment)
  const every = { unit: terms.everyUnit, count: terms.everyCount }
  const sample = { amount, annualRate: terms.annualRate, every, instalments, at: companyDay(ctx), instalment: quote.instalment }
  return {
    data: {
      quote,
      affordability:
        asked.income === undefined
          ? null
          : await affordabilityOf(ctx, version['calculator'] as string | null, {
              ...sample,
              income: asked.income,
              expenses: asked.expenses ?? 0,
            }),
      broken: await capsBrokenBy(ctx, version, fees),
      hasCaps: capsInForce({ country: ctx.company.country, at: disbursedOn }, terms.creditType) !== undefined,
      version: Object.fromEntries(
        ['Id', 'name', 'state', 'minAmount', 'maxAmount', 'minInstalments', 'maxInstalments'].map((key) => [key, version[key]]),
      ),
      currency,
      disbursedOn,
      leftOver: free?.toFixed(2) ?? null,
      shareOfIncome: asked.income ? new Decimal(quote.instalment).times(100).dividedBy(asked.income).toDecimalPlaces(2).toNumber() : null,
    },
  }
}

/** The middle of a range in round figures, never out of it. */
function middleOf(from: number, to: number): number {
  const middle = (from + to) / 2
  const step = 10 ** Math.max(0, Math.floor(Math.log10(middle)) - 1)
  return Math.min(Math.max(Math.round(middle / step) * step, from), to)
}
