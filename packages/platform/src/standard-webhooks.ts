import { createHmac, timingSafeEqual } from 'node:crypto'

/** A message as the Standard Webhooks scheme signs it (https://www.standardwebhooks.com). */
export interface SignedMessage {
  id: string
  /** Seconds. */
  timestamp: number
  body: string | Buffer
}

const scheme = 'whsec_'
/** A secret as the scheme writes it, of its bytes; and its bytes again. */
export const writeSecret = (bytes: Buffer): string => `${scheme}${bytes.toString('base64')}`
export const secretBytes = (secret: string): Buffer => Buffer.from(secret.slice(scheme.length), 'base64')

/** The signature of a message by one secret. */
export const signatureOf = (key: Buffer, { id, timestamp, body }: SignedMessage): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`

/** Older or younger messages are refused, so that one that was overheard cannot be sent again. */
const toleranceSeconds = 300

export interface Received {
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
  /** Milliseconds. */
  now: number
}

/** True when one of the secrets signed the message, over the bytes as they came, within five minutes. Compared in constant time. */
export function isSignedStandard(keys: readonly Buffer[], { headers, body, now }: Received): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': at = '', 'webhook-signature': given = '' } = headers
  const timestamp = Number(at)
  if (id === '' || id.length > 200 || !/^\d{1,12}$/.test(at) || Math.abs(now / 1000 - timestamp) > toleranceSeconds) return false
  const offered = given.split(' ').slice(0, 10)
  return keys.some((key) => {
    const wanted = Buffer.from(signatureOf(key, { id, timestamp, body }))
    return offered.some((one) => isSame(Buffer.from(one), wanted))
  })
}

const isSame = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)
