import { randomBytes } from 'node:crypto'
import { deriveKeys } from '@outpost/platform/keys'
import { sealText, unsealWithAny } from '@outpost/platform/seal'
import { secretBytes, signatureOf, writeSecret, type SignedMessage } from '@outpost/platform/standard-webhooks'
import { session } from '../../kernel/session/services.ts'

/** A new secret as the Standard Webhooks scheme writes it. */
export const makeSecret = (): string => writeSecret(randomBytes(32))

const keys = () => deriveKeys(session().secrets, 'webhooks')
export const sealSecret = (webhookId: string, secret: string): string => sealText(keys()[0], secret, webhookId).toString('base64')
export const openSecret = (webhookId: string, sealed: string): string => unsealWithAny(keys(), Buffer.from(sealed, 'base64'), webhookId)

/** The headers of a message (https://www.standardwebhooks.com): signed with each of the secrets, so that one can be replaced without a gap. */
export function signedHeaders(message: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const { id, timestamp } = message
  const signatures = secrets.map((secret) => signatureOf(secretBytes(secret), message))
  return {
    'content-type': 'application/json',
    'user-agent': 'Outpost-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
