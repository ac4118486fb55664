import type { ChangeRecord, PushResult } from '@outpost/contract/sync/protocol'
import { rowOf } from '@outpost/platform/db/models'
import { identifier, join, named, sql } from '@outpost/platform/db/sql'
import { isIdentifier, isNoIdentifier } from '@outpost/rules/validation'
import { roomFor, type Quota } from '../quota.ts'
import { selectionOf } from '../resource/read/columns.ts'
import { writeRecords } from '../resource/pipeline.ts'
import { prepared } from '@outpost/platform/db/prepared'
import { visibleRows } from '../resource/read/query.ts'
import type { AnyResource, Ctx } from '../types.ts'
import type { Batch, Decision } from './decision.ts'
import { maySync, type SyncEntities, type SyncEntity } from './entities.ts'
import type { WireRow } from './resolve.ts'
import { refusedBy } from './refusal.ts'

/** Receipts and rows of the batch. Read after the counter is locked: a delivery that came first has left its receipts. */
export async function loadBatch(ctx: Ctx, changes: readonly ChangeRecord[], entities: SyncEntities): Promise<Batch> {
  const batch: Batch = { receipts: await loadReceipts(ctx, changes, entities), rows: new Map(), columns: new Map() }
  await reloadRows(ctx, changes, { batch, entities })
  return batch
}

/** Reads the stored rows of the changes' entities into the batch. */
export async function reloadRows(
  ctx: Ctx,
  changes: readonly ChangeRecord[],
  { batch, entities }: { batch: Batch; entities: SyncEntities },
): Promise<void> {
  for (const [type, group] of Map.groupBy(changes, (change) => change.entityType)) {
    const entity = entities.get(type)
    if (entity)
      await loadRows(
        ctx,
        entity.resource,
        group.map(({ entityId }) => entityId),
        batch,
      )
  }
}

/** The verdict as this caller may see it: stored values are shown only to those who may read such records. */
export function visibleVerdict(ctx: Ctx, entity: SyncEntity | undefined, verdict: PushResult): PushResult {
  if (entity && maySync(ctx, entity, 'read')) return verdict
  const { fields: _fields, conflicts: _conflicts, existingId: _existingId, ...told } = verdict
  return told
}

/** The tenants among those the changes name that the caller reaches and that still exist. */
export async function reachedTenants(ctx: Ctx, changes: readonly ChangeRecord[]): Promise<ReadonlySet<string>> {
  const others = [...new Set(changes.map(({ tenantId }) => tenantId))].filter((id) => id !== ctx.tenant.id)
  const asked = ctx.scope === '*' ? others : others.filter((id) => ctx.scope.includes(id))
  if (asked.length === 0) return new Set([ctx.tenant.id])
  const rows = await ctx.sql.query<{ id: string }>(
    sql`select "id" from tenant where "companyId" = ${ctx.company.id} and "id" = any(${asked}::uuid[]) and "deletedAt" is null`,
  )
  return new Set([ctx.tenant.id, ...rows.map(({ id }) => id)])
}

async function loadReceipts(ctx: Ctx, changes: readonly ChangeRecord[], entities: SyncEntities): Promise<Map<string, PushResult>> {
  const ids = changes.map(({ changeId }) => changeId)
  const rows = await ctx.sql.query<{
    changeId: string
    seq: number
    userId: string
    entityType: string
    result: 'applied' | 'merged' | 'rejected'
    detail: Partial<PushResult> | null
  }>(
    named(
      'sync.receipts',
      sql`
    select "changeId", "seq"::float8 as seq, "userId", "entityType", "result", "detail" from sync_receipt
    where "companyId" = ${ctx.company.id} and "changeId" = any(${ids}::uuid[])`,
    ),
  )
  return new Map(
    rows.map(({ changeId, seq, userId, entityType, result, detail }) => {
      // The details are for the first sender; anybody else only learns that the change was taken.
      const first = userId === ctx.user.id ? detail : {}
      return [changeId, visibleVerdict(ctx, entities.get(entityType), { ...first, changeId, seq, status: 'duplicate', first: result })]
    }),
  )
}

/** Rows that the caller does not see are as if they were not there. */
async function loadRows(ctx: Ctx, resource: AnyResource, ids: readonly string[], batch: Batch): Promise<void> {
  const { columns, joins } = selectionOf(resource, 'detail')
  const rows = await ctx.sql.query<{ id: string; wire: WireRow; isDeleted: boolean; stored: Record<string, unknown> }>(
    prepared(
      sql`
    select t."id" as id, (select row_to_json(x) from (select ${columns}) x) as wire, t."deletedAt" is not null as "isDeleted", to_jsonb(t) as stored
    from ${identifier(resource.table)} t ${joins} where ${visibleRows(ctx, resource, 'all')} and t."id" = any(${ids}::uuid[])`,
      'write',
    ),
  )
  for (const { id, wire, isDeleted, stored } of rows) {
    batch.rows.set(id, { ...wire, isDeleted })
    batch.columns.set(id, rowOf(resource.model, stored))
  }
}

