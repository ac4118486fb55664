import { fail } from '@outpost/contract/errors'
import { appendAudit } from '@outpost/platform/audit'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { later } from '../../kernel/session/clock.ts'
import { session, type SessionServices } from '../../kernel/session/services.ts'
import { announceEnd, endSessionsIn } from '../../kernel/session/sessions.ts'
import type { Ctx, RequestInfo } from '../../kernel/types.ts'
import { findAccount } from './accounts.ts'
import { attemptsOf, isHeld, recordFailures } from './attempts.ts'
import { isKnownDevice } from './cookies.ts'
import { settingIn } from '../../kernel/settings/effective.ts'
import { passwordSettings } from './auth.settings.ts'
import { checkPassword } from './password/password-rules.ts'

export interface NewPassword {
  companyId: string
  userId: string
  password: string
  /** Who sets it; the user, an administrator, or null for a link from a mail. */
  changedBy: string | null
  /** Field of the input that a fault names. */
  field?: string
  /** Asks for another one at the next sign-in: an administrator knows this one. */
  mustChange?: boolean
  /** Session to leave open: the one that changes its own password. */
  exceptSessionId?: string
  /** Runs first in the same transaction; false stops everything (a link that was used up meanwhile). */
  guard?: (db: Sql) => Promise<boolean>
}

/**
 * Sets a password and ends the user's other sessions. Stops with WEAK_PASSWORD (fields say why) when it is too
 * short, too long, common, made of names, or one of the last five; with TOKEN_INVALID when the guard says no.
 */
export async function setPassword(change: NewPassword, services: SessionServices = session()): Promise<void> {
  const { companyId, userId, password, field = 'password' } = change
  const shortest = await settingIn(services, passwordSettings.shortest, companyId)
  const fields = await checkPassword({ password, field }, await wordsOf(services, companyId, userId), shortest)
  if (fields.length > 0) fail('WEAK_PASSWORD', { fields })
  await refuseReuse(services, change)
  const hash = await services.passwords.hash(password)
  await services.store.write(companyId, (db) => storePassword(db, services, { ...change, hash }))
  announceEnd(services, change, 'replaced')
}

/**
 * Makes sure that a signed-in person knows the own password, and is not just somebody at an open page or with a token
 * of ten minutes. Wrong ones count as at sign-in. Stops with INVALID naming the field, or TOO_MANY_REQUESTS.
 */
export async function requirePassword(
  { user: { companyId, id } }: Pick<Ctx, 'user'>,
  { password, field }: { password: string; field: string },
  facts: RequestInfo,
): Promise<void> {
  const services = session()
  await attemptsOf(services).inTurn(id, async () => {
    const account = await findAccount(services, companyId, id)
    // Guesses from elsewhere must not keep the owner from the own password.
    if (!account || (isHeld(account, services) && !isKnownDevice(services, facts, [id]))) return fail('TOO_MANY_REQUESTS')
    if (await services.passwords.verify(account.passwordHash ?? undefined, password)) return
    await recordFailures(services, [account], facts)
    fail('INVALID', { fields: [{ field, message: 'is not your password' }] })
  })
}

async function storePassword(db: Sql, services: SessionServices, change: NewPassword & { hash: string }): Promise<void> {
  const { companyId, userId, changedBy, hash, mustChange = false, guard } = change
  const now = later(services.clock)
  if (guard && !(await guard(db))) fail('TOKEN_INVALID')
  // A first password that somebody else wrote (an import, the demo data) has no line in the history yet.
  await db.exec(sql`
    insert into password_history ("companyId", "id", "userId", "passwordHash", "dateCreated")
    select c."companyId", uuidv7(), c."userId", c."passwordHash", c."changedAt" from credential c
    where c."companyId" = ${companyId}::uuid and c."userId" = ${userId}::uuid and not exists (
      select from password_history h where h."companyId" = c."companyId" and h."userId" = c."userId" and h."passwordHash" = c."passwordHash")`)
  await db.exec(sql`
    insert into credential ("companyId", "userId", "passwordHash", "mustChange", "changedAt")
    values (${companyId}::uuid, ${userId}::uuid, ${hash}, ${mustChange}, ${now})
    on conflict ("companyId", "userId") do update set "passwordHash" = excluded."passwordHash", "mustChange" = excluded."mustChange",
      "changedAt" = excluded."changedAt", "failedCount" = 0, "nextTryAt" = null`)
  await db.exec(sql`
    insert into password_history ("companyId", "id", "userId", "passwordHash", "changedByUserId", "dateCreated")
    values (${companyId}::uuid, uuidv7(), ${userId}::uuid, ${hash}, ${changedBy}::uuid, ${now})`)
  await db.exec(sql`
    update app_user set "invitation" = null where "companyId" = ${companyId}::uuid and "id" = ${userId}::uuid and "invitation" is not null`)
  await endSessionsIn(db, services, change, 'replaced')
  await appendAudit(db, { companyId, userId: changedBy, action: 'user.password', objectType: 'user', objectId: userId })
}

async function refuseReuse(services: SessionServices, { companyId, userId, password, field = 'password' }: NewPassword): Promise<void> {
  const remembered = await settingIn(services, passwordSettings.remembered, companyId)
  const before = await services.store.sql.query<{ passwordHash: string }>(sql`
    select "passwordHash" from (
      select "passwordHash", "changedAt" as at from credential where "companyId" = ${companyId}::uuid and "userId" = ${userId}::uuid
      union all
      select "passwordHash", "dateCreated" from password_history where "companyId" = ${companyId}::uuid and "userId" = ${userId}::uuid
    ) used group by "passwordHash" order by max(at) desc limit ${remembered}`)
  for (const { passwordHash } of before) {
    if (await services.passwords.verify(passwordHash, password)) {
      fail('WEAK_PASSWORD', { fields: [{ field, message: `is one of your last ${remembered} passwords` }] })
    }
  }
}

async function wordsOf(services: SessionServices, companyId: string, userId: string): Promise<string[]> {
  const row = await services.store.sql.maybe<{ words: string[] }>(sql`
    select array[u."userName", split_part(u."emailAddress", '@', 1), u."firstName", u."lastName", t."name", t."shortCode"] as words
    from app_user u left join tenant t on t."companyId" = u."companyId" and t."id" = u."companyId"
    where u."companyId" = ${companyId}::uuid and u."id" = ${userId}::uuid`)
  return (row?.words ?? []).filter((word) => word !== null)
}
