import type { PushRequest } from '@outpost/contract/sync'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../types.ts'

/**
 * Notes what a device says of itself at each push. A returning device that reports less than the server remembers
 * (its log empty while changes were pending, its numbering restarted) may have lost work: that time is kept.
 */
export async function noteDevice(ctx: Ctx, report: PushRequest): Promise<{ isLossSuspected: boolean }> {
  const skew = Date.now() - Date.parse(report.clientNow)
  const seen = await ctx.sql.maybe<{ maxClientSeq: number }>(sql`
    select "maxClientSeq" from sync_device where "companyId" = ${ctx.company.id} and "deviceId" = ${report.deviceId} and "userId" = ${ctx.user.id} for update`)
  const isLossSuspected = seen !== undefined && seen.maxClientSeq > report.maxClientSeq
  await ctx.sql.exec(sql`
    insert into sync_device ("companyId", "deviceId", "userId", "tenantId", "lastSeen", "appVersion", "pendingCount", "oldestPendingAt", "maxClientSeq", "persisted", "clockSkewMs")
    values (${ctx.company.id}, ${report.deviceId}, ${ctx.user.id}, ${ctx.tenant.id}, now(), ${report.appVersion ?? null}, ${report.pendingCount},
      ${report.oldestPendingAt}::timestamptz, ${report.maxClientSeq}, ${report.persisted}, ${skew})
    on conflict ("companyId", "deviceId", "userId") do update set
      "tenantId" = excluded."tenantId", "lastSeen" = now(), "appVersion" = excluded."appVersion", "pendingCount" = excluded."pendingCount",
      "oldestPendingAt" = excluded."oldestPendingAt", "maxClientSeq" = excluded."maxClientSeq", "persisted" = excluded."persisted",
      "clockSkewMs" = excluded."clockSkewMs", "lossSuspectedAt" = case when ${isLossSuspected} then now() else sync_device."lossSuspectedAt" end`)
  return { isLossSuspected }
}
