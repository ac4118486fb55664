import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import { readJson } from '../../../kernel/providers/read-json.ts'
import { amount } from './mpesa.messages.ts'

const words = (max: number) => z.string().trim().min(1).max(max)
const id = words(100)

/** What a provider that signs by our own scheme says: money came in, or what became of a payout. A name that nobody knows is refused. */
const signedMessage = z.discriminatedUnion('type', [
  z.strictObject({
    id,
    type: z.literal('payment.received'),
    data: z.strictObject({
      reference: words(60),
      amount,
      currency: z.string().regex(/^[A-Z]{3}$/, 'is not a currency'),
      paidOn: z.iso.date().optional(),
      method: z.enum(['mobileMoney', 'transfer', 'card', 'cheque', 'cash']).default('mobileMoney'),
      billReference: words(60).optional(),
      payerName: words(120).optional(),
      payerPhone: words(25).optional(),
    }),
  }),
  z.strictObject({
    id,
    type: z.literal('payout.paid'),
    data: z.strictObject({ disbursementId: identifierSchema, reference: words(60), amount: amount.optional() }),
  }),
  z.strictObject({
    id,
    type: z.literal('payout.failed'),
    data: z.strictObject({ disbursementId: identifierSchema, reason: words(500) }),
  }),
  z.strictObject({ id, type: z.literal('payout.unanswered'), data: z.strictObject({ disbursementId: identifierSchema }) }),
])

export type SignedMoney = z.infer<typeof signedMessage> & { connectionId: string }
export const readSigned = (raw: Buffer, connectionId: string): SignedMoney => ({
  ...signedMessage.parse(readJson(raw)),
  connectionId,
})
