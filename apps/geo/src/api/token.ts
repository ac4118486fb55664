import { fail } from '@outpost/contract/errors'
import { geoAudience } from '@outpost/contract/geo/calls'
import type { GeoKeys } from '@outpost/platform/geo-keys'
import { openJwtRing } from '@outpost/platform/jwt'
import { z } from 'zod'

/** The caller, as stated in the server's token. */
export interface Caller {
  user: string
  /** The real user behind an impersonated one; else the user. */
  realUser: string
  company: string
  /** The tenant chosen in the console; new rows are filed under it. */
  tenant: string
  /** '*' for the whole company, else the tenants in reach. */
  scope: '*' | readonly string[]
  timeZone: string
  permissions: ReadonlySet<string>
  isGlobalAdministrator: boolean
}

const skewSeconds = 30
const maxSeconds = 300

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

export interface TokenOptions {
  keys: GeoKeys['tokenKeys']
  now: () => number
}

/**
 * Verifies the Authorization header: a short-lived Ed25519 token of the server for this service. Throws NO_SESSION when it is forged,
 * malformed or missing, and SESSION_EXPIRED when it is late.
 */
export async function createTokenReader({ keys, now }: TokenOptions): Promise<(authorization: string | undefined) => Caller> {
  // Expiry is checked below, against the clock that tests can set.
  const { verify } = await openJwtRing({ keys, issuer: 'outpost', audience: geoAudience })
  return (authorization) => {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? '')?.[1]
    // A reach of thousands of tenants makes a long token; headers are limited to 16 KiB anyway.
    if (token === undefined) return fail('NO_SESSION')
    const claims = readClaims(token, verify)
    const seconds = Math.floor(now() / 1_000)
    if (claims.iat > seconds + skewSeconds || claims.exp - claims.iat > maxSeconds) return fail('NO_SESSION')
    if (claims.exp <= seconds) return fail('SESSION_EXPIRED')
    return callerOf(claims)
  }
}

function callerOf({ sub, act, cid, tid, scope, tz, permissions }: Claims): Caller {
  return {
    user: sub,
    realUser: act,
    company: cid,
    tenant: tid,
    scope,
    timeZone: tz,
    permissions: new Set(permissions),
    isGlobalAdministrator: permissions.includes('*'),
  }
}

function readClaims(token: string, verify: (token: string) => unknown): Claims {
  try {
    return claimsSchema.parse(verify(token))
  } catch {
    // Every library error is the same NO_SESSION to the caller.
    return fail('NO_SESSION')
  }
}
