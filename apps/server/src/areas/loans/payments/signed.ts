import { Failure } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { providerRoute, type ProviderAnswer } from '../../../kernel/providers/route.ts'
import type { Ctx, Route } from '../../../kernel/types.ts'
import { noteNoAnswer, noteOutcome } from '../payouts/payout.result.ts'
import { callbacksAMinute } from './mpesa.ts'
import { readSigned, type SignedMoney } from './signed.messages.ts'
import { captureProviderPayments } from './provider-payment.ts'

/** Connections of providers of money that sign as we do; each has a name, under which its payments are kept. */
export const signedMoney = 'money'

const taken: ProviderAnswer = { type: 'application/json; charset=utf-8', text: JSON.stringify({ ok: true }) }

/** Payments that came together are booked together; what became of payouts is noted one by one. */
async function takeAll(ctx: Ctx, messages: readonly SignedMoney[]): Promise<ProviderAnswer[]> {
  const names = await namesOf(ctx, messages)
  const payments = messages.filter((one) => one.type === 'payment.received')
  for (const { data } of payments)
    if (data.currency !== ctx.company.currency)
      throw new Failure('INVALID', { fields: [{ field: 'data.currency', message: `must be ${ctx.company.currency}` }] })
  await captureProviderPayments(
    ctx,
    payments.map(({ connectionId, data }) => {
      const name = names.get(connectionId) ?? signedMoney
      const { payerName = '', payerPhone = '', billReference = '' } = data
      return { ...data, payerName, payerPhone, billReference, provider: name, sayer: name, paidOn: data.paidOn }
    }),
  )
  for (const one of messages) if (one.type !== 'payment.received') await notePayout(ctx, one, names.get(one.connectionId) ?? signedMoney)
  return messages.map(() => taken)
}

async function notePayout(ctx: Ctx, { type, data }: Exclude<SignedMoney, { type: 'payment.received' }>, provider: string): Promise<void> {
  const isKnown =
    type === 'payout.unanswered'
      ? await noteNoAnswer(ctx, data.disbursementId)
      : await noteOutcome(
          ctx,
          data.disbursementId,
          type === 'payout.paid'
            ? { isPaid: true, provider, reference: data.reference, amount: data.amount }
            : { isPaid: false, reason: data.reason },
        )
  if (!isKnown) throw new Failure('INVALID', { fields: [{ field: 'data.disbursementId', message: 'does not exist' }] })
}

async function namesOf(ctx: Ctx, messages: readonly SignedMoney[]): Promise<Map<string, string>> {
  const ids = [...new Set(messages.map(({ connectionId }) => connectionId))]
  const rows = await ctx.sql.query<{ id: string; name: string }>(sql`
    select "id", "name" from provider_connection where "companyId" = ${ctx.company.id}::uuid and "id" = any(${ids}::uuid[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The door of any provider that signs by the Standard Webhooks scheme; docs/integrators/money.md says what it takes. */
export const signedMoneyRoutes: Route[] = [
  providerRoute('money.signed', 'POST', '/hooks/money/:key', {
    proof: { kind: 'standardWebhooks' },
    connection: signedMoney,
    read: readSigned,
    // Providers number their messages each by themselves.
    idOf: ({ connectionId, id }) => `${connectionId} ${id}`,
    runAll: takeAll,
    accepted: taken,
    limit: callbacksAMinute,
  }),
]
