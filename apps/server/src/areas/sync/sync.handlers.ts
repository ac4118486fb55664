import { fail } from '@outpost/contract/errors'
import { pushRequest, type PushAnswer, type PushRequest, type PushResult } from '@outpost/contract/sync/protocol'
import { maxPushChanges } from '@outpost/contract/sync/limits'
import { identifier, join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { isIdentifier } from '@outpost/rules/validation'
import { refuseOverQuota, roomFor } from '../../kernel/quota.ts'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { noteDevice } from '../../kernel/sync/devices.ts'
import { updateRecord } from '../../kernel/resource/records.ts'
import { checkedValues } from '../../kernel/sync/decide.ts'
import { maySync, type SyncEntities } from '../../kernel/sync/entities.ts'
import { pullChanges } from '../../kernel/sync/pull.ts'
import { pushChanges } from '../../kernel/sync/push.ts'
import { isNewer } from '../../kernel/sync/read-change.ts'
import { letterQuota } from '../../kernel/sync/rows.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { session } from '../../kernel/session/services.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { AnyResource, Answer, Ctx, RequestInfo } from '../../kernel/types.ts'
import { countLag } from './sync.lag.ts'

export const pushInput = pushRequest
export const pullInput = z.object({ cursor: z.string().max(500).optional(), limit: z.coerce.number().int().min(1).max(2_000).optional() })

/** Whether a device may count on this server: one without its database would refuse every call with UNAVAILABLE, and so does this. */
export async function ping(): Promise<Answer> {
  await session().pools.public.query('select 1')
  return { data: { now: new Date().toISOString() } }
}

/**
 * A batch of a device's changes: a verdict each, final ones kept for ever. Without changes it is a report: how much the
 * device holds. The device's id is kept in a cookie too, which browsers keep longer than what pages store.
 */
export const push = (entities: SyncEntities) => (ctx: Ctx, request: PushRequest, facts: RequestInfo) =>
  takePush(ctx, { request, facts, entities })

interface Push {
  request: PushRequest
  facts: RequestInfo
  entities: SyncEntities
}

async function takePush(ctx: Ctx, { request, facts, entities }: Push): Promise<Answer> {
  if (request.changes.length > maxPushChanges)
    fail('TOO_LARGE', { message: `A push holds ${maxPushChanges} changes at most.`, details: { maxChanges: maxPushChanges } })
  const cookieDevice = deviceOfCookie(facts)
  const note = (results: readonly PushResult[], failure?: string) =>
    ctx.transaction((inner) => noteDevice(inner, { request, results, failure, cookieDevice }))
  if (request.changes.some(isNewer)) {
    await note([], 'Its program is newer than the server.')
    fail('SCHEMA_UNKNOWN', {
      message: 'This device runs a newer version of the program than the server. Its changes wait on it until the server is up to date.',
    })
  }
  let results: PushResult[] = []
  try {
    results = await pushChanges(ctx, request.changes, { entities, sentAt: request.clientNow })
  } catch (error) {
    // The office shall see what waits, above all when it cannot be taken.
    await note([], 'The server could not take them: it was busy, or failed.').catch((unseen: unknown) =>
      ctx.log.warn({ err: unseen }, 'what a device announced could not be noted'),
    )
    throw error
  }
  await note(results)
  countLag(request, results)
  const answer: PushAnswer = { serverNow: new Date().toISOString(), results }
  return { json: JSON.stringify(answer), cookies: cookieDevice === request.deviceId ? [] : [{ ...deviceCookie, value: request.deviceId }] }
}

/** As long as browsers keep a cookie at most. */
const deviceCookie = { name: 'outpost-store', path: '/api/sync', maxAgeSeconds: 400 * 86_400 }

function deviceOfCookie({ cookies }: RequestInfo): string | undefined {
  const id = cookies[deviceCookie.name]
  return id !== undefined && isIdentifier(id) ? id : undefined
}

export const pull =
  (entities: SyncEntities) =>
  async (ctx: Ctx, input: z.infer<typeof pullInput>): Promise<Answer> => ({ json: await pullChanges(ctx, input, entities) })

export const deadLetterInput = z.strictObject({
  deviceId: idSchema,
  reason: z.string().trim().min(1).max(500),
  envelopes: z
    .array(z.object({ changeId: idSchema }).loose())
    .min(1)
    .max(500),
})

/** Envelopes a device gave up on or exported: kept for the office, each once. */
export async function storeDeadLetters(ctx: Ctx, input: z.infer<typeof deadLetterInput>): Promise<Answer> {
  const room = await roomFor(ctx, letterQuota)
  const kept = await ctx.sql.query<{ changeId: string }>(sql`
    insert into sync_dead_letter ("companyId", "changeId", "tenantId", "deviceId", "userId", "envelope", "reason")
    select ${ctx.company.id}::uuid, (e ->> 'changeId')::uuid, ${ctx.tenant.id}::uuid, ${input.deviceId}::uuid, ${ctx.user.id}::uuid, e, ${input.reason}
    from jsonb_array_elements(${JSON.stringify(input.envelopes)}::jsonb) e on conflict do nothing returning "changeId"`)
  // Those that are kept already take no room.
  if (kept.length > room) await refuseOverQuota(ctx, letterQuota)
  return { data: { kept: kept.map(({ changeId }) => changeId) } }
}

export const handleInput = z.strictObject({
  ids: z.array(idSchema).min(1).max(500),
  state: z.enum(['handled', 'discarded']),
  note: z.string().trim().max(500).optional(),
})

/** Closes dead letters that a manager has dealt with or gives up, all or none; the envelopes stay. */
export async function handleDeadLetters(ctx: Ctx, { ids, state, note }: z.infer<typeof handleInput>): Promise<Answer> {
  const done = await ctx.sql.exec(sql`
    update sync_dead_letter set "state" = ${state}, "note" = ${note ?? null}, "handledByUserId" = ${ctx.user.id}, "handledAt" = now()
    where "companyId" = ${ctx.company.id} and "id" = any(${ids}::uuid[]) and "state" = 'open'`)
  if (done < new Set(ids).size) fail('NOT_FOUND')
  audit(ctx, { action: `sync.${state}`, objectType: 'sync_dead_letter', after: { ids, ...(note ? { note } : {}) } })
  return { data: { ids }, message: ids.length === 1 ? 'Closed' : `${ids.length} closed` }
}

export const resolveInput = z.strictObject({ id: idSchema, resolution: z.enum(['mine', 'theirs']) })

/** Conflicts of records that the caller reads and may change: their values are the records'. Null when there is no such kind. */
export function ownConflicts(ctx: Ctx, entities: SyncEntities): Statement | null {
  const kinds = [...entities.values()].filter((entity) => maySync(ctx, entity, 'read') && maySync(ctx, entity, 'update'))
  if (kinds.length === 0) return null
  return join(
    kinds.map(
      ({ resource }) => sql`(c."entityType" = ${resource.one} and exists (
    select 1 from ${identifier(resource.table)} t where ${visibleRows(ctx, resource)} and t."id" = c."entityId"))`,
    ),
    ' or ',
  )
}

/** Decides one conflict: the server's value stays, or the device's is written by the ordinary rules of an update. */
export const resolveConflict =
  (entities: SyncEntities) =>
  async (ctx: Ctx, { id, resolution }: z.infer<typeof resolveInput>): Promise<Answer> => {
    const own = ownConflicts(ctx, entities)
    const conflict = own
      ? await ctx.sql.maybe<{ entityType: string; entityId: string; field: string; mine: unknown }>(sql`
    update sync_conflict c set "state" = ${resolution}, "resolvedByUserId" = ${ctx.user.id}, "resolvedAt" = now()
    where c."companyId" = ${ctx.company.id} and c."id" = ${id} and c."state" = 'open' and (${own}) returning "entityType", "entityId", "field", "mine"`)
      : undefined
    if (!conflict) return fail('NOT_FOUND')
    const entity = entities.get(conflict.entityType)
    if (resolution === 'mine' && entity) await takeMine(ctx, entity.resource, conflict)
    return { data: { Id: id, resolution }, message: resolution === 'mine' ? 'The device’s value is taken' : 'The office’s value stays' }
  }

async function takeMine(
  ctx: Ctx,
  resource: AnyResource,
  { entityId, field, mine }: { entityId: string; field: string; mine: unknown },
): Promise<void> {
  await updateRecord(ctx, resource, entityId, checkedValues(resource, entityId, { [field]: mine }))
}
