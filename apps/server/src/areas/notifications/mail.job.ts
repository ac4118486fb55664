import { sql } from '@outpost/platform/db/sql'
import type { Mail } from '@outpost/platform/mail'
import { session } from '../../kernel/session/services.ts'
import type { JobDefinition } from '../../kernel/types.ts'

interface Told {
  message: string
  link: string | null
  emailAddress: string
  firstName: string
}

/** Mails a notification to whoever asked for its kind by mail; nothing when the person has left since. */
export function mailNotificationJob(mail: Mail): JobDefinition<{ notificationId: string }> {
  return {
    name: 'notifications.mail',
    run: async (ctx, { notificationId }, { id }) => {
      const told = await ctx.sql.maybe<Told>(sql`
        select n."message", n."link", u."emailAddress", u."firstName" from notification n
          join app_user u on u."companyId" = n."companyId" and u."id" = n."userId" and u."status" = 1 and u."deletedAt" is null
        where n."companyId" = ${ctx.company.id}::uuid and n."id" = ${notificationId}::uuid`)
      if (!told) return
      const { publicUrl } = session()
      const text = [
        `Hello ${told.firstName},`,
        '',
        told.message,
        ...(told.link ? ['', new URL(told.link, publicUrl).href] : []),
        '',
        `You asked for this kind of news by mail. Change that at ${new URL('/notifications', publicUrl).href}`,
      ].join('\n')
      await mail.send({ to: told.emailAddress, subject: `${ctx.company.name}: ${told.message}`.slice(0, 200), text, idempotencyKey: id })
    },
  }
}
