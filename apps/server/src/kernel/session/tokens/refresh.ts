import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { later, type Clock } from '../clock.ts'
import type { Moment, SessionRow } from '../identity-query.ts'
import { hashSecret, isSecretShaped, makeSecret, seal, unseal } from './opaque.ts'
import { policies, type PolicyName } from '../policy.ts'
import type { AuthStore } from '../store.ts'

/**
 * A token may be shown again this long after it was used: the answer may have been lost on the way. Whoever shows it
 * from the device it was used on gets longer than the longest wait of a client of ours before it asks again.
 */
const graceSeconds = 10
const sameDeviceGraceSeconds = 60

export type Refreshed =
  | { kind: 'good'; session: SessionRow; refreshToken: string; idleSeconds: number }
  /** Unknown, expired, of an ended session, or shown by another device. */
  | { kind: 'refused' }
  /** Of a session that the office ended on its device, which forgets then what it holds. */
  | { kind: 'wiped' }
  /** Of a person who is deactivated; their device forgets as well. */
  | { kind: 'disabled' }
  /** Used before: somebody else holds a copy, so the whole family is ended. */
  | { kind: 'reused'; session: SessionRow }

interface TokenRow {
  companyId: string
  sessionId: string
  usedAt: Moment | null
  successor: Buffer | null
  endReason: string | null
  isDeactivated: boolean
}

export interface RefreshOptions {
  token: string
  /** x-device-id; must equal the session's device when the session is bound to one. */
  deviceId: string | null
  /** The address that the call comes from. */
  ip: string
  /** True for a caller whom the browser's own mark shows to be on a device of this user. */
  isDeviceOf?: (userId: string) => boolean
  /** Biometric sign-in: only a token of a registered, not revoked device is good. */
  mustBeDevice?: boolean
}

/**
 * Exchanges a refresh token for its one successor. The exchange is a single UPDATE: of parallel callers exactly
 * one wins and the others, within the grace, are given the very same successor, which only the parent opens.
 */
export async function rotate({ store, clock }: { store: AuthStore; clock: Clock }, options: RefreshOptions): Promise<Refreshed> {
  if (!isSecretShaped(options.token)) return { kind: 'refused' }
  return store.write(null, async (db) => {
    const successor = makeSecret()
    const session = await take(db, clock, { ...options, successor })
    if (session) {
      await insertRefreshToken(db, clock, { session, token: successor, parent: options.token })
      await touch(db, clock, { session, ip: options.ip })
      return good(session, successor)
    }
    return refreshUsed(db, clock, options)
  })
}

async function take(db: Sql, clock: Clock, { token, deviceId, mustBeDevice, successor }: RefreshOptions & { successor: string }) {
  const now = later(clock)
  return db.maybe<SessionRow>(sql`
    update refresh_token r set "usedAt" = ${now}, "successor" = ${seal(token, successor)}
    from session s
    where r."tokenHash" = ${hashSecret(token)} and r."usedAt" is null and r."expiresAt" > ${now}
      and s."companyId" = r."companyId" and s."id" = r."sessionId" and s."endedAt" is null and s."expiresAt" > ${now}
      and (s."deviceId" is null or s."deviceId" = ${deviceId}::uuid and exists (
        select from user_device d where d."companyId" = s."companyId" and d."userId" = s."userId" and d."sessionId" = s."id" and d."revokedAt" is null))
      and (s."parentId" is null or exists (
        select from session p where p."companyId" = s."actorCompanyId" and p."id" = s."parentId" and p."endedAt" is null and p."expiresAt" > ${now}))
      and (not ${mustBeDevice ?? false}::boolean or s."deviceId" is not null)
    returning s.*`)
}

