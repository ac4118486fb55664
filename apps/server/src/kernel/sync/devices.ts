import type { PushRequest, PushResult } from '@outpost/contract/sync/protocol'
import { sql } from '@outpost/platform/db/sql'
import { otherNews } from '../realtime/notification-kinds.ts'
import { notifyManagers } from '../realtime/notify.ts'
import type { Ctx } from '../types.ts'
import { nameOf } from '../names.ts'

/** What a device holds, or held, unsent. */
interface Unsent {
  changes: number
  files: number
}

interface Seen {
  storeId: string | null
  pendingCount: number
  pendingFiles: number
  maxClientSeq: number
  reportedAt: Date | null
}

/** What a device reports of itself at a push, and what became of its changes; none when the server could not take them. */
export interface DeviceReport {
  request: PushRequest
  results: readonly PushResult[]
  /** Why the server could not take them. */ failure?: string
  /** The device that this browser was, by its cookie. */ cookieDevice: string | undefined
}

/**
 * Stores what a device reports of itself: what it still holds unsent after this push, how old, under which clock. Work that it
 * had announced and can no longer have (its store is a new one, or the browser came back as a new device) is kept as lost,
 * and the managers hear of it.
 */
export async function noteDevice(ctx: Ctx, report: DeviceReport): Promise<void> {
  const { request, results, cookieDevice, failure = request.lastError ?? null } = report
  const seen = await ctx.sql.maybe<Seen>(sql`
    select "storeId", "pendingCount", "pendingFiles", "maxClientSeq"::float8 as "maxClientSeq", "reportedAt" from sync_device
    where "companyId" = ${ctx.company.id} and "deviceId" = ${request.deviceId} and "userId" = ${ctx.user.id} for update`)
  if (seen && isLateCopy(seen, request, results)) return
  const lost = seen && isAnotherStore(seen, request) ? { changes: seen.pendingCount, files: seen.pendingFiles } : nothing
  const left = { changes: Math.max(0, request.pendingCount - results.filter(isFinal).length), files: request.pendingFiles ?? 0 }
  const saved = await saveDevice(ctx, request, { lost, failure, left })
  if (isAny(lost)) await raiseLoss(ctx, { id: saved, name: `${ctx.user.firstName} ${ctx.user.lastName}`, ...lost })
  if (cookieDevice !== undefined && cookieDevice !== request.deviceId) await giveUpDevice(ctx, cookieDevice)
}

const nothing: Unsent = { changes: 0, files: 0 }
const isAny = ({ changes, files }: Unsent) => changes + files > 0
const isFinal = ({ status }: PushResult) => status !== 'waiting' && status !== 'error'

/** A request that newer ones have overtaken: it reports how things were, not how they are. */
function isLateCopy(seen: Seen, { storeId, maxClientSeq, clientNow }: PushRequest, results: readonly PushResult[]): boolean {
  const isOlder = seen.reportedAt !== null && new Date(clientNow) < seen.reportedAt
  const isRepeat = results.length > 0 && results.every(({ status }) => status === 'duplicate')
  if (storeId === undefined || seen.storeId === null) return maxClientSeq < seen.maxClientSeq && isRepeat
  if (storeId === seen.storeId) return maxClientSeq < seen.maxClientSeq || (maxClientSeq === seen.maxClientSeq && isOlder)
  return isRepeat || (results.length === 0 && isOlder)
}

/** Programs that name no store are known by their numbering alone, which begins anew in a new store. */
function isAnotherStore(seen: Seen, { storeId, maxClientSeq }: PushRequest): boolean {
  return seen.storeId !== null && storeId !== undefined ? seen.storeId !== storeId : maxClientSeq < seen.maxClientSeq
}

interface Holding {
  lost: Unsent
  left: Unsent
  failure: string | null
}

