import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../../kernel/types.ts'

/** A delivery that this job is to send, with what it needs of its webhook. */
export interface Claimed {
  id: string
  webhookId: string
  event: string
  objectId: string
  tenantIds: string[]
  move: unknown
  attempts: number
  position: bigint
  dateCreated: Date
  url: string
  secret: string
  formerSecret: string | null
  ownerUserId: string
  worksInTenantId: string
}

/**
 * Takes a delivery whose turn it is; undefined when it is sent, paused, not due, with another job, or behind an earlier one of its
 * record, which queues it when it ends. The earlier one is locked, so that it cannot end unseen.
 */
export async function claim(ctx: Ctx, deliveryId: string, jobId: string): Promise<Claimed | undefined> {
  const own = await ctx.sql.maybe<Claimed & { isTaken: boolean }>(sql`
    select d."id", d."webhookId", d."event", d."objectId", d."tenantIds", d."move", d."attempts", d."position", d."dateCreated",
      h."url", h."secret", case when h."formerUntil" > now() then h."formerSecret" end as "formerSecret", h."ownerUserId", h."worksInTenantId",
      coalesce(d."claimedBy" <> ${jobId}::uuid and d."claimedUntil" > now(), false) as "isTaken"
    from webhook_delivery d join webhook h on h."companyId" = d."companyId" and h."id" = d."webhookId" and h."isActive" and h."deletedAt" is null
    where d."companyId" = ${ctx.company.id}::uuid and d."id" = ${deliveryId}::uuid and d."status" = 'waiting' and d."nextAt" <= now() for update of d`)
  if (!own || own.isTaken) return undefined
  const earlier = await ctx.sql.maybe(sql`
    select e."id" from webhook_delivery e
    where e."companyId" = ${ctx.company.id}::uuid and e."webhookId" = ${own.webhookId}::uuid and e."objectId" = ${own.objectId}::uuid
      and e."status" = 'waiting' and e."position" < ${own.position} order by e."position" limit 1 for share`)
  if (earlier) return undefined
  await ctx.sql.exec(sql`
    update webhook_delivery set "claimedBy" = ${jobId}::uuid, "claimedUntil" = now() + interval '30 seconds'
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${deliveryId}::uuid`)
  return own
}
