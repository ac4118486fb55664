import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { later } from './clock.ts'
import type { SessionRow } from './identity-query.ts'
import { makeSecret } from './tokens/opaque.ts'
import type { PolicyName } from './policy.ts'
import { endSession, insertRefreshToken } from './tokens/refresh.ts'
import type { SessionServices } from './services.ts'

/** Who vouched for the person: an identity provider, by its names for the person and for the session there. */
export interface SessionProvider {
  providerId: string
  nameId: string
  nameIdFormat: string | null
  nameQualifier: string | null
  spNameQualifier: string | null
  sessionIndex: string | null
}

export interface NewSession {
  /** Home company of the user. */
  companyId: string
  userId: string
  policy: PolicyName
  /** Of sessionTimes(), read before the transaction: who holds a connection must not wait for another one. */
  times: { idle: number; absolute: number }
  ip: string | null
  userAgent: string | null
  deviceId?: string | null
  /** Kind of the login_event row. */
  kind: 'login' | 'impersonation' | 'biometric' | 'code' | 'passkey' | 'saml'
  isNewDevice?: boolean
  /** The program that the session is opened for. */
  oauthClientId?: string | null
  provider?: SessionProvider | undefined
  impersonation?: { parentId: string; actorUserId: string; actorCompanyId: string; reason: string; seconds: number }
}

export interface OpenedSession {
  session: SessionRow
  refreshToken: string
  /** Its line in the sign-in history. */
  eventId: string
}

/** Opens a session with its first refresh token and records the login; runs in the caller's transaction. */
export async function openSession({ clock }: SessionServices, db: Sql, opening: NewSession): Promise<OpenedSession> {
  const {
    companyId,
    userId,
    policy,
    times,
    ip,
    userAgent,
    deviceId = null,
    impersonation,
    kind,
    isNewDevice = false,
    oauthClientId = null,
    provider,
  } = opening
  const now = later(clock)
  const ends = later(clock, impersonation?.seconds ?? times.absolute)
  const session = await db.one<SessionRow>(sql`
    insert into session ("companyId", "id", "userId", "policy", "deviceId", "userAgent", "ip", "parentId", "actorUserId",
      "actorCompanyId", "reason", "idleSeconds", "oauthClientId", "dateCreated", "lastSeenAt", "expiresAt")
    values (${companyId}::uuid, uuidv7(), ${userId}::uuid, ${policy}, ${deviceId}::uuid, ${userAgent?.slice(0, 300)}, ${ip},
      ${impersonation?.parentId}::uuid, ${impersonation?.actorUserId}::uuid, ${impersonation?.actorCompanyId}::uuid,
      ${impersonation?.reason}, ${times.idle}, ${oauthClientId}::uuid, ${now}, ${now}, ${ends})
    returning *`)
  if (provider) await keepProvider(db, session, provider)
  await sweep(db, now, companyId, userId)
  const refreshToken = makeSecret()
  await insertRefreshToken(db, clock, { session, token: refreshToken })
  const { eventId } = await db.one<{ eventId: string }>(sql`
    insert into login_event ("companyId", "id", "userId", "kind", "ip", "userAgent", "actorUserId", "detail", "isNewDevice", "dateCreated")
    values (${companyId}::uuid, uuidv7(), ${userId}::uuid, ${kind === 'impersonation' ? kind : 'login'}, ${ip},
      ${userAgent?.slice(0, 300)}, ${impersonation?.actorUserId}::uuid, ${impersonation?.reason ?? kind}, ${isNewDevice}, ${now})
    returning "id" as "eventId"`)
  if (!impersonation) {
    await db.exec(sql`update app_user set "lastSeenAt" = ${now} where "companyId" = ${companyId}::uuid and "id" = ${userId}::uuid`)
  }
  return { session, refreshToken, eventId }
}

async function keepProvider(db: Sql, { companyId, id }: SessionRow, provider: SessionProvider): Promise<void> {
  const { providerId, nameId, nameIdFormat, nameQualifier, spNameQualifier, sessionIndex } = provider
  await db.exec(sql`
    insert into session_provider ("companyId", "sessionId", "providerId", "nameId", "nameIdFormat", "nameQualifier", "spNameQualifier", "sessionIndex")
    values (${companyId}::uuid, ${id}::uuid, ${providerId}::uuid, ${nameId}, ${nameIdFormat}, ${nameQualifier}, ${spNameQualifier}, ${sessionIndex})`)
}

