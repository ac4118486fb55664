import { createHmac, timingSafeEqual } from 'node:crypto'

/** Seconds for which a signed call is valid; this prevents replays of a recorded one. */
const toleranceSeconds = 300

/**
 * Headers of a webhook call. The signed text is `<seconds>.<body>`, byte for byte, with HMAC-SHA256; `id` stays the same when the call
 * is repeated.
 */
export function signWebhook({ body, secret, id, now }: { body: string; secret: string; id: string; now: number }): Record<string, string> {
  const seconds = Math.floor(now / 1000)
  return { 'content-type': 'application/json', 'x-outpost-id': id, 'x-outpost-signature': `t=${seconds},v1=${mac(body, seconds, secret)}` }
}

/** Verifies that a call is ours, complete and fresh, as a receiver does; while a secret is being changed try both. */
export function isSignedWebhook({
  body,
  signature,
  secret,
  now,
}: {
  body: string
  signature: string
  secret: string
  now: number
}): boolean {
  const found = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature)
  if (!found) return false
  const seconds = Number(found[1])
  return (
    Math.abs(now / 1000 - seconds) <= toleranceSeconds &&
    timingSafeEqual(Buffer.from(found[2]!, 'hex'), Buffer.from(mac(body, seconds, secret), 'hex'))
  )
}

const mac = (body: string, seconds: number, secret: string) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
