import { fail } from '@outpost/contract/errors'
import { LRUCache } from 'lru-cache'
import type { CompanyRef, TenantRef } from '../types.ts'
import { rangesOf } from './addresses.ts'
import type { Clock } from './clock.ts'
import { identityStatement, type IdentityKey, type IdentityRow, type PersonRow, type SessionRow, type TenantRow } from './identity-query.ts'
import { isGlobalAdministrator } from './policy.ts'
import type { SessionChange } from './change.ts'
import type { AuthStore } from './store.ts'

/** Rights are looked up at most this long after they changed, even if no message about the change arrives. */
export const identityMilliseconds = 5_000

/** Who a caller is and where that caller works. */
export interface Identity {
  person: PersonRow
  /** Null for work without a session: jobs. */
  session: SessionRow | null
  /** The administrator behind an impersonated user. */
  actor: PersonRow | null
  roles: readonly { name: string; systemRole: string | null }[]
  ownPermissions: readonly string[]
  rolePermissions: readonly string[]
  permissions: ReadonlySet<string>
  isGlobalAdministrator: boolean
  /** The person, in person, has to choose another password before anything else. */
  mustChangePassword: boolean
  assigned: readonly TenantRef[]
  /** What the user selected; differs from `tenant` only for a group. */
  selected: TenantRef
  tenant: TenantRef
  company: CompanyRef
  scope: '*' | readonly string[]
  /** Addresses to call from; null: from anywhere. */
  ranges: readonly string[] | null
}

export interface Identities {
  /** Stops with SESSION_EXPIRED, DEVICE_SIGNED_OUT, USER_DISABLED or TENANT_FORBIDDEN. */
  load(key: IdentityKey): Promise<Identity>
  /** Forgets what is known of a user, a session, or everybody in a company. */
  forget(change: SessionChange): void
}

interface Remembered {
  at: number
  identity: Promise<Identity>
  key: IdentityKey
  found?: Identity
}

/** Loads identities in one query each and remembers them for at most five seconds. */
export function createIdentities({ store, clock }: { store: AuthStore; clock: Clock }): Identities {
  const known = new LRUCache<string, Remembered>({ max: 10_000 })
  const load = (key: IdentityKey) => {
    const name = `${key.companyId} ${key.userId} ${key.sessionId} ${key.tenantId}`
    const before = known.get(name)
    if (before && clock.now() - before.at < identityMilliseconds && clock.now() >= before.at) return before.identity
    const identity = loadIdentity(store, key, new Date(clock.now()))
    const entry: Remembered = { at: clock.now(), identity, key }
    known.set(name, entry)
    identity.then(
      (found) => {
        entry.found = found
      },
      // A refusal is never remembered: it may rest on a database that was down for a moment.
      () => {
        if (known.peek(name) === entry) known.delete(name)
      },
    )
    return identity
  }
  const forget = (change: SessionChange) => {
    for (const [name, entry] of known.entries()) if (concerns(change, entry)) known.delete(name)
  }
  return { load, forget }
}

function concerns({ userId, sessionId, companyId }: SessionChange, { key, found }: Remembered): boolean {
  // What is impersonated through a session, or by a person, changes with it.
  if (sessionId !== undefined) return key.sessionId === sessionId || found?.session?.parentId === sessionId
  if (userId !== undefined) return key.userId === userId || found?.actor?.id === userId
  return key.companyId === companyId || found?.company.id === companyId
}

async function loadIdentity(store: AuthStore, key: IdentityKey, now: Date): Promise<Identity> {
  const row = await store.sql.maybe<IdentityRow>(identityStatement(key, now))
  if (!row?.person) return fail('NO_SESSION')
  requireLivingSession(row, key, now)
  if (row.person.status !== 1 || row.person.deletedAt !== null) fail('USER_DISABLED')
  const { chosen, work, company } = row
  if (!chosen || !work || !company) return fail('TENANT_FORBIDDEN')
  const scopes = scopesOf(row.client)
  const isGlobal = isGlobalAdministrator(row.roles)
  const own = isGlobal && scopes ? [...scopes] : cutTo(scopes, row.permissions)
  const ofRoles = cutTo(scopes, row.rolePermissions)
  return {
    person: row.person,
    session: row.session,
    actor: row.actor,
    roles: row.roles,
    ownPermissions: own,
    rolePermissions: ofRoles,
    permissions: new Set([...own, ...ofRoles]),
    isGlobalAdministrator: isGlobal && !scopes,
    mustChangePassword: row.mustChange === true && row.session !== null && row.actor === null,
    assigned: row.assigned.map(toTenantRef),
    selected: toTenantRef(chosen),
    tenant: toTenantRef(work),
    company: toCompanyRef(company, row.firstDay),
    scope: work.type > 2 ? (row.reach ?? []) : '*',
    ranges: rangesOf(row.addressRules),
  }
}

/** What the program that acts for the person may at most; undefined: all that the person may. */
function scopesOf(client: IdentityRow['client']): ReadonlySet<string> | undefined {
  return client && client.scopes.length > 0 ? new Set(client.scopes) : undefined
}

const cutTo = (scopes: ReadonlySet<string> | undefined, permissions: readonly string[]) =>
  scopes ? permissions.filter((permission) => scopes.has(permission)) : permissions

/** What a session is refused with, by the reason of its end. */
const endings: Partial<Record<string, 'USER_DISABLED' | 'DEVICE_SIGNED_OUT'>> = Object.assign(Object.create(null), {
  disabled: 'USER_DISABLED',
  wiped: 'DEVICE_SIGNED_OUT',
})

function requireLivingSession({ session, client, actorStands }: IdentityRow, { sessionId }: IdentityKey, now: Date): void {
  if (sessionId === null) return
  if (!session) return fail('NO_SESSION')
  const isOver = session.endedAt !== null || new Date(session.expiresAt) <= now || (session.oauthClientId !== null && client === null)
  // An impersonation ends with the session, the account or the right of the one who started it.
  if (isOver || (session.actorUserId !== null && actorStands !== true)) {
    fail(endings[session.endReason ?? ''] ?? 'SESSION_EXPIRED')
  }
}

export function toTenantRef(row: TenantRow): TenantRef {
  const { id, companyId, parentId, name, shortCode, type, path, isLocationRequired } = row
  return { id, companyId, parentId, name, shortCode, type, path, locationRequired: isLocationRequired }
}

function toCompanyRef({ id, name, country, currency, timeZone }: NonNullable<IdentityRow['company']>, firstDay: string | null): CompanyRef {
  return {
    id,
    name,
    country: country?.trim() || 'ZA',
    currency: currency?.trim() || 'ZAR',
    timeZone: timeZone || 'Africa/Johannesburg',
    ...(firstDay === null ? {} : { firstDay }),
  }
}