/** Secrets of the user that are long past use; whoever signs in tidies up behind himself. */
async function sweep(db: Sql, now: Date, companyId: string, userId: string): Promise<void> {
  const longAgo = new Date(now.getTime() - 86_400_000)
  await db.exec(sql`
    delete from refresh_token r using session s
    where s."companyId" = ${companyId}::uuid and s."userId" = ${userId}::uuid
      and r."companyId" = s."companyId" and r."sessionId" = s."id" and r."expiresAt" < ${longAgo}`)
  await db.exec(
    sql`delete from one_time_token where "companyId" = ${companyId}::uuid and "userId" = ${userId}::uuid and "expiresAt" < ${longAgo}`,
  )
}

/** The access token of a session. */
export function accessTokenOf({ tokens }: SessionServices, session: SessionRow): string {
  const { userId, id, companyId, version, actorUserId, actorCompanyId } = session
  const act = actorUserId && actorCompanyId ? { act: { sub: actorUserId, cid: actorCompanyId } } : {}
  return tokens.signAccess({ sub: userId, sid: id, cid: companyId, ver: version, ...act }, new Date(session.expiresAt))
}

export interface WhoseSessions {
  companyId: string
  userId: string
  exceptSessionId?: string
}

/** Ends the sessions of a user (all but one, if asked) at once, in every process; gives their number. */
export async function endSessionsOf(services: SessionServices, whose: WhoseSessions, reason: string): Promise<number> {
  const ended = await services.store.write(null, (db) => endSessionsIn(db, services, whose, reason))
  announceEnd(services, whose, reason)
  return ended
}

/** The same inside the caller's transaction; announceEnd must follow its commit. */
export function endSessionsIn(
  db: Sql,
  { clock }: SessionServices,
  { companyId, userId, exceptSessionId }: WhoseSessions,
  reason: string,
): Promise<number> {
  return db.exec(sql`
    update session set "endedAt" = ${later(clock)}, "endReason" = ${reason}
    where "companyId" = ${companyId}::uuid and "userId" = ${userId}::uuid and "endedAt" is null
      and "id" is distinct from ${exceptSessionId}::uuid`)
}

/** Tells every process that sessions of a user are over; open sockets close. */
export function announceEnd(services: SessionServices, { companyId, userId }: WhoseSessions, reason: string): void {
  services.changed({ companyId, userId, reason: changeReason(reason) })
}

/** Ends one session at once, in every process; false when it was over already. */
export async function endOneSession(
  services: SessionServices,
  session: Pick<SessionRow, 'companyId' | 'id' | 'userId'>,
  reason: string,
): Promise<boolean> {
  const isEnded = await services.store.write(null, async (db) => {
    const done = await endSession(db, services.clock, { session, reason })
    // A device that signs in by biometrics is bound to its session: both go together.
    await db.exec(sql`
      update user_device set "revokedAt" = ${later(services.clock)}
      where "companyId" = ${session.companyId}::uuid and "sessionId" = ${session.id}::uuid and "revokedAt" is null`)
    if (done && reason === 'logout') {
      await db.exec(sql`
        insert into login_event ("companyId", "id", "userId", "kind", "dateCreated")
        values (${session.companyId}::uuid, uuidv7(), ${session.userId}::uuid, 'logout', ${later(services.clock)})`)
    }
    return done
  })
  // By user, not by session: what was impersonated through this session ends with it.
  const { companyId, userId, id } = session
  services.changed({ companyId, userId, sessionId: id, reason: changeReason(reason) })
  return isEnded
}

/** The reason as sockets send it. */
function changeReason(reason: string): 'logout' | 'disabled' | 'expired' | 'replaced' | 'wiped' {
  return reason === 'logout' || reason === 'disabled' || reason === 'expired' || reason === 'wiped' ? reason : 'replaced'
}
