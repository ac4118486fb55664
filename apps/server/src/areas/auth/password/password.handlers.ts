import { setTimeout as wait } from 'node:timers/promises'
import { fail } from '@outpost/contract/errors'
import { appendAudit } from '@outpost/platform/audit'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { later } from '../../../kernel/session/clock.ts'
import { findOneTime, issueOneTime, redeemOneTime } from '../../../kernel/session/tokens/one-time.ts'
import { session, type SessionServices } from '../../../kernel/session/services.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Answer } from '../../../kernel/types.ts'
import { findAccount, findAccounts } from '../accounts.ts'
import { setPassword } from '../credentials.ts'
import { requestAuthMail } from '../mail.job.ts'

const secret = z.string().min(1).max(200)
export const forgotInput = z.strictObject({ email: z.string().trim().min(1).max(200) })
export const resetInput = z.strictObject({ token: secret, password: z.string().min(1).max(1_000) })
export const verifyInput = z.strictObject({ token: secret })
export const verificationInput = z.strictObject({ userId: idSchema, token: secret })

/** Every request takes at least this long, so that writing a job down does not show that there is a user. */
const steadyMilliseconds = 80

/** Sends a link to every active account of the address. The answer is the same whether there is one or not. */
export async function forgotPassword({ email }: z.infer<typeof forgotInput>): Promise<Answer> {
  const services = session()
  await Promise.all([sendResets(services, email), wait(steadyMilliseconds)])
  return { data: {}, message: 'If there is an account for this address, a link is on its way to it.' }
}

async function sendResets(services: SessionServices, email: string): Promise<void> {
  const accounts = await findAccounts(services, email)
  for (const { companyId, id: userId, status, invitation } of accounts) {
    if (status !== 1 || invitation === 'revoked') continue
    await services.store.write(companyId, (db) => requestAuthMail(db, { companyId, userId, kind: 'reset' }))
  }
}

/** Sets a new password by a link from a mail and ends all sessions. Stops with TOKEN_INVALID or WEAK_PASSWORD. */
export async function resetPassword({ token, password }: z.infer<typeof resetInput>): Promise<Answer> {
  const services = session()
  const row = await findOneTime(services.store.sql, 'reset', token)
  if (!row || row.usedAt !== null || new Date(row.expiresAt).getTime() <= services.clock.now()) return fail('TOKEN_INVALID')
  const { companyId, userId } = row
  const account = await findAccount(services, companyId, userId)
  if (account?.status !== 1 || account.invitation === 'revoked') return fail('TOKEN_INVALID')
  await setPassword(
    {
      companyId,
      userId,
      password,
      changedBy: userId,
      guard: async (db) => {
        const isMine = (await redeemOneTime(db, services.clock, 'reset', token)) !== undefined
        // Who opened the link reads the mailbox.
        if (isMine) await markVerified(db, services, companyId, userId)
        return isMine
      },
    },
    services,
  )
  return { data: {}, message: 'Your password was changed. Sign in with the new one.' }
}

/** Confirms an e-mail address by the link sent to it. */
export async function verify({ token }: z.infer<typeof verifyInput>): Promise<Answer> {
  return confirmAddress(session(), token)
}

/** The same for the link of an invitation, which names the user too. */
export async function verification({ userId, token }: z.infer<typeof verificationInput>): Promise<Answer> {
  return confirmAddress(session(), token, userId)
}

/** A user without a password gets data.resetToken, with which the console goes on to /reset-password. */
async function confirmAddress(services: SessionServices, token: string, userId?: string): Promise<Answer> {
  const known = await findOneTime(services.store.sql, 'verify', token)
  if (!known || (userId !== undefined && known.userId !== userId)) return fail('TOKEN_INVALID')
  const account = await findAccount(services, known.companyId, known.userId)
  if (account?.status !== 1 || account.invitation === 'revoked') return fail('TOKEN_INVALID')
  const resetToken = await services.store.write(known.companyId, async (db) => {
    const row = await redeemOneTime(db, services.clock, 'verify', token)
    if (!row) return fail('TOKEN_INVALID')
    await markVerified(db, services, row.companyId, row.userId)
    const { companyId } = row
    const reset =
      account.passwordHash === null
        ? await issueOneTime(db, services.clock, { purpose: 'reset', companyId, userId: row.userId, data: { kind: 'invite' } })
        : undefined
    await appendAudit(db, { companyId, userId: row.userId, action: 'user.verify', objectType: 'user', objectId: row.userId })
    return reset
  })
  return { data: resetToken ? { resetToken } : {}, message: 'Your e-mail address is confirmed.' }
}

async function markVerified(db: Sql, { clock }: SessionServices, companyId: string, userId: string): Promise<void> {
  await db.exec(sql`
    update app_user set "emailVerifiedAt" = ${later(clock)}
    where "companyId" = ${companyId}::uuid and "id" = ${userId}::uuid and "emailVerifiedAt" is null`)
}