/** The token was not there for the taking: within the grace its successor is repeated, later the family ends. */
async function refreshUsed(db: Sql, clock: Clock, { token, deviceId, isDeviceOf }: RefreshOptions): Promise<Refreshed> {
  const row = await db.maybe<TokenRow>(sql`
    select r."companyId", r."sessionId", r."usedAt", r."successor", s."endReason", u."status" <> 1 or u."deletedAt" is not null as "isDeactivated" from refresh_token r
    join session s on s."companyId" = r."companyId" and s."id" = r."sessionId"
    join app_user u on u."companyId" = s."companyId" and u."id" = s."userId" where r."tokenHash" = ${hashSecret(token)}`)
  if (row?.endReason === 'wiped') return { kind: 'wiped' }
  if (row?.isDeactivated) return { kind: 'disabled' }
  if (!row?.usedAt || !row.successor) return { kind: 'refused' }
  const session = await db.maybe<SessionRow>(sql`
    select * from session where "companyId" = ${row.companyId}::uuid and "id" = ${row.sessionId}::uuid and "endedAt" is null and "expiresAt" > ${later(clock)} for update`)
  if (!session || (session.deviceId !== null && session.deviceId !== deviceId)) return { kind: 'refused' }
  const successor = unseal(token, row.successor)
  const isDirectParent = await db.maybe(sql`
    select 1 as one from refresh_token where "tokenHash" = ${hashSecret(successor)} and "usedAt" is null`)
  const age = clock.now() - new Date(row.usedAt).getTime()
  const isSameDevice = session.deviceId !== null || isDeviceOf?.(session.actorUserId ?? session.userId) === true
  if (isDirectParent && age <= (isSameDevice ? sameDeviceGraceSeconds : graceSeconds) * 1_000) return good(session, successor)
  await endSession(db, clock, { session, reason: 'refresh-reuse' })
  await db.exec(sql`
    insert into login_event ("companyId", "id", "userId", "kind", "detail", "dateCreated")
    values (${session.companyId}::uuid, uuidv7(), ${session.userId}::uuid, 'refresh-reuse', ${session.id}, ${later(clock)})`)
  return { kind: 'reused', session }
}

function good(session: SessionRow, refreshToken: string): Refreshed {
  return { kind: 'good', session, refreshToken, idleSeconds: idleOf(session) }
}

/** Seconds without use that the session survives: as the company had it when it began. */
export function idleOf({ policy, idleSeconds }: Pick<SessionRow, 'policy' | 'idleSeconds'>): number {
  return idleSeconds ?? policies[policy as PolicyName]?.idle ?? policies.office.idle
}

/** Stores a refresh token of a session; it ends after the idle time, with the session at the latest. */
export async function insertRefreshToken(
  db: Sql,
  clock: Clock,
  { session, token, parent }: { session: SessionRow; token: string; parent?: string },
): Promise<void> {
  const ends = new Date(Math.min(later(clock, idleOf(session)).getTime(), new Date(session.expiresAt).getTime()))
  await db.exec(sql`
    insert into refresh_token ("companyId", "tokenHash", "sessionId", "parentHash", "dateCreated", "expiresAt")
    values (${session.companyId}::uuid, ${hashSecret(token)}, ${session.id}::uuid, ${parent ? hashSecret(parent) : null}, ${later(clock)}, ${ends})`)
}

/** Where and when a session was last used: with each refresh, so that no request costs a write. */
async function touch(db: Sql, clock: Clock, { session, ip }: { session: SessionRow; ip: string }): Promise<void> {
  const now = later(clock)
  await db.exec(
    sql`update session set "lastSeenAt" = ${now}, "lastIp" = ${ip} where "companyId" = ${session.companyId}::uuid and "id" = ${session.id}::uuid`,
  )
  await db.exec(
    sql`update app_user set "lastSeenAt" = ${now} where "companyId" = ${session.companyId}::uuid and "id" = ${session.userId}::uuid`,
  )
  if (session.parentId === null || session.actorCompanyId === null) return
  // Who impersonates is at work: the own session must not fall asleep meanwhile.
  await db.exec(sql`
    update refresh_token r set "expiresAt" = least(s."expiresAt", ${now}::timestamptz + make_interval(secs => coalesce(s."idleSeconds", ${policies.admin.idle}))) from session s
    where r."companyId" = ${session.actorCompanyId}::uuid and r."sessionId" = ${session.parentId}::uuid and r."usedAt" is null
      and s."companyId" = r."companyId" and s."id" = r."sessionId" and r."expiresAt" > ${now}`)
}

/** Ends a session, and with it those it impersonates through; true when it was still open. */
export async function endSession(
  db: Sql,
  clock: Clock,
  { session, reason }: { session: Pick<SessionRow, 'companyId' | 'id'>; reason: string },
): Promise<boolean> {
  const now = later(clock)
  const ended = await db.exec(sql`
    update session set "endedAt" = ${now}, "endReason" = ${reason}
    where "companyId" = ${session.companyId}::uuid and "id" = ${session.id}::uuid and "endedAt" is null`)
  return ended > 0
}
