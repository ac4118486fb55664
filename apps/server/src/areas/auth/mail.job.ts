import { enqueue } from '@outpost/platform/outbox'
import { sql } from '@outpost/platform/db/sql'
import type { Mail } from '@outpost/platform/mail'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { later } from '../../kernel/session/clock.ts'
import { issueOneTime } from '../../kernel/session/tokens/one-time.ts'
import { session, type SessionServices } from '../../kernel/session/services.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { JobDefinition } from '../../kernel/types.ts'
import { findAccount } from './accounts.ts'
import { lettersFor } from './letters/letters-for.ts'

/** reset: a forgotten password. verify: the address is the user's. invite: a new user verifies and chooses a password. */
const dataSchema = z.object({ userId: idSchema, kind: z.enum(['reset', 'verify', 'invite']) })
export type AuthMailData = z.infer<typeof dataSchema>

const maxResetsPerHour = 3

/** Asks for a mail to a user of this company, sent once the transaction of `db` has committed. */
export async function requestAuthMail(db: Sql, { companyId, userId, kind }: AuthMailData & { companyId: string }): Promise<void> {
  await enqueue(db, { companyId, userId: null, type: 'auth.mail', payload: { userId, kind } })
}

/** The job behind it. The secret of the link is made here, so that it is never in a queue. */
export function authMailJob(mail: Mail): JobDefinition {
  return {
    name: 'auth.mail',
    ownTransaction: true,
    run: async (ctx, data, { id }) => {
      const services = session()
      const { userId, kind } = dataSchema.parse(data)
      const account = await findAccount(services, ctx.company.id, userId)
      if (!account || account.status !== 1 || (kind === 'invite' && account.invitation !== 'sent')) return
      const link = await makeLink(services, { companyId: account.companyId, userId, kind })
      if (link === undefined) return
      const letters = await lettersFor(ctx, account)
      const [subject, ask] = letters[kind]
      // Whoever is invited did not ask for it.
      const lines = [letters.hello(account.firstName), '', ask, '', link, ...(kind === 'invite' ? [] : ['', letters.ignore])]
      await mail.send({ to: account.emailAddress, subject, text: lines.join('\n'), idempotencyKey: id })
    },
  }
}

async function makeLink(
  services: SessionServices,
  { companyId, userId, kind }: AuthMailData & { companyId: string },
): Promise<string | undefined> {
  const { store, clock, publicUrl } = services
  const purpose = kind === 'reset' ? 'reset' : 'verify'
  const secret = await store.write(null, async (db) => {
    if (kind === 'reset' && (await countResets(db, services, companyId, userId)) >= maxResetsPerHour) return undefined
    if (kind === 'invite') await endInvitations(db, companyId, [userId])
    return issueOneTime(db, clock, { purpose, companyId, userId, data: { kind } })
  })
  if (secret === undefined) return undefined
  const path = { reset: `/reset-password/${secret}`, verify: `/verify/${secret}`, invite: `/account/verification/${userId}/${secret}` }[
    kind
  ]
  return new URL(path, publicUrl).href
}

/** Links of invitations, and what they led to, are good for nothing any more. */
export async function endInvitations(db: Sql, companyId: string, userIds: readonly string[]): Promise<void> {
  await db.exec(sql`
    delete from one_time_token where "companyId" = ${companyId}::uuid and "userId" = any(${userIds}::uuid[]) and "data" ->> 'kind' = 'invite'`)
}

async function countResets(db: Sql, { clock }: SessionServices, companyId: string, userId: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) as count from one_time_token where "companyId" = ${companyId}::uuid and "userId" = ${userId}::uuid
      and "purpose" = 'reset' and "dateCreated" > ${later(clock, -3_600)}`)
  return count
}