/** Gives the id of its row. */
async function saveDevice(ctx: Ctx, request: PushRequest, { lost, left, failure }: Holding): Promise<string> {
  const { attentionCount = 0, deviceId, storeId = null, appVersion = null, oldestPendingAt, maxClientSeq, persisted, clientNow } = request
  const skew = Date.now() - Date.parse(clientNow)
  const oldest = isAny(left) ? oldestPendingAt : null
  const { id } = await ctx.sql.one<{ id: string }>(sql`
    insert into sync_device ("companyId", "deviceId", "userId", "tenantId", "storeId", "lastSeen", "reportedAt", "appVersion", "pendingCount", "pendingFiles", "oldestPendingAt", "maxClientSeq", "persisted", "clockSkewMs", "sessionId", "lastError", "attentionCount")
    values (${ctx.company.id}, ${deviceId}, ${ctx.user.id}, ${ctx.tenant.id}, ${storeId}::uuid, now(), ${clientNow}::timestamptz, ${appVersion}, ${left.changes}, ${left.files},
      ${oldest}::timestamptz, ${maxClientSeq}, ${persisted}, ${skew}, ${ctx.sessionId}::uuid, ${isAny(left) ? failure : null}, ${attentionCount})
    on conflict ("companyId", "deviceId", "userId") do update set
      "tenantId" = excluded."tenantId", "storeId" = coalesce(excluded."storeId", sync_device."storeId"), "lastSeen" = now(), "reportedAt" = excluded."reportedAt",
      "appVersion" = excluded."appVersion", "pendingCount" = excluded."pendingCount", "pendingFiles" = excluded."pendingFiles", "oldestPendingAt" = excluded."oldestPendingAt",
      "maxClientSeq" = excluded."maxClientSeq", "persisted" = excluded."persisted", "clockSkewMs" = excluded."clockSkewMs",
      "sessionId" = excluded."sessionId", "lastError" = excluded."lastError", "attentionCount" = excluded."attentionCount",
      "signedOutAt" = case when sync_device."sessionId" = excluded."sessionId" then sync_device."signedOutAt" end,
      "signedOutByUserId" = case when sync_device."sessionId" = excluded."sessionId" then sync_device."signedOutByUserId" end,
      "lostCount" = sync_device."lostCount" + ${lost.changes}, "lostFiles" = sync_device."lostFiles" + ${lost.files},
      "lossSuspectedAt" = case when ${isAny(lost)} then now() else sync_device."lossSuspectedAt" end
    returning "id"`)
  return id
}

/** The browser keeps its cookie but not its stores: what anybody had announced under the device it was is no more. */
async function giveUpDevice(ctx: Ctx, deviceId: string): Promise<void> {
  const rows = await ctx.sql.query<Unsent & { id: string; name: string }>(sql`
    with gone as (
      select "id", "deviceId", "userId", "pendingCount", "pendingFiles" from sync_device
      where "companyId" = ${ctx.company.id} and "deviceId" = ${deviceId}::uuid and "pendingCount" + "pendingFiles" > 0 for update
    ), noted as (
      update sync_device d set "lostCount" = d."lostCount" + gone."pendingCount", "lostFiles" = d."lostFiles" + gone."pendingFiles",
        "lossSuspectedAt" = now(), "pendingCount" = 0, "pendingFiles" = 0, "oldestPendingAt" = null
      from gone where d."companyId" = ${ctx.company.id} and d."deviceId" = gone."deviceId" and d."userId" = gone."userId"
    )
    select gone."id", gone."pendingCount" as changes, gone."pendingFiles" as files, ${nameOf('u')} as name
    from gone left join app_user u on u."companyId" = ${ctx.company.id} and u."id" = gone."userId"`)
  for (const row of rows) await raiseLoss(ctx, row)
}

async function raiseLoss(ctx: Ctx, { id, name, changes, files }: Unsent & { id: string; name: string }): Promise<void> {
  const announced = [
    ...(changes > 0 ? [`${changes} ${changes === 1 ? 'change' : 'changes'}`] : []),
    ...(files > 0 ? [`${files} ${files === 1 ? 'photo' : 'photos'}`] : []),
  ].join(' and ')
  await notifyManagers(ctx, {
    itemType: 'Message',
    kind: otherNews,
    message: `The device of ${name} came back empty and may have lost unsent work: ${announced} ${changes + files === 1 ? 'was' : 'were'} announced`,
    link: `/admin/work-devices/${id}/view`,
  })
}
