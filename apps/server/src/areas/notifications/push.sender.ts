import { isInsideHost, openOutgoing } from '@outpost/platform/outgoing'
import { z } from 'zod'
import webpush from 'web-push'
import type { VapidKeys } from './push.keys.ts'

/** A point of the curve (65 bytes) and a secret (16 bytes), as browsers write them. */
const [point, secret] = [z.string().regex(/^[\w-]{86,88}=?$/), z.string().regex(/^[\w-]{22,44}={0,2}$/)]
const subscriptionSchema = z.object({
  endpoint: z.url({ protocol: /^https$/ }).max(2_000),
  keys: z.object({ p256dh: point, auth: secret }),
})
export type PushSubscription = z.infer<typeof subscriptionSchema>

/** The subscription of a browser that a token holds; null for the token of another kind of program, undefined for a wrong one. */
export function subscriptionOf(token: string): PushSubscription | null | undefined {
  if (!token.startsWith('{')) return null
  const read = subscriptionSchema.safeParse(parsed(token))
  return read.success && !isInsideHost(read.data.endpoint) ? read.data : undefined
}

function parsed(token: string): unknown {
  try {
    return JSON.parse(token)
  } catch {
    return undefined
  }
}

export type PushOutcome = 'sent' | 'gone' | 'refused' | 'later'
/** Hands one message to the push service of a browser. */
export type SendPush = (to: PushSubscription, message: object) => Promise<PushOutcome>

/** Seconds for which a push service keeps a message for a phone that is off. */
const keptFor = 24 * 3_600

/** Sends over the public internet only: where a message goes is a browser's word, which anybody may have written. */
export function pushSender({ keys, subject }: { keys: () => readonly VapidKeys[]; subject: () => string }): SendPush {
  const outgoing = openOutgoing({ reach: 'public', limitMs: 10_000, maxResponseSize: 64_000 })
  return async (to, message) => {
    let outcome: PushOutcome = 'refused'
    // A browser that registered under a former master secret is known to its push service by that one's key.
    for (const pair of keys()) {
      const request = requestFor(to, message, { subject: subject(), ...pair })
      if (!request) return 'gone'
      const { endpoint, method, headers, body } = request
      const answer = await outgoing.request(endpoint, { method: method as 'POST', headers: headers as Record<string, string>, body })
      await answer.body.dump()
      outcome = outcomeOf(answer.statusCode)
      if (outcome !== 'refused') break
    }
    return outcome
  }
}

/** The message, encrypted for one browser; undefined when its key is none, which no later try would change. */
function requestFor(to: PushSubscription, message: object, vapidDetails: VapidKeys & { subject: string }) {
  try {
    return webpush.generateRequestDetails(to, JSON.stringify(message), { vapidDetails, TTL: keptFor, contentEncoding: 'aes128gcm' })
  } catch {
    return undefined
  }
}

/** What the answer of a push service means (RFC 8030): 404 and 410 say that the subscription has ended. */
export function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'sent'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'later' : 'refused'
}
