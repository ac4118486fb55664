import { sql } from '@outpost/platform/db/sql'
import { audit } from '../../kernel/audit.ts'
import { announce } from '../../kernel/realtime/announce.ts'
import { otherNews } from '../../kernel/realtime/notification-kinds.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import type { Ctx } from '../../kernel/types.ts'

const administrators = ['admin', 'company-admin']

/** Switches a webhook off, once, and says so to the company's administrators. */
export async function stopWebhook(ctx: Ctx, id: string, reason: string): Promise<void> {
  const stopped = await ctx.sql.maybe<{ name: string }>(sql`
    update webhook set "isActive" = false, "stoppedReason" = ${reason}, "version" = "version" + 1, "dateModified" = now()
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "stoppedReason" is null returning "name"`)
  if (!stopped) return
  audit(ctx, { action: 'webhook.stop', objectType: 'webhook', objectId: id, after: { stoppedReason: reason } })
  announce(ctx, { one: 'webhook' }, [id], 'updated')
  await notifyAll(ctx, { id, message: `The webhook ${stopped.name} was switched off. ${reason}` })
}

interface News {
  id: string
  message: string
}

/** Tells the administrators, once a day for a webhook at most. */
export async function notifyAdministrators(ctx: Ctx, news: News): Promise<void> {
  const isNew = await ctx.sql.maybe(sql`
    update webhook set "newsAt" = now() where "companyId" = ${ctx.company.id}::uuid and "id" = ${news.id}::uuid
      and ("newsAt" is null or "newsAt" < now() - interval '1 day') returning "id"`)
  if (isNew) await notifyAll(ctx, news)
}

async function notifyAll(ctx: Ctx, { id, message }: News): Promise<void> {
  const people = await ctx.sql.query<{ userId: string }>(sql`
    select distinct u."id" as "userId" from app_user u
      join user_role ur on ur."companyId" = u."companyId" and ur."userId" = u."id"
      join role r on r."companyId" = ur."companyId" and r."id" = ur."roleId" and r."systemRole" = any(${administrators}::text[])
    where u."companyId" = ${ctx.company.id}::uuid and u."status" = 1 and u."deletedAt" is null limit 100`)
  const link = `/admin/webhooks/view/${id}`
  for (const { userId } of people)
    await notify(ctx, { userId, itemType: 'Message', kind: otherNews, message: message.slice(0, 300), itemId: id, link })
}
