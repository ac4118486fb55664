import { fail } from '@outpost/contract/errors'
import type { Log } from '@outpost/platform/log'
import { appendAudit } from '@outpost/platform/audit'
import type { Ctx } from '../types.ts'
import { requireAddress } from './addresses.ts'
import { isApiKey } from './tokens/api-keys.ts'
import { makeCtx } from './ctx.ts'
import type { Identity } from './identity.ts'
import type { SessionServices } from './services.ts'
import type { AccessClaims } from './tokens/tokens.ts'

/** What the guard looks at of a request or socket message. */
export interface GuardFacts {
  /** The authorization header. */
  authorization: string | undefined
  /** The x-tenant-id header. */
  tenantId: string | undefined
  requestId: string
  ip: string | null
  log: Log
  method: string
  /** The route's pattern, never the address itself: that may hold a secret. */
  path: string
  /** True for what is answered to a caller who has to choose another password first. */
  beforePasswordChange?: boolean
}

/**
 * From a bearer token, or the key of an API user, to a ctx. Stops with NO_SESSION (none or forged, or a key that is over), SESSION_EXPIRED (late, ended, or older
 * rights), USER_DISABLED, ADDRESS_FORBIDDEN, TENANT_FORBIDDEN (x-tenant-id names a tenant the user does not work in), MUST_CHANGE_PASSWORD.
 */
export async function openCtx(services: SessionServices, facts: GuardFacts): Promise<Ctx> {
  const token = bearer(facts.authorization)
  const identity = isApiKey(token)
    ? await loadApiUser(services, token, facts)
    : await loadSession(services, services.tokens.verifyAccess(token), facts.tenantId)
  requireAddress(services, identity, facts.ip)
  if (identity.mustChangePassword && !facts.beforePasswordChange) fail('MUST_CHANGE_PASSWORD')
  const { requestId, ip, log } = facts
  const ctx = makeCtx({ ...services, identity, log, requestId, ip })
  if (identity.isGlobalAdministrator) await auditGlobalAccess(services, ctx, facts)
  return ctx
}

/** The identity behind an access token, for the tenant asked for. */
export async function loadSession(services: SessionServices, claims: AccessClaims, tenantHeader: string | undefined): Promise<Identity> {
  const tenantId = readTenantId(tenantHeader)
  const identity = await services.identities.load({ companyId: claims.cid, userId: claims.sub, sessionId: claims.sid, tenantId })
  if (identity.session?.version !== claims.ver) fail('SESSION_EXPIRED')
  return identity
}

/** The identity behind an API key: an account like a person's, without a session. */
async function loadApiUser(services: SessionServices, key: string, { tenantId, ip }: GuardFacts): Promise<Identity> {
  const { companyId, userId } = await services.apiKeys.verify(key, ip)
  return services.identities.load({ companyId, userId, sessionId: null, tenantId: readTenantId(tenantId) })
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function readTenantId(header: string | undefined): string | null {
  const text = header?.trim() ?? ''
  if (text === '' || text === 'null' || text === 'undefined') return null
  return uuid.test(text) ? text.toLowerCase() : fail('TENANT_FORBIDDEN')
}

function bearer(authorization: string | undefined): string {
  const [scheme = '', token = '', ...rest] = (authorization ?? '').split(' ')
  return scheme.toLowerCase() === 'bearer' && token !== '' && rest.length === 0 ? token : fail('NO_SESSION')
}

const accesses = new WeakMap<SessionServices, Map<string, number>>()

/** A global administrator passes every permission, so each look into a company (once a minute) and each write is on record. */
async function auditGlobalAccess(services: SessionServices, ctx: Ctx, { method, path }: GuardFacts): Promise<void> {
  const minute = Math.floor(services.clock.now() / 60_000)
  const seen = accesses.get(services) ?? new Map<string, number>()
  accesses.set(services, seen)
  const key = `${ctx.sessionId} ${ctx.company.id}`
  const isWrite = method !== 'GET' && method !== 'HEAD'
  if (!isWrite && seen.get(key) === minute) return
  if (seen.size > 10_000) seen.clear()
  seen.set(key, minute)
  await services.store.write(ctx.company.id, (sql) =>
    appendAudit(sql, {
      companyId: ctx.company.id,
      userId: ctx.user.id,
      realUserId: ctx.realUser.id,
      ip: ctx.ip,
      requestId: ctx.requestId,
      action: isWrite ? 'global.write' : 'global.access',
      objectType: 'company',
      objectId: ctx.company.id,
      after: { method, path },
    }),
  )
}
