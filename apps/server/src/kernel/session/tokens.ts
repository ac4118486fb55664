import { randomUUID } from 'node:crypto'
import { createSigner, createVerifier } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import { fail } from '@outpost/contract/errors'
import { z } from 'zod'
import type { Clock } from './clock.ts'
import { deriveTokenKeys } from '@outpost/platform/keys'

/** An access token lives this long; rights are looked up on every request, so it only names a session. */
export const accessTokenSeconds = 600
const issuer = 'outpost'
const audience = 'outpost-api'
const skewSeconds = 30

const claimsSchema = z.object({
  sub: z.guid(),
  sid: z.guid(),
  /** Company (or group) that is the user's home; the company worked in is chosen per request. */
  cid: z.guid(),
  ver: z.int(),
  typ: z.literal('access'),
  iss: z.literal(issuer),
  aud: z.literal(audience),
  iat: z.number(),
  exp: z.number(),
  jti: z.string(),
  /** Who really acts, under impersonation. */
  act: z.object({ sub: z.guid(), cid: z.guid() }).optional(),
})
export type AccessClaims = z.infer<typeof claimsSchema>
export type SessionClaims = Pick<AccessClaims, 'sub' | 'sid' | 'cid' | 'ver' | 'act'>

export interface Tokens {
  /** Makes an access token that ends with the session at the latest. */
  signAccess(claims: SessionClaims, sessionEndsAt: Date): string
  /** The claims of a good token. Stops with NO_SESSION on anything forged or malformed, SESSION_EXPIRED on a late one. */
  verifyAccess(token: string): AccessClaims
  /** True for a good token of somebody who acts in another's name; false for all else. */
  isImpersonation(token: string): boolean
  /** A token for another service of this installation (aud names it), good for `seconds`. */
  signService(aud: string, claims: Record<string, unknown>, seconds: number): string
}

/** Access tokens: Ed25519 only, fixed issuer and audience, every claim required. */
export function createTokens({ secret, generation, clock }: { secret: string; generation: number; clock: Clock }): Tokens {
  const keys = deriveTokenKeys(secret, generation)
  const privateKey = keys.current.privateKey.export({ format: 'pem', type: 'pkcs8' })
  const sign = createSigner({ key: privateKey, algorithm: 'EdDSA', kid: keys.current.kid })
  const verifiers = new Map(
    keys.accepted.map(({ kid, publicKey }) => {
      const key = publicKey.export({ format: 'pem', type: 'spki' })
      // Time is checked below, against our own clock.
      return [kid, createVerifier({ key, algorithms: ['EdDSA'], allowedIss: issuer, allowedAud: audience, ignoreExpiration: true })]
    }),
  )
  // A signature costs as much as the rest of a small request; a console sends the same token for ten minutes.
  const known = new LRUCache<string, AccessClaims>({ max: 5_000 })
  const seconds = () => Math.floor(clock.now() / 1_000)

  const verifyAccess = (token: string) => {
    const claims = known.get(token) ?? readClaims(token, verifiers)
    known.set(token, claims)
    if (claims.exp <= seconds()) fail('SESSION_EXPIRED')
    if (claims.iat > seconds() + skewSeconds) fail('NO_SESSION')
    return claims
  }
  return {
    verifyAccess,
    isImpersonation: (token) => {
      try {
        return verifyAccess(token).act !== undefined
      } catch {
        return false // who sends no good token acts for nobody
      }
    },
    signAccess: (claims, sessionEndsAt) => {
      const exp = Math.min(seconds() + accessTokenSeconds, Math.floor(sessionEndsAt.getTime() / 1_000))
      return sign({ ...claims, typ: 'access', iss: issuer, aud: audience, iat: seconds(), exp, jti: randomUUID() })
    },
    signService: (aud, claims, lifetime) =>
      sign({ ...claims, typ: 'service', iss: issuer, aud, iat: seconds(), exp: seconds() + lifetime, jti: randomUUID() }),
  }
}

type Verifier = (token: string) => unknown

function readClaims(token: string, verifiers: ReadonlyMap<string, Verifier>): AccessClaims {
  try {
    const verify = verifiers.get(kidOf(token))
    if (verify) return claimsSchema.parse(verify(token))
  } catch {
    // Whatever the library reports, the caller gets one answer for every bad token.
    return fail('NO_SESSION')
  }
  return fail('NO_SESSION')
}

function kidOf(token: string): string {
  const [header = ''] = token.split('.', 1)
  if (token.length > 4_096) return ''
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as { kid?: unknown }
  return typeof kid === 'string' ? kid : ''
}
