import { enqueue } from '@outpost/platform/outbox'
import type { Mail } from '@outpost/platform/mail'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { session } from '../../../kernel/session/services.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { JobDefinition } from '../../../kernel/types.ts'
import { findAccount } from '../accounts.ts'
import { noticeKinds, type Notice } from '../letters/letters.ts'
import { lettersFor } from '../letters/letters-for.ts'

const dataSchema = z.object({ userId: idSchema, what: z.enum(noticeKinds) })

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
      const letters = await lettersFor(ctx, account)
      const [subject, body] = letters.notices[what]
      const text = [letters.hello(account.firstName), '', body, '', letters.noticeWarning].join('\n')
      await mail.send({ to: account.emailAddress, subject, text, idempotencyKey: id })
    },
  }
}
