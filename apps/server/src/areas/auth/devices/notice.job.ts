import { enqueue } from '@outpost/platform/outbox'
import type { Mail } from '@outpost/platform/mail'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { session } from '../../../kernel/session/services.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { JobDefinition } from '../../../kernel/types.ts'
import { findAccount } from '../accounts.ts'

const notices = {
  'factor-on': ['Your second factor is on', 'From now on a code of your authenticator is asked for when you sign in.'],
  'factor-off': ['Your second factor is off', 'From now on your password alone signs you in.'],
  'factor-reset': [
    'An administrator removed your second factor',
    'Set up your authenticator again, in your profile or at the next sign-in.',
  ],
  'passkey-on': ['You have a new passkey', 'From now on it signs you in without the password.'],
  'passkey-off': ['A passkey of yours was removed', 'It does not sign you in any more.'],
  'passkeys-reset': ['An administrator removed your passkeys', 'Sign in with your password and make new ones in your profile.'],
  'recovery-codes': ['You have new recovery codes', 'The recovery codes you had before are no good any more.'],
  'recovery-used': [
    'A recovery code was used to sign in',
    'Each recovery code works once. Make new ones in your profile when few are left.',
  ],
} as const
export type Notice = keyof typeof notices

const dataSchema = z.object({ userId: idSchema, what: z.enum(Object.keys(notices) as [Notice, ...Notice[]]) })

/** Tells a person by mail of a change in how they sign in, once the transaction of `db` has committed. */
export async function requestNotice(
  db: Sql,
  { companyId, ...payload }: { companyId: string; userId: string; what: Notice },
): Promise<void> {
  await enqueue(db, { companyId, userId: null, type: 'auth.notice', payload })
}

/** The job behind it. */
export function noticeJob(mail: Mail): JobDefinition {
  return {
    name: 'auth.notice',
    ownTransaction: true,
    run: async (ctx, data, { id }) => {
      const { userId, what } = dataSchema.parse(data)
      const account = await findAccount(session(), ctx.company.id, userId)
      if (!account || account.status !== 1) return
      const [subject, body] = notices[what]
      const warning = 'If this was not you, change your password at once and tell an administrator.'
      const text = [`Hello ${account.firstName},`, '', body, '', warning].join('\n')
      await mail.send({ to: account.emailAddress, subject, text, idempotencyKey: id })
    },
  }
}
