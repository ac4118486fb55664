import { randomUUIDv7 } from 'node:crypto'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../types.ts'
import { tellUser } from './bus.ts'

export interface NewNotification {
  userId: string
  itemType: 'Activity' | 'Comment' | 'Message'
  message: string
  itemId?: string | null
  /** Screen of the console it opens. */
  link?: string | null
}

/** Files a notification for a user of the company, in the running transaction; it rings on the user's sockets after the commit. */
export async function notify(ctx: Ctx, { userId, itemType, message, itemId = null, link = null }: NewNotification): Promise<string> {
  const [id, dateCreated] = [randomUUIDv7(), new Date()]
  await ctx.sql.exec(sql`
    insert into notification ("companyId", "id", "userId", "itemType", "itemId", "message", "link", "dateCreated")
    values (${ctx.company.id}::uuid, ${id}::uuid, ${userId}::uuid, ${itemType}, ${itemId}::uuid, ${message}, ${link}, ${dateCreated})`)
  const event = { Id: id, itemType, message, dateCreated: dateCreated.toISOString() }
  ctx.afterCommit(() => tellUser({ companyId: ctx.company.id, userId }, 'notification', event))
  return id
}

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
