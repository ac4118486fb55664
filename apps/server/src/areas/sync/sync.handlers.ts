import { fail } from '@outpost/contract/errors'
import { pushRequest, type PushAnswer, type PushRequest } from '@outpost/contract/sync'
import { sql } from '@outpost/platform/db/sql'
import { refuseOverQuota, roomFor } from '../../kernel/quota.ts'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { noteDevice } from '../../kernel/sync/devices.ts'
import { updateRecord } from '../../kernel/resource/records.ts'
import { checkInput, writeSchemas } from '../../kernel/resource/schema.ts'
import { maySync, type SyncEntities, type SyncEntity } from '../../kernel/sync/entities.ts'
import { pullChanges } from '../../kernel/sync/pull.ts'
import { pushChanges } from '../../kernel/sync/push.ts'
import { notifyManagers } from '../../kernel/realtime/notify.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'

let entities: SyncEntities = new Map()

/** Tells sync which records devices hold; once, when all areas are known. */
export function useEntities(known: SyncEntities): void {
  entities = known
}

export const pushInput = pushRequest
export const pullInput = z.object({ cursor: z.string().max(500).optional(), limit: z.coerce.number().int().min(1).max(2_000).optional() })

/** A batch of a device's changes: a verdict each, final ones kept for ever. */
export async function push(ctx: Ctx, request: PushRequest): Promise<Answer> {
  const { isLossSuspected } = await ctx.transaction((inner) => noteDevice(inner, request))
  if (isLossSuspected) {
    const message = `The device of ${ctx.user.firstName} ${ctx.user.lastName} may have lost unsent work`
    await ctx.transaction((inner) => notifyManagers(inner, { itemType: 'Message', message }))
  }
  const results = await pushChanges(ctx, request.changes, entities)
  const answer: PushAnswer = { serverNow: new Date().toISOString(), results }
  return { json: JSON.stringify(answer) }
}

export async function pull(ctx: Ctx, input: z.infer<typeof pullInput>): Promise<Answer> {
  return { json: await pullChanges(ctx, input, entities) }
}

export const deadLetterInput = z.strictObject({
  deviceId: z.uuid(), reason: z.string().trim().min(1).max(500),
  envelopes: z.array(z.object({ changeId: z.uuid() }).loose()).min(1).max(500),
})

/** Envelopes a device gave up on or exported: kept for the office, each once. */
export async function keepDeadLetters(ctx: Ctx, input: z.infer<typeof deadLetterInput>): Promise<Answer> {
  const room = await roomFor(ctx, 'deadLetters')
  const kept = await ctx.sql.query<{ changeId: string }>(sql`
    insert into sync_dead_letter ("companyId", "changeId", "tenantId", "deviceId", "userId", "envelope", "reason")
    select ${ctx.company.id}::uuid, (e ->> 'changeId')::uuid, ${ctx.tenant.id}::uuid, ${input.deviceId}::uuid, ${ctx.user.id}::uuid, e, ${input.reason}
    from jsonb_array_elements(${JSON.stringify(input.envelopes)}::jsonb) e on conflict do nothing returning "changeId"`)
  // Those that are kept already take no room.
  if (kept.length > room) refuseOverQuota('deadLetters')
  return { data: { kept: kept.map(({ changeId }) => changeId) } }
}

/** What devices could not place, for the managers of the reach. */
export async function listDeadLetters(ctx: Ctx): Promise<Answer> {
  const deadLetters = await ctx.sql.query(sql`
    select d."changeId", d."deviceId", d."userId", concat_ws(' ', u."firstName", u."lastName") as "userName", d."envelope", d."reason", d."state", d."dateCreated"
    from sync_dead_letter d left join app_user u on u."companyId" = d."companyId" and u."id" = d."userId"
    where d."companyId" = ${ctx.company.id} and d."state" = 'open' order by d."dateCreated" desc limit 1000`)
  return { data: { deadLetters } }
}

export const handleInput = z.strictObject({ changeIds: z.array(z.uuid()).min(1).max(500), state: z.enum(['handled', 'discarded']) })

/** Closes dead letters that a manager has dealt with; the envelopes stay. */
export async function handleDeadLetters(ctx: Ctx, { changeIds, state }: z.infer<typeof handleInput>): Promise<Answer> {
  const done = await ctx.sql.exec(sql`
    update sync_dead_letter set "state" = ${state}, "handledByUserId" = ${ctx.user.id}
    where "companyId" = ${ctx.company.id} and "changeId" = any(${changeIds}::uuid[]) and "state" = 'open'`)
  if (done < new Set(changeIds).size) fail('NOT_FOUND')
  audit(ctx, { action: `sync.${state}`, objectType: 'sync_dead_letter', after: { changeIds } })
  return { data: { changeIds } }
}

/** Officers and their devices: what is unsent, how old, when last seen, whether storage is safe. */
export async function listDevices(ctx: Ctx): Promise<Answer> {
  const reach = ctx.scope === '*' ? sql`` : sql`and d."tenantId" = any(${ctx.scope}::uuid[])`
  const devices = await ctx.sql.query(sql`
    select d."deviceId", d."userId", concat_ws(' ', u."firstName", u."lastName") as "userName", d."lastSeen", d."appVersion", d."pendingCount",
      d."oldestPendingAt", d."persisted", d."clockSkewMs"::float8 as "clockSkewMs", d."lossSuspectedAt"
    from sync_device d left join app_user u on u."companyId" = d."companyId" and u."id" = d."userId"
    where d."companyId" = ${ctx.company.id} ${reach} order by d."oldestPendingAt" nulls last, d."lastSeen" desc limit 1000`)
  return { data: { devices } }
}

export const resolveInput = z.strictObject({ id: z.uuid(), resolution: z.enum(['mine', 'theirs']) })

/** Fields that a device and the server both changed and nobody has decided yet. */
export async function listConflicts(ctx: Ctx): Promise<Answer> {
  const conflicts = await ctx.sql.query(sql`
    select "id" as "Id", "entityType", "entityId", "field", "base", "mine", "theirs", "userId", "dateCreated" from sync_conflict
    where "companyId" = ${ctx.company.id} and "state" = 'open' order by "dateCreated" desc limit 1000`)
  return { data: { conflicts } }
}

/** Decides one conflict: the server's value stays, or the device's is written by the ordinary rules of an update. */
export async function resolveConflict(ctx: Ctx, { id, resolution }: z.infer<typeof resolveInput>): Promise<Answer> {
  const conflict = await ctx.sql.maybe<{ entityType: string, entityId: string, field: string, mine: unknown }>(sql`
    update sync_conflict set "state" = ${resolution}, "resolvedByUserId" = ${ctx.user.id}
    where "companyId" = ${ctx.company.id} and "id" = ${id} and "state" = 'open' returning "entityType", "entityId", "field", "mine"`)
  if (!conflict) return fail('NOT_FOUND')
  const entity = entities.get(conflict.entityType)
  if (resolution === 'mine' && entity) await takeMine(ctx, entity, conflict)
  return { data: { Id: id, resolution } }
}

async function takeMine(ctx: Ctx, entity: SyncEntity, conflict: { entityId: string, field: string, mine: unknown }): Promise<void> {
  if (!maySync(ctx, entity, 'update')) fail('FORBIDDEN')
  const { resource } = entity
  await updateRecord(ctx, resource, conflict.entityId, checkInput(writeSchemas(resource).update, { id: conflict.entityId, [conflict.field]: conflict.mine }))
}
