import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { trimPhone } from '@outpost/rules/phone'
import { z } from 'zod'
import { dayText } from '../../../kernel/days.ts'
import { getRecord } from '../../../kernel/resource/records.ts'
import { idSchema, type RecordInput } from '../../../kernel/resource/schema.ts'
import { identifierSchema } from '@outpost/contract/input'
import { nameOf } from '../../../kernel/names.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { recordPayment } from './payment.book.ts'
import { allocatePayment, releasePayment, reversePayment } from './payment.moves.ts'
import { networkFor } from './payment.network.ts'
import { payment } from './payment.resource.ts'
import type { NewPayment } from './payment.twins.ts'

/** Payments that nobody captures: something else makes them. */
const madeBy = new Map([
  ['topUp', 'the payout of a top-up'],
  ['securitySale', 'the sale of a security'],
])

/** Captures a payment; the same one said again is answered with what is there. */
export async function createPayment(ctx: Ctx, input: RecordInput): Promise<Answer> {
  const made = madeBy.get(String(input['method']))
  if (made !== undefined) fail('INVALID', { fields: [{ field: 'method', message: `is made by ${made}` }] })
  // The schema makes a moment of a day.
  const day = input['paidOn'] instanceof Date ? dayText(input['paidOn']) : String(input['paidOn'])
  const given = { ...(input as unknown as NewPayment), paidOn: day }
  // What was captured by hand and what its provider tells of later is the same money.
  const provider = given.method === 'mobileMoney' ? await networkFor(ctx, given.provider) : 'manual'
  const { record, isNew } = await recordPayment(ctx, { ...given, provider })
  const said = record['status'] === 'Suspense' ? 'Payment captured; it waits in suspense' : 'Payment captured'
  return { data: { payment: record }, message: isNew ? said : 'This payment was captured before' }
}

export const allocateInput = z.strictObject({ id: idSchema, loanId: idSchema })
export const allocateToInput = z.strictObject({ paymentId: idSchema, loanId: idSchema })
export const reasonInput = z.strictObject({ id: idSchema, reason: z.string().trim().min(1, 'is required').max(500) })

export const allocate = async (ctx: Ctx, input: z.infer<typeof allocateInput>): Promise<Answer> => ({
  data: { payment: await allocatePayment(ctx, input) },
  message: 'Payment allocated',
})
/** The same from a list of loans that it may be for. */
export const allocateTo = (ctx: Ctx, { paymentId, loanId }: z.infer<typeof allocateToInput>): Promise<Answer> =>
  allocate(ctx, { id: paymentId, loanId })
export async function release(ctx: Ctx, input: z.infer<typeof reasonInput>): Promise<Answer> {
  await refuseMade(ctx, input.id)
  return { data: { payment: await releasePayment(ctx, input) }, message: 'Payment moved to suspense' }
}
export async function reversal(ctx: Ctx, input: z.infer<typeof reasonInput>): Promise<Answer> {
  await refuseMade(ctx, input.id)
  return { data: { payment: await reversePayment(ctx, input) }, message: 'Payment reversed' }
}

/** No money of its own came in: by itself it would lie nowhere. Proceeds are taken back with their sale; the payout of a top-up stands. */
async function refuseMade(ctx: Ctx, id: string): Promise<void> {
  const { method, providerReference } = await getRecord(ctx, payment, id)
  const reference = String(providerReference)
  if (method === 'securitySale') fail('CONFLICT', { message: `These are the proceeds of ${reference}. Reverse that sale instead.` })
  if (method === 'topUp')
    fail('CONFLICT', { message: `This is the part of ${reference} that paid this loan off. It stands as long as that payout does.` })
}

export const allocationsAnswer = z.strictObject({
  allocations: z.array(
    z.strictObject({
      Id: identifierSchema,
      instalment: z.int(),
      part: z.string(),
      amount: z.number(),
      state: z.string(),
      entryId: identifierSchema,
      dateCreated: z.iso.datetime(),
    }),
  ),
})

/** How a payment was allocated, with what was taken back. */
export async function allocationsOf(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, payment, id)
  const allocations = await ctx.sql.query(sql`
    select a."id" as "Id", a."number" as instalment, a."part", a."amount"::float8 as amount, case when a."supersededAt" is null then 'Booked' else 'Taken back' end as state,
      a."entryId", to_char(a."dateCreated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "dateCreated"
    from payment_allocation a where a."companyId" = ${ctx.company.id}::uuid and a."paymentId" = ${id}::uuid order by a."dateCreated" desc, a."number", a."part", a."id"`)
  return { data: { allocations } }
}

export const suggestionsAnswer = z.strictObject({
  suggestions: z.array(
    z.strictObject({
      Id: identifierSchema,
      paymentId: identifierSchema,
      loanNumber: z.string(),
      client: z.string(),
      instalment: z.number(),
      owed: z.number(),
      score: z.int(),
      because: z.string(),
    }),
  ),
})

/** Loans that a payment in suspense may be for, the likeliest first: by the number it names, by who paid, by the amount of an instalment. */
export async function suggestionsFor(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const record = await getRecord(ctx, payment, id)
  if (record['status'] !== 'Suspense') return { data: { suggestions: [] } }
  const text = (key: string) => (typeof record[key] === 'string' ? record[key] : '')
  const said = text('billReference').toUpperCase()
  const number = /^(?:L-?)?0*(\d{1,9})$/.exec(said.replaceAll(/\s/g, ''))?.[1] ?? null
  const phone = trimPhone(text('payerPhone') || said, ctx.company.country) ?? null
  const amount = Number(record['amount'])
  const suggestions = await ctx.sql.query(sql`
    select * from (
      select l."id" as "Id", ${id}::uuid as "paymentId", 'L-' || lpad(l."number"::text, greatest(6, length(l."number"::text)), '0') as "loanNumber", ${nameOf('c')} as client,
        l."instalment"::float8 as instalment, (l."principalOwed" + l."interestOwed" + l."feesOwed" + l."penaltiesOwed")::float8 as owed,
        (case when l."number" = ${number}::int then 100 else 0 end + case when c."trimmedPhonenumber" = ${phone} then 60 else 0 end
          + case when ${said} <> '' and upper(c."idNumber") = ${said} then 80 else 0 end
          + case when l."instalment" = ${amount}::numeric then 20 when l."principalOwed" + l."interestOwed" + l."feesOwed" + l."penaltiesOwed" = ${amount}::numeric then 20 else 0 end)::int as score,
        concat_ws(', ', case when l."number" = ${number}::int then 'loan number' end, case when c."trimmedPhonenumber" = ${phone} then 'phone' end,
          case when ${said} <> '' and upper(c."idNumber") = ${said} then 'ID number' end, case when l."instalment" = ${amount}::numeric then 'amount of an instalment' end,
          case when l."principalOwed" + l."interestOwed" + l."feesOwed" + l."penaltiesOwed" = ${amount}::numeric then 'all that is owed' end) as because
      from loan l join client c on c."companyId" = l."companyId" and c."id" = l."clientId"
      where l."companyId" = ${ctx.company.id}::uuid and l."deletedAt" is null and l."status" in ('Active', 'Overpaid', 'Written off')
        and (l."number" = ${number}::int or c."trimmedPhonenumber" = ${phone} or (${said} <> '' and upper(c."idNumber") = ${said}) or l."instalment" = ${amount}::numeric)) s
    order by s.score desc, s."loanNumber" limit 20`)
  return { data: { suggestions } }
}
