import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { fail } from '@outpost/contract/errors'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { openJwtRing } from '@outpost/platform/jwt'
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
export async function createTokens({ secret, generation, clock }: { secret: string; generation: number; clock: Clock }): Promise<Tokens> {
  const { current, accepted } = deriveTokenKeys(secret, generation)
  const privateKey = current.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
  const keys = accepted.map(({ kid, publicKey }) => ({
    kid,
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }) as string,
    ...(kid === current.kid ? { privateKey } : {}),
  }))
  // Time is checked below, against our own clock.
  const { sign, verify } = await openJwtRing({ keys, issuer, audience })
  // A signature costs as much as the rest of a small request; a console sends the same token for ten minutes.
  const known = new LRUCache<string, AccessClaims>({ max: 5_000 })
  const seconds = () => Math.floor(clock.now() / 1_000)

  const verifyAccess = (token: string) => {
    const claims = known.get(token) ?? readClaims(token, verify)
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

function readClaims(token: string, verify: (token: string) => unknown): AccessClaims {
  try {
    if (token.length <= 4_096) return claimsSchema.parse(verify(token))
  } catch {
    // Whatever the library reports, the caller gets one answer for every bad token.
    return fail('NO_SESSION')
  }
  return fail('NO_SESSION')
}
