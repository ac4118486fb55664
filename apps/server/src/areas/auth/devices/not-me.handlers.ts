import { fail } from '@outpost/contract/errors'
import { appendAudit } from '@outpost/platform/audit'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { later } from '../../../kernel/session/clock.ts'
import { findOneTime, issueOneTime, redeemOneTime } from '../../../kernel/session/tokens/one-time.ts'
import { session } from '../../../kernel/session/services.ts'
import { announceEnd, endSessionsIn } from '../../../kernel/session/sessions.ts'
import type { Answer } from '../../../kernel/types.ts'
import { findAccount } from '../accounts.ts'
import { removePasskeys } from '../passkeys/passkeys.ts'
import { removeFactorSince } from '../factor/second-factor.ts'

export const notMeInput = z.strictObject({ token: z.string().min(1).max(200) })

/**
 * "This was not me", from the mail about a new device: every session ends, and the password that somebody else knows
 * is no good from now on, so that they cannot come back before a new one is chosen, with data.resetToken. A password
 * changed since does not stop it, for it may be they who changed it; a second factor and passkeys that were set up since go
 * too, while the person's own of before stay. Stops with TOKEN_INVALID.
 */
export async function notMe({ token }: z.infer<typeof notMeInput>): Promise<Answer> {
  const services = session()
  const known = await findOneTime(services.store.sql, 'notMe', token)
  const account = known && (await findAccount(services, known.companyId, known.userId))
  // The link proves access to a mailbox, and must not prove it for a former one.
  if (!known || account?.status !== 1 || account.emailAddress !== known.data['emailAddress']) return fail('TOKEN_INVALID')
  const { companyId, userId } = known
  const resetToken = await services.store.write(companyId, async (db) => {
    if (!(await redeemOneTime(db, services.clock, 'notMe', token))) return fail('TOKEN_INVALID')
    await endSessionsIn(db, services, known, 'replaced')
    await dropKeys(db, { companyId, userId, now: later(services.clock) })
    const since = new Date(String(known.data['signedInAt'] ?? known.dateCreated))
    await removePasskeys(db, known, { since })
    await removeFactorSince(db, known, since)
    await appendAudit(db, { companyId, userId, action: 'user.notMe', objectType: 'user', objectId: userId })
    return issueOneTime(db, services.clock, { purpose: 'reset', companyId, userId, data: { kind: 'reset' } })
  })
  announceEnd(services, known, 'replaced')
  return { data: { resetToken }, message: 'All sessions have ended and the old password is no good any more. Choose a new one.' }
}

/** Everything that signs in or reads without a session: the password (kept to refuse its reuse), devices, calendars. */
async function dropKeys(db: Sql, { companyId, userId, now }: { companyId: string; userId: string; now: Date }): Promise<void> {
  await db.exec(sql`
    insert into password_history ("companyId", "id", "userId", "passwordHash", "dateCreated")
    select c."companyId", uuidv7(), c."userId", c."passwordHash", c."changedAt" from credential c
    where c."companyId" = ${companyId}::uuid and c."userId" = ${userId}::uuid and not exists (
      select from password_history h where h."companyId" = c."companyId" and h."userId" = c."userId" and h."passwordHash" = c."passwordHash")`)
  await db.exec(sql`delete from credential where "companyId" = ${companyId}::uuid and "userId" = ${userId}::uuid`)
  await db.exec(
    sql`update user_device set "revokedAt" = ${now} where "companyId" = ${companyId}::uuid and "userId" = ${userId}::uuid and "revokedAt" is null`,
  )
  await db.exec(sql`delete from calendar_feed where "userId" = ${userId}::uuid`)
}