/** Ids among the changes' dependencies that the server holds. */
export async function existingIds(ctx: Ctx, changes: readonly ChangeRecord[], entities: SyncEntities): Promise<Set<string>> {
  const wanted = [...new Set(changes.flatMap(({ deps }) => deps))]
  if (wanted.length === 0) return new Set()
  const tables = [...entities.values()].map(
    ({ resource }) => sql`
    select "id" from ${identifier(resource.table)} where "companyId" = ${ctx.company.id} and "id" = any(${wanted}::uuid[]) and "deletedAt" is null`,
  )
  const rows = await ctx.sql.query<{ id: string }>(join(tables, ' union '))
  return new Set(rows.map(({ id }) => id))
}

/** Hands what was decided to the write pipeline; what its rules refuse is rejected. */
export async function writeDecisions(
  ctx: Ctx,
  decisions: readonly Decision[],
  { batch, known }: { batch: Batch; known: Set<string> },
): Promise<void> {
  for (const [entity, group] of Map.groupBy(
    decisions.filter(({ write }) => write),
    (decision) => decision.entity,
  )) {
    if (!entity) continue
    const writes = group.flatMap(({ write }) => write ?? [])
    const verdicts = await writeRecords(ctx, entity.resource, writes, { source: 'sync', onRefusal: 'report', held: batch.columns })
    for (const [index, { record, failure, seq }] of verdicts.entries()) {
      const decision = group[index] as Decision
      Object.assign(decision, failure ? refusedBy(failure, entity.resource) : { held: record as WireRow | undefined }, { seq })
      if (!failure && decision.write?.kind === 'create') known.add(decision.change.entityId)
    }
  }
}

/** Opens a conflict a field that both sides changed, for a person to decide. */
export async function saveConflicts(ctx: Ctx, decisions: readonly Decision[]): Promise<void> {
  const rows = decisions.flatMap(({ change, conflicts, tenantId }) =>
    conflicts.map((conflict) => ({
      changeId: change.changeId,
      tenantId,
      entityType: change.entityType,
      entityId: change.entityId,
      ...conflict,
    })),
  )
  if (rows.length === 0) return
  await ctx.sql.exec(sql`
    insert into sync_conflict ("companyId", "id", "tenantId", "changeId", "userId", "entityType", "entityId", "field", "base", "mine", "theirs")
    select ${ctx.company.id}::uuid, gen_random_uuid(), "tenantId", "changeId", ${ctx.user.id}::uuid, "entityType", "entityId", "field", "base", "mine", "theirs"
    from json_to_recordset(${JSON.stringify(rows)}::json) as r("tenantId" uuid, "changeId" uuid, "entityType" text, "entityId" uuid, "field" text, "base" jsonb, "mine" jsonb, "theirs" jsonb)`)
}

/** Keeps the whole envelope of what was refused for the office to see, whatever the device does with it. */
export async function saveDeadLetters(ctx: Ctx, decisions: readonly Decision[]): Promise<void> {
  const refused = decisions.filter(({ outcome }) => outcome === 'rejected')
  await saveEnvelopes(
    ctx,
    refused.map(({ change, code, message }) => ({
      changeId: change.changeId,
      deviceId: change.deviceId,
      envelope: change,
      reason: `${code}: ${message}`,
    })),
  )
}

/** The same for changes that could not even be read, as far as they say which they are. */
export async function saveUnreadable(ctx: Ctx, unread: readonly { changeId: string; problem: string; sent: unknown }[]): Promise<void> {
  const named = unread.filter(({ changeId }) => !isNoIdentifier(changeId))
  await saveEnvelopes(
    ctx,
    named.map(({ changeId, problem, sent }) => ({ changeId, deviceId: deviceOf(sent), envelope: sent, reason: `VALIDATION: ${problem}` })),
  )
}

function deviceOf(sent: unknown): string {
  const id = typeof sent === 'object' && sent !== null && 'deviceId' in sent ? sent.deviceId : undefined
  return typeof id === 'string' && isIdentifier(id) ? id : '00000000-0000-0000-0000-000000000000'
}

/** Changes that could not be placed and wait for a person. */
export const letterQuota: Quota = {
  name: 'deadLetters',
  table: 'sync_dead_letter',
  most: 2_000,
  what: 'changes that could not be placed',
  advice: 'Have a manager deal with them first.',
  counts: `"state" = 'open'`,
}

interface Envelope {
  changeId: string
  deviceId: string
  envelope: unknown
  reason: string
}

async function saveEnvelopes(ctx: Ctx, rows: readonly Envelope[]): Promise<void> {
  if (rows.length === 0) return
  // Beyond the quota they stay on the device alone, which hears of each that it was refused.
  const kept = rows.slice(0, await roomFor(ctx, letterQuota))
  await ctx.sql.exec(sql`
    insert into sync_dead_letter ("companyId", "changeId", "tenantId", "deviceId", "userId", "envelope", "reason")
    select ${ctx.company.id}::uuid, "changeId", ${ctx.tenant.id}::uuid, "deviceId", ${ctx.user.id}::uuid, "envelope", "reason"
    from json_to_recordset(${JSON.stringify(kept, withoutNul)}::json) as r("changeId" uuid, "deviceId" uuid, "envelope" jsonb, "reason" text)
    on conflict do nothing`)
}

/** Postgres holds no NUL: it is kept as the replacement character. */
const withoutNul = (_: string, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value)
