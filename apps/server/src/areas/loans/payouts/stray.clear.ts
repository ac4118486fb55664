import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { Decimal } from '@outpost/rules/money'
import type { Ctx } from '../../../kernel/types.ts'
import type { Moved } from '../../../kernel/workflow/types.ts'
import { post, today, type Purpose } from '../../ledger/index.ts'
import { reversePayment } from '../payments/payment.moves.ts'
import { moneyAccount } from '../settling/loan.book.ts'

/** The money is back: it came in where it had left from. A payment in suspense that is this money is reversed, so that it counts once. */
export async function takeReturn(ctx: Ctx, moved: Moved): Promise<void> {
  const { record, asked } = moved
  const returnedOn = String(record['returnedOn'])
  if (returnedOn > today(ctx)) fail('INVALID', { fields: [{ field: 'returnedOn', message: 'lies in the future' }] })
  if (returnedOn < String(record['leftOn']))
    fail('INVALID', { fields: [{ field: 'returnedOn', message: `is before it left (${String(record['leftOn'])})` }] })
  const reference = typeof record['returnReference'] === 'string' ? record['returnReference'].trim() : ''
  if (reference !== '')
    await reverseTwin(ctx, reference, String(record['amount']), `${String(record['strayNumber'])} came back: ${String(asked['reason'])}`)
  await clear(ctx, moved, {
    key: 'stray-returned',
    account: moneyAccount(String(record['channel'])),
    valueOn: returnedOn,
    text: 'came back',
  })
}

/** It will not come back: it is a loss of the company. */
export const giveUp = (ctx: Ctx, moved: Moved): Promise<void> =>
  clear(ctx, moved, { key: 'stray-given-up', account: 'lostPayouts', valueOn: today(ctx), text: 'was given up' })

interface Clearing {
  key: string
  account: Purpose
  valueOn: string
  text: string
}

async function clear(ctx: Ctx, { id, record }: Moved, { key, account, valueOn, text }: Clearing): Promise<void> {
  const amount = String(record['amount'])
  const [entryId] = await post(ctx, [
    {
      key: `${key}:${id}`,
      kind: 'strayCleared',
      tenantId: String(record['tenantId']),
      valueOn,
      text: `Payout ${String(record['reference'])} that was not asked for ${text}`,
      postings: [
        { account, amount },
        { account: 'suspense', amount: new Decimal(amount).negated() },
      ],
    },
  ])
  if (!entryId) fail('ILLEGAL_TRANSITION', { message: 'This is booked already.' })
}

/** The payment of a reference, where somebody captured the return or a statement brought it. CONFLICT when it is on a loan or another amount. */
async function reverseTwin(ctx: Ctx, reference: string, amount: string, reason: string): Promise<void> {
  const found = await ctx.sql.query<{ id: string; isSame: boolean }>(sql`
    select "id", "status" = 'Suspense' and "amount" = ${amount}::numeric as "isSame" from payment
    where "companyId" = ${ctx.company.id}::uuid and upper("providerReference") = upper(${reference}) and "status" <> 'Reversed' and "deletedAt" is null order by 2 desc, 1 limit 1`)
  const [payment] = found
  if (!payment) return
  if (!payment.isSame) fail('CONFLICT', { message: `The payment ${reference} is on a loan, or of another amount: it is not this money.` })
  await reversePayment(ctx, { id: payment.id, reason })
}
