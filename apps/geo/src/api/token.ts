import { fail } from '@outpost/contract/errors'
import { geoAudience } from '@outpost/contract/geo'
import { deriveTokenKeys } from '@outpost/platform/keys'
import { createVerifier } from 'fast-jwt'
import { z } from 'zod'

/** Who a call works for, as the server's token says. */
export interface Caller {
  user: string
  /** The person behind an impersonated user; else the user. */
  realUser: string
  company: string
  /** The tenant chosen in the console; new rows are filed under it. */
  tenant: string
  /** '*' in the whole company, else the tenants in reach. */
  scope: '*' | readonly string[]
  timeZone: string
  permissions: ReadonlySet<string>
  isGlobalAdministrator: boolean
}

const skewSeconds = 30
const longestSeconds = 300

const claimsSchema = z.object({
  sub: z.guid(),
  act: z.guid(),
  cid: z.guid(),
  tid: z.guid(),
  scope: z.union([z.literal('*'), z.array(z.guid()).max(10_000)]),
  tz: z.string().min(1).max(64),
  permissions: z.array(z.string().max(100)).max(200),
  typ: z.literal('service'),
  iat: z.int(),
  exp: z.int(),
})
type Claims = z.infer<typeof claimsSchema>

export interface TokenOptions { secret: string, keyGeneration: number, now: () => number }

/**
 * Reads the Authorization header of a call: a token of the server's, Ed25519, for this service, of a few minutes at
 * most. Stops with NO_SESSION on anything forged, malformed or missing, with SESSION_EXPIRED on a late one.
 */
export function createTokenReader({ secret, keyGeneration, now }: TokenOptions): (authorization: string | undefined) => Caller {
  const verifiers = new Map(deriveTokenKeys(secret, keyGeneration).accepted.map(({ kid, publicKey }) => {
    const key = publicKey.export({ format: 'pem', type: 'spki' })
    // Time is checked below, against our own clock.
    return [kid, createVerifier({ key, algorithms: ['EdDSA'], allowedIss: 'outpost', allowedAud: geoAudience, ignoreExpiration: true })]
  }))
  return (authorization) => {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? '')?.[1]
    // A reach of thousands of tenants makes a long token; a header may hold 16 KiB anyway.
    if (token === undefined) return fail('NO_SESSION')
    const claims = readClaims(token, verifiers)
    const seconds = Math.floor(now() / 1_000)
    if (claims.iat > seconds + skewSeconds || claims.exp - claims.iat > longestSeconds) return fail('NO_SESSION')
    if (claims.exp <= seconds) return fail('SESSION_EXPIRED')
    return callerOf(claims)
  }
}

function callerOf({ sub, act, cid, tid, scope, tz, permissions }: Claims): Caller {
  return {
    user: sub, realUser: act, company: cid, tenant: tid, scope, timeZone: tz,
    permissions: new Set(permissions), isGlobalAdministrator: permissions.includes('*'),
  }
}

function readClaims(token: string, verifiers: ReadonlyMap<string, (token: string) => unknown>): Claims {
  try {
    const { kid } = JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString('utf8')) as { kid?: unknown }
    const verify = typeof kid === 'string' ? verifiers.get(kid) : undefined
    if (verify) return claimsSchema.parse(verify(token))
  } catch {
    // Whatever the library says about it, a bad token is one thing to its caller.
    return fail('NO_SESSION')
  }
  return fail('NO_SESSION')
}
