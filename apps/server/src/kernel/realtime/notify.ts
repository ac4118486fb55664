import { randomUUIDv7 } from 'node:crypto'
import type { NotificationItem } from '@outpost/contract/notifications'
import { sql } from '@outpost/platform/db/sql'
import { enqueue } from '@outpost/platform/outbox'
import type { Ctx } from '../types.ts'
import { sendToUser } from './bus.ts'
import type { NotificationKind } from './notification-kinds.ts'
import { sentFrom } from './quiet-hours.ts'

export interface NewNotification {
  userId: string
  itemType: NotificationItem
  /** What preferences go by. News of the account is sent whatever one prefers. */
  kind: NotificationKind | 'account'
  message: string
  itemId?: string | null
  /** Screen of the console it opens; `none` is why there is nothing to open. */
  link: string | { none: string }
}

/**
 * Files a notification for a user of the company, in the running transaction. After the commit it rings on the user's
 * sockets; a kind that the user does not want on the bell is filed as read, one wanted by mail or on devices is sent too, what
 * is not urgent after the quiet hours.
 */
export async function notify(ctx: Ctx, { userId, itemType, message, kind, itemId = null, link }: NewNotification): Promise<string> {
  const [id, dateCreated] = [randomUUIDv7(), new Date()]
  const { bell, mail, push } = await ctx.sql.one<{ bell: boolean; mail: boolean; push: boolean }>(sql`
    with wish as (
      select coalesce(bool_and("bell"), true) as bell, coalesce(bool_or("mail"), false) as mail, coalesce(bool_and("push"), true) as push from notification_preference
      where "companyId" = ${ctx.company.id}::uuid and "userId" = ${userId}::uuid and "kind" = ${kind === 'account' ? kind : kind.name})
    insert into notification ("companyId", "id", "userId", "itemType", "itemId", "message", "link", "dateCreated", "readAt")
    select ${ctx.company.id}::uuid, ${id}::uuid, ${userId}::uuid, ${itemType}, ${itemId}::uuid, ${message}, ${typeof link === 'string' ? link : null}, ${dateCreated}::timestamptz, case when bell then null else ${dateCreated}::timestamptz end from wish
    returning (select bell from wish) as bell, (select mail from wish) as mail, (select push from wish) and ${hasDevice({ ctx, userId })} as push`)
  const title = kind === 'account' ? 'News of your account' : kind.label
  const runAt = (mail || push) && kind !== 'account' && !kind.isUrgent ? await sentFrom(ctx) : undefined
  const later = { companyId: ctx.company.id, userId, ...(runAt ? { runAt } : {}) }
  if (mail) await enqueue(ctx.sql, { ...later, type: 'notifications.mail', payload: { notificationId: id } })
  if (push) await enqueue(ctx.sql, { ...later, type: 'notifications.push', payload: { notificationId: id, title } })
  if (!bell) return id
  const event = { Id: id, itemType, message, dateCreated: dateCreated.toISOString() }
  ctx.afterCommit(() => sendToUser({ companyId: ctx.company.id, userId }, 'notification', event))
  return id
}

/** Whether there may be a device to push to: for staff of a group only their home company knows. */
const hasDevice = ({ ctx, userId }: { ctx: Ctx; userId: string }) => sql`(
  exists (select 1 from push_device d where d."companyId" = ${ctx.company.id}::uuid and d."userId" = ${userId}::uuid)
  or not exists (select 1 from app_user u where u."companyId" = ${ctx.company.id}::uuid and u."id" = ${userId}::uuid))`

const managerRoles = ['leader', 'branch', 'regional', 'zonal', 'sales', 'md', 'company-admin', 'admin']

/** The same notification to everybody who manages the chosen tenant or one above it, but the caller. Gives their number. */
export async function notifyManagers(ctx: Ctx, news: Omit<NewNotification, 'userId'>): Promise<number> {
  const managers = await ctx.sql.query<{ userId: string }>(sql`
    select distinct u."id" as "userId" from app_user u
      join user_tenant ut on ut."companyId" = u."companyId" and ut."userId" = u."id" and ut."tenantId" = any(${ctx.tenant.path}::uuid[])
      join user_role ur on ur."companyId" = u."companyId" and ur."userId" = u."id"
      join role r on r."companyId" = ur."companyId" and r."id" = ur."roleId" and r."systemRole" = any(${managerRoles}::text[])
    where u."companyId" = ${ctx.company.id}::uuid and u."status" = 1 and u."deletedAt" is null and u."id" <> ${ctx.user.id}::uuid
    limit 100`)
  for (const { userId } of managers) await notify(ctx, { ...news, userId })
  return managers.length
}
