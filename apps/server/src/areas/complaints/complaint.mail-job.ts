import { sql } from '@outpost/platform/db/sql'
import type { Mail } from '@outpost/platform/mail'
import type { JobDefinition } from '../../kernel/types.ts'
import { factsOf, letterTitles } from './complaint.letters.ts'
import { mailJobName } from './complaint.messages.ts'

interface Told {
  kind: 'reply' | 'acknowledgement' | 'status'
  text: string
  sentTo: string | null
}

/** Mails a client what was written to them about a complaint. */
export function complaintMailJob(mail: Mail): JobDefinition<{ complaintId: string; messageId: string }> {
  return {
    name: mailJobName,
    run: async (ctx, { complaintId, messageId }, { id }) => {
      const [facts, told] = [
        await factsOf(ctx, complaintId),
        await ctx.sql.maybe<Told & Record<string, unknown>>(sql`
          select "kind", "text", "sentTo" from complaint_message where "companyId" = ${ctx.company.id}::uuid and "id" = ${messageId}::uuid`),
      ]
      if (!facts || !told?.sentTo) return
      const title = told.kind === 'reply' ? 'About your complaint' : letterTitles[told.kind]
      const text = [`Dear ${facts.name},`, '', told.text, '', facts.handler ?? ctx.company.name, ctx.company.name].join('\n')
      await mail.send({
        to: told.sentTo,
        subject: `${ctx.company.name}: ${title} (${facts.number})`.slice(0, 200),
        text,
        idempotencyKey: id,
      })
    },
  }
}
