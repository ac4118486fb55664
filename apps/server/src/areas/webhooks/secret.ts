import { createHmac, randomBytes } from 'node:crypto'
import { deriveKeys } from '@outpost/platform/keys'
import { sealText, unsealWithAny } from '@outpost/platform/seal'
import { session } from '../../kernel/session/services.ts'

/** A new secret as the Standard Webhooks scheme writes it. */
export const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

const keys = () => deriveKeys(session().secrets, 'webhooks')
export const sealSecret = (webhookId: string, secret: string): string => sealText(keys()[0], secret, webhookId).toString('base64')
export const openSecret = (webhookId: string, sealed: string): string => unsealWithAny(keys(), Buffer.from(sealed, 'base64'), webhookId)

export interface Signed {
  id: string
  /** Seconds. */
  timestamp: number
  body: string
}

/** The headers of a message (https://www.standardwebhooks.com): signed with each of the secrets, so that one can be replaced without a gap. */
export function signedHeaders({ id, timestamp, body }: Signed, secrets: readonly string[]): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'Outpost-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
