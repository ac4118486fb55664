import { loanTerms, type LoanTerms } from '@outpost/contract/lending'
import { fail } from '@outpost/contract/errors'
import { optionalNumber } from '@outpost/contract/input'
import { interestEarned, openAmount, replay } from '@outpost/rules/lending/replay'
import type { Instalment } from '@outpost/rules/lending/terms'
import { atLeastZero, Decimal, moneyText, zero, type DecimalValue } from '@outpost/rules/money'
import { creditTypes } from '@outpost/rules/products/product-terms'
import { addDays } from '@outpost/rules/time-zone'
import { z } from 'zod'
import { daySchema } from '../../kernel/days.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { today } from '../ledger/index.ts'
import { planOf } from './changes/change.plan.ts'
import { instalmentsOf, paymentsOf } from './settling/loan.book.ts'
import { loan } from './loan.resource.ts'

export const quoteInput = z.strictObject({ id: idSchema, on: daySchema.optional() })
const money = z.string()
export const quoteAnswer = z.strictObject({
  quote: z.strictObject({
    loanNumber: z.string(),
    client: z.string(),
    validUntil: z.iso.date(),
    principal: money,
    interest: money,
    fees: money,
    penalties: money,
    total: money,
    saved: money,
  }),
})
type Quote = z.infer<typeof quoteAnswer>['quote']
/** Days ahead for which a settlement may be quoted. */
const longestQuote = 60

/** What settles a loan on a day: its principal, the interest earned by then, fees and insurance due by then, penalties. Interest of the days after is saved. */
export async function settlementQuote(ctx: Ctx, { id, on, field = 'on' }: z.infer<typeof quoteInput> & { field?: string }): Promise<Quote> {
  const record = await runningLoan(ctx, id)
  const day = on ?? today(ctx)
  if (day < today(ctx) || day > addDays(today(ctx), longestQuote))
    fail('INVALID', { fields: [{ field, message: `must be today or within ${longestQuote} days` }] })
  const account = { id, terms: loanTerms.parse(record['terms']), disbursedOn: String(record['disbursedOn']) }
  const sums = await settlementSums(ctx, account, { on: day })
  return {
    loanNumber: String(record['loanNumber']),
    client: String(record['clientIdLabel']),
    validUntil: day,
    principal: moneyText(sums.principal),
    interest: moneyText(sums.interest),
    fees: moneyText(sums.fees),
    penalties: moneyText(sums.penalties),
    total: moneyText(sums.total),
    saved: moneyText(sums.saved),
  }
}

/** What settles a loan on a day, in parts; `without`: as if this payment had not come. */
export async function settlementSums(
  ctx: Ctx,
  { id, terms, disbursedOn }: { id: string; terms: LoanTerms; disbursedOn: string | null },
  { on: day, without }: { on: string; without?: string },
) {
  const [instalments, all] = [await instalmentsOf(ctx, id), await paymentsOf(ctx, id)]
  const payments = all.filter((payment) => payment.id !== without && payment.on <= day)
  const { instalments: rows } = replay({ terms, instalments, payments, asOf: day })
  const open = (...parts: ('principal' | 'penalty')[]) => rows.reduce((sum, row) => sum.plus(openAmount(row, parts)), zero)
  const earned = interestEarned(instalments, { disbursedOn: disbursedOn ?? day, asOf: day, currency: terms.currency })
  const paid = rows.reduce((sum, row) => sum.plus(row.paid.interest), zero)
  const interest = atLeastZero(earned.minus(paid))
  const fees = rows.filter(({ dueOn }) => dueOn <= day).reduce((sum, row) => sum.plus(openAmount(row, ['fee', 'insurance'])), zero)
  const total = open('principal').plus(interest).plus(fees).plus(open('penalty'))
  const owed = rows.reduce((sum, row) => sum.plus(openAmount(row)), zero)
  return { principal: open('principal'), interest, fees, penalties: open('penalty'), total, saved: atLeastZero(owed.minus(total)) }
}

export const quoteOf = async (ctx: Ctx, input: z.infer<typeof quoteInput>): Promise<Answer> => ({
  data: { quote: await settlementQuote(ctx, input) },
})

const decimal = z.union([z.string(), z.number()]).transform(String)
export const restructureInput = z.strictObject({
  id: idSchema,
  annualRate: decimal.nullish(),
  instalments: optionalNumber(z.int()),
  firstDueAt: daySchema.nullish(),
  graceOnPrincipal: optionalNumber(z.int()),
})
const side = z.strictObject({
  instalments: z.int(),
  instalment: money,
  interest: money,
  total: money,
  last: z.string(),
  rows: z.array(z.strictObject({ number: z.int(), dueOn: z.iso.date(), principal: money, interest: money, total: money, balance: money })),
})
export const restructureAnswer = z.strictObject({ loanNumber: z.string(), principal: money, before: side, after: side })
export type Preview = z.infer<typeof restructureAnswer>

/** What is left of a loan beside what it would be at other terms from today on. Nothing is changed. */
export async function restructurePreview(ctx: Ctx, { id, ...changes }: z.infer<typeof restructureInput>): Promise<Preview> {
  const record = await runningLoan(ctx, id)
  const account = {
    id,
    tenantId: String(record['tenantId']),
    status: 'Active' as const,
    principal: String(record['principal']),
    creditType: creditTypes.find(({ value }) => value === record['creditType'])?.value ?? 'unsecured',
    terms: loanTerms.parse(record['terms']),
    disbursedOn: String(record['disbursedOn']),
  }
  const { before, after, principal } = await planOf(ctx, account, { kind: 'restructure', ...changes })
  const whole = before.map((row) => ({ ...row, total: new Decimal(row.principal).plus(row.interest).plus(row.fee).plus(row.insurance) }))
  return { loanNumber: String(record['loanNumber']), principal: moneyText(principal), before: sideOf(whole), after: sideOf(after) }
}

type Row = Pick<Instalment, 'number' | 'dueOn'> & Record<'principal' | 'interest' | 'total' | 'balance', DecimalValue>

function sideOf(rows: readonly Row[]): Preview['before'] {
  const sum = (key: 'interest' | 'total') => moneyText(rows.reduce((total, row) => total.plus(row[key]), zero))
  return {
    instalments: rows.length,
    instalment: moneyText(rows[0]?.total ?? 0),
    interest: sum('interest'),
    total: sum('total'),
    last: rows.at(-1)?.dueOn ?? '',
    rows: rows.map(({ number, dueOn, ...row }) => ({
      number,
      dueOn,
      principal: moneyText(row.principal),
      interest: moneyText(row.interest),
      total: moneyText(row.total),
      balance: moneyText(row.balance),
    })),
  }
}

export const previewOf = async (ctx: Ctx, input: z.infer<typeof restructureInput>): Promise<Answer> => ({
  data: await restructurePreview(ctx, input),
})

async function runningLoan(ctx: Ctx, id: string) {
  const record = await getRecord(ctx, loan, id)
  if (record['status'] !== 'Active') fail('ILLEGAL_TRANSITION', { message: `The loan is ${String(record['status'])}.` })
  return record
}
