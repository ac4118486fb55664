import type { Failure } from '@outpost/contract/errors'
import { providerRoute, type ProviderAnswer } from '../../../kernel/providers/route.ts'
import { settingOf } from '../../../kernel/settings/read.ts'
import type { Setting } from '../../../kernel/settings/define.ts'
import type { Ctx, Route } from '../../../kernel/types.ts'
import { noteNoAnswer, noteOutcome } from '../payouts/payout.result.ts'
import { amountOfB2c, dayOfTransTime, readB2c, readC2b, type B2cMessage, type C2bMessage } from './mpesa.messages.ts'
import { captureProviderPayments, isKnownReference, type ProviderPayment } from './provider-payment.ts'

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

/** Before the money moves: taken, unless the company wants no payments whose loan is not known. */
async function validate(ctx: Ctx, message: C2bMessage): Promise<ProviderAnswer> {
  const mayBeUnknown = (await settingOf(ctx, unknownReferences, ctx.company.id)) === 0
  return mayBeUnknown || (await isKnownReference(ctx, message.BillRefNumber))
    ? say(0, 'Accepted')
    : say('C2B00012', 'Invalid account number')
}

async function confirmAll(ctx: Ctx, messages: readonly C2bMessage[]): Promise<ProviderAnswer[]> {
  await captureProviderPayments(
    ctx,
    messages.map((message) => ({ ...paymentOf(message), sayer: 'M-Pesa' })),
  )
  return messages.map(() => say(0, 'Accepted'))
}

const paymentOf = (message: C2bMessage): ProviderPayment => ({
  amount: message.TransAmount,
  method: 'mobileMoney',
  provider: mpesa,
  reference: message.TransID,
  paidOn: dayOfTransTime(message.TransTime),
  payerName: [message.FirstName, message.MiddleName, message.LastName].filter((name) => name !== '').join(' '),
  payerPhone: message.MSISDN,
  billReference: message.BillRefNumber,
})

/** The id of our disbursement, with what the caller puts behind it. */
const idOf = ({ OriginatorConversationID }: B2cMessage) => OriginatorConversationID.slice(0, 36)

async function payoutResult(ctx: Ctx, message: B2cMessage): Promise<ProviderAnswer> {
  await noteOutcome(
    ctx,
    idOf(message),
    message.ResultCode === 0
      ? {
          isPaid: true,
          provider: mpesa,
          reference: message.TransactionID || message.ConversationID,
          amount: amountOfB2c(message),
        }
      : { isPaid: false, reason: message.ResultDesc || `Code ${message.ResultCode}` },
  )
  return say(0, 'Accepted')
}

async function payoutTimeout(ctx: Ctx, message: B2cMessage): Promise<ProviderAnswer> {
  await noteNoAnswer(ctx, idOf(message))
  return say(0, 'Accepted')
}

/** A provider calls for all clients of a company from a handful of addresses: 200 a second. */
export const callbacksAMinute = 12_000
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
