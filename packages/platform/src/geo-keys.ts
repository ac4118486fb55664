import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { rolePassword } from './db/roles.ts'
import { deriveKey, deriveTokenKeys } from './keys.ts'

function keySchema() {
  return z.base64().refine((text) => Buffer.from(text, 'base64').length === 32, 'has not 32 bytes')
}

/**
 * All that the geo service is given: it parses what strangers send, so it has neither the master secret nor anything the secret could be
 * computed from. JSON of GEO_KEYS.
 */
export const geoKeysSchema = z.strictObject({
  /** Passwords of its roles; fx_queue only where Postgres is the bus between the programs. */
  passwords: z.strictObject({ fx_geo: z.string().min(32), fx_ingest: z.string().min(32), fx_queue: z.string().min(32).optional() }),
  /** Public keys of the server's tokens, by their id (PEM, Ed25519). */
  tokenKeys: z.array(z.strictObject({ kid: z.string().min(1), publicKey: z.string().refine(isPublicKey, 'is no public key') })).min(1),
  /** Seals the tokens of feeds, which nobody else reads (32 bytes, base64). */
  feedKey: keySchema(),
  /** Those of former master secrets, newest first. */
  formerFeedKeys: z.array(keySchema()).optional(),
})
export type GeoKeys = z.infer<typeof geoKeysSchema>

export interface GeoKeysOptions {
  /** The master secret. */
  secret: string
  /** SECRETS_BEFORE. */
  formerSecrets?: readonly string[]
  /** ACCESS_SECRET, of which the server's token keys are. */
  accessSecret?: string | undefined
  /** Of its roles' passwords, GEO_SECRET. */
  geoSecret?: string | undefined
  /** TOKEN_KEY_GENERATION. */
  generation?: number
  /** True where programs speak over Redis. */
  hasRedis?: boolean
}

/** Derives the keys of the geo service; only whoever deploys can. */
export function geoKeysOf({
  secret,
  formerSecrets = [],
  accessSecret = secret,
  geoSecret = accessSecret,
  generation = 1,
  hasRedis = false,
}: GeoKeysOptions): GeoKeys {
  const own = { fx_geo: rolePassword('fx_geo', geoSecret), fx_ingest: rolePassword('fx_ingest', geoSecret) }
  return {
    passwords: hasRedis ? own : { ...own, fx_queue: rolePassword('fx_queue', accessSecret) },
    tokenKeys: deriveTokenKeys(accessSecret, generation).accepted.map(({ kid, publicKey }) => ({
      kid,
      publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    })),
    feedKey: deriveKey(secret, 'feed tokens').toString('base64'),
    ...(formerSecrets.length > 0 ? { formerFeedKeys: formerSecrets.map((one) => deriveKey(one, 'feed tokens').toString('base64')) } : {}),
  }
}

function isPublicKey(text: string): boolean {
  try {
    // A private key would pass too: createPublicKey computes the public one from it.
    return !text.includes('PRIVATE') && createPublicKey(text).asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}
