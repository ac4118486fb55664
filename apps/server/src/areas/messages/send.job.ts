import { sql } from '@outpost/platform/db/sql'
import type { Mail } from '@outpost/platform/mail'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import type { Ctx, JobDefinition } from '../../kernel/types.ts'
import { clientMessage } from './message.resource.ts'
import { sendJobName } from './message-clients.ts'

interface Parts {
  mail: Mail
  /** Domain of a mail-to-SMS gateway; without one no SMS goes out. */
  smsDomain: string | undefined
}
interface Stored {
  channel: string
  sentTo: string
  subject: string
  text: string
  attempts: number
}

/** Sends a message to a client, and notes with it what became of each try. */
export const sendMessageJob = ({ mail, smsDomain }: Parts): JobDefinition<{ messageId: string }> => ({
  name: sendJobName,
  ownTransaction: true,
  run: async (ctx, { messageId }, { id }) => {
    const stored = await read(ctx, messageId)
    if (!stored) return
    const attempts = stored.attempts + 1
    if (stored.channel === 'sms' && smsDomain === undefined)
      return note(ctx, messageId, {
        status: 'Failed',
        statusReason: 'SMS is not configured on this installation (SMS_MAIL_DOMAIN).',
        attempts,
      })
    const to = stored.channel === 'sms' ? `${stored.sentTo}@${smsDomain}` : stored.sentTo
    try {
      await mail.send({ to, subject: stored.subject, text: stored.text, idempotencyKey: id })
    } catch (error) {
      await note(ctx, messageId, { statusReason: error instanceof Error ? error.message.slice(0, 500) : 'failed', attempts })
      throw error
    }
    await note(ctx, messageId, { status: 'Sent', statusReason: null, attempts, sentAt: new Date() })
  },
  whenDead: async (ctx, { messageId }, { lastError }) => {
    if (await read(ctx, messageId)) await note(ctx, messageId, { status: 'Failed', statusReason: lastError.slice(0, 500) })
  },
})

const read = (ctx: Ctx, id: string) =>
  ctx.sql.maybe<Stored & Record<string, unknown>>(sql`
    select "channel", "sentTo", "subject", "text", "attempts" from client_message where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "status" = 'Waiting'`)

async function note(ctx: Ctx, id: string, input: Record<string, unknown>): Promise<void> {
  await ctx.transaction((inner) => writeRecords(inner, clientMessage, [{ kind: 'update', id, input }]))
}
