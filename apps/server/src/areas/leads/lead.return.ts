import { sql } from '@outpost/platform/db/sql'
import { undoMinutes } from '../../kernel/assigning.ts'
import type { Ctx } from '../../kernel/types.ts'

/** The former status of a lead: its status, why, and since when (as Postgres reads a moment). */
export interface FormerStatus {
  status: string
  reason: string | null
  since: string
}

/**
 * Puts a lead back into its former status. Statuses do not walk the lifecycle here: this one was walked to before. The row is
 * changed beside the kernel, so an updateRecord must follow, which informs devices, colleagues and the audit.
 */
export async function returnStatus(ctx: Ctx, id: string, { status, reason, since }: FormerStatus): Promise<void> {
  const own = sql`where "companyId" = ${ctx.company.id} and "id" = ${id}`
  await ctx.sql.exec(sql`update lead set "status" = ${status} ${own}`)
  // The table's trigger has just set the moment of this change.
  await ctx.sql.exec(sql`update lead set "statusReason" = ${reason}, "statusSince" = ${since}::timestamptz ${own}`)
}

/** The lead's last change of status; undefined when it is where it began. `former` is the status before. */
export async function lastMove(ctx: Ctx, leadId: string): Promise<LastMove | undefined> {
  const row = await ctx.sql.maybe<MoveRow>(sql`
    select l."fromStatus", l."toStatus", l."userId", l."realUserId", l."dateCreated" > now() - make_interval(mins => ${undoMinutes}) as "isFresh",
      (l."dateCreated" - make_interval(secs => coalesce(l."durationSeconds", 0)))::text as since,
      (select p."reason" from lead_status_log p where p."companyId" = l."companyId" and p."leadId" = l."leadId" and p."toStatus" = l."fromStatus"
        and p."dateCreated" < l."dateCreated" order by p."dateCreated" desc limit 1) as reason
    from lead_status_log l where l."companyId" = ${ctx.company.id} and l."leadId" = ${leadId} order by l."dateCreated" desc, l."id" desc limit 1`)
  if (!row) return undefined
  const { fromStatus, toStatus, isFresh, since, reason } = row
  return {
    to: toStatus,
    isOwn: row.userId === ctx.user.id && row.realUserId === ctx.realUser.id,
    isFresh,
    former: { status: fromStatus, reason, since },
  }
}

interface MoveRow {
  fromStatus: string
  toStatus: string
  userId: string
  realUserId: string
  isFresh: boolean
  since: string
  reason: string | null
}
export interface LastMove {
  to: string
  isOwn: boolean
  isFresh: boolean
  former: FormerStatus
}
