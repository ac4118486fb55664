import type { Failure } from '@outpost/contract/errors'
import { trimPhone } from '@outpost/rules/phone'
import { z } from 'zod'
import { providerRoute, type ProviderAnswer } from '../../kernel/providers/route.ts'
import type { Route } from '../../kernel/types.ts'
import { answerHop, endSession, tokensOf } from './sessions.ts'

/** The provider whose one connection opens both doors. */
export const gateway = 'ussd'

const word = (most: number) => z.string().trim().max(most)
const form = (raw: Buffer) => Object.fromEntries(new URLSearchParams(raw.toString('utf8')))

/** A hop in the form of Africa's Talking. `text` holds what was typed since the beginning, joined by stars. Source: their USSD documentation; further fields are ignored. */
const hop = z.object({
  sessionId: word(100).min(1),
  serviceCode: word(40).default(''),
  phoneNumber: word(25).min(5),
  networkCode: word(20).default(''),
  text: z.string().max(1_000).default(''),
})
type Hop = z.infer<typeof hop>
/** The end of a session. */
const end = z.object({
  sessionId: word(100).min(1),
  phoneNumber: word(25).default(''),
  status: word(40).default(''),
  cost: word(40).default(''),
  durationInMillis: word(20).default(''),
  errorMessage: word(300).default(''),
})

const say = (text: string, status = 200): ProviderAnswer => ({ type: 'text/plain; charset=utf-8', text, status })
/** A gateway reads words to show from what is 200 alone; anything else ends the session. */
const refuse = ({ error }: Failure): ProviderAnswer => say('END This service is not available now. Please try again later.', error.status)
const door = { proof: { kind: 'address' }, connection: gateway, sends: 'text/plain', refuse } as const
/** What is kept of a message: everything but what was typed, which may be a PIN. */
const withoutTyped = (raw: Buffer, names: readonly string[]): Buffer => {
  const given = new URLSearchParams(raw.toString('utf8'))
  for (const name of names) {
    const typed = given.get(name)
    if (typed) given.set(name, typed.replaceAll(/[^*]/g, 'x'))
  }
  return Buffer.from(given.toString())
}
const numberOf = (text: string, most: number) => {
  const [found] = /\d+(\.\d+)?/.exec(text) ?? []
  return found !== undefined && Number(found) <= most ? found : null
}

/** The doors of the gateway: each hop of a session, and its end. */
export const gatewayRoutes: Route[] = [
  providerRoute<Hop>('ussd.hop', 'POST', '/hooks/ussd/:key', {
    ...door,
    keep: (raw) => withoutTyped(raw, ['text']),
    read: (raw) => hop.parse(form(raw)),
    // The text only grows: as many words of a session are the same hop, said again.
    idOf: ({ sessionId, text }) => `${sessionId} ${tokensOf(text).length}`,
    run: async (ctx, { phoneNumber, networkCode, ...rest }) => {
      const began = performance.now()
      const msisdn = trimPhone(phoneNumber, ctx.company.country) ?? phoneNumber.replaceAll(/\D/g, '')
      return say(await answerHop(ctx, { ...rest, msisdn, network: networkCode }, began))
    },
  }),
  providerRoute<z.infer<typeof end>>('ussd.ended', 'POST', '/hooks/ussd-ended/:key', {
    ...door,
    keep: (raw) => withoutTyped(raw, ['input', 'text', 'lastAppResponse']),
    read: (raw) => end.parse(form(raw)),
    idOf: ({ sessionId }) => sessionId,
    run: async (ctx, { sessionId, status, cost, durationInMillis, errorMessage }) => {
      const ms = numberOf(durationInMillis, 86_400_000)
      await endSession(ctx, {
        sessionId,
        status: status.toLowerCase(),
        cost: numberOf(cost, 1_000_000),
        durationMs: ms === null ? null : Math.round(Number(ms)),
        error: errorMessage === '' ? null : errorMessage,
      })
      return say('OK')
    },
  }),
]
