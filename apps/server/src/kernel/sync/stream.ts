import { randomUUID } from 'node:crypto'
import { named, sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../types.ts'

/** What a change of a synced table leaves behind: sequence numbers, feed rows and a receipt each. */
export interface Stream {
  readonly companyId: string
  /** The next sequence number of the company; each number gets exactly one receipt. */
  next(): number
  feed(row: FeedRow): void
  receipt(row: ReceiptRow): void
}

export interface FeedRow {
  entityType: string
  entityId: string
  tenantId: string
  seq: number
  op: 'put' | 'gone'
}

export interface ReceiptRow {
  changeId: string
  seq: number
  entityType: string
  entityId: string
  changeType: string
  result: 'applied' | 'merged' | 'rejected'
  baseVersion?: number
  deviceId?: string
  clientSeq?: number
  detail?: object | null
}

interface Pending {
  seq: number
  feed: FeedRow[]
  receipts: ReceiptRow[]
}

/** Streams of running transactions by their Sql door, so that nested writes share one counter. */
const open = new WeakMap<object, Stream>()

/**
 * Every write to a synced table runs in here, from the API as from a device. The company's counter row is locked
 * first, in a statement of its own: locks are released after the commit is visible, so the order of sequence
 * numbers is the order of visibility and no reader's cursor can pass a row that commits later.
 */
export async function withStream<Result>(ctx: Ctx, run: (ctx: Ctx, stream: Stream) => Promise<Result>): Promise<Result> {
  if (!ctx.isTransaction) return ctx.transaction((inner) => withStream(inner, run))
  const running = open.get(ctx.sql)
  if (running) return run(ctx, running)
  const pending: Pending = { seq: await lockCounter(ctx), feed: [], receipts: [] }
  const start = pending.seq
  const stream = streamOver(ctx.company.id, pending)
  open.set(ctx.sql, stream)
  try {
    const result = await run(ctx, stream)
    if (pending.seq > start) await flush(ctx, pending)
    return result
  } finally {
    open.delete(ctx.sql)
  }
}

function streamOver(companyId: string, pending: Pending): Stream {
  return {
    companyId,
    next: () => (pending.seq += 1),
    feed: (row) => void pending.feed.push(row),
    receipt: (row) => void pending.receipts.push(row),
  }
}

async function lockCounter(ctx: Ctx): Promise<number> {
  const lock = named(
    'sync.lock',
    sql`select "seq"::float8 as seq, set_config('app.stream', "companyId"::text, true), set_config('app.real_user', ${ctx.realUser.id}, true)
    from sync_stream where "companyId" = ${ctx.company.id} for update`,
  )
  const row = await ctx.sql.maybe<{ seq: number }>(lock)
  if (row) return row.seq
  await ctx.sql.exec(sql`insert into sync_stream ("companyId") values (${ctx.company.id}) on conflict do nothing`)
  return (await ctx.sql.one<{ seq: number }>(lock)).seq
}

async function flush(ctx: Ctx, pending: Pending): Promise<void> {
  const feed = JSON.stringify([...latestFeed(pending.feed).values()])
  const receipts = JSON.stringify(pending.receipts.map((row) => ({ ...row, userId: ctx.user.id })))
  await ctx.sql.exec(
    named(
      'sync.flush',
      sql`
    with f as (
      insert into sync_feed ("companyId", "entityType", "entityId", "tenantId", "seq", "op")
      select ${ctx.company.id}::uuid, "entityType", "entityId", "tenantId", "seq", "op"
      from json_to_recordset(${feed}::json) as r("entityType" text, "entityId" uuid, "tenantId" uuid, "seq" bigint, "op" text)
      on conflict ("companyId", "entityType", "entityId", "tenantId") do update set "seq" = excluded."seq", "op" = excluded."op"
    ), r as (
      insert into sync_receipt ("companyId", "changeId", "seq", "deviceId", "clientSeq", "userId", "entityType", "entityId", "changeType", "baseVersion", "result", "detail")
      select ${ctx.company.id}::uuid, "changeId", "seq", "deviceId", "clientSeq", "userId", "entityType", "entityId", "changeType", coalesce("baseVersion", 0), "result", "detail"
      from json_to_recordset(${receipts}::json) as r("changeId" uuid, "seq" bigint, "deviceId" uuid, "clientSeq" bigint, "userId" uuid,
        "entityType" text, "entityId" uuid, "changeType" text, "baseVersion" bigint, "result" text, "detail" jsonb)
    )
    update sync_stream set "seq" = ${pending.seq} where "companyId" = ${ctx.company.id}`,
    ),
  )
}

/** One row an entity and tenant: the last one counts. */
function latestFeed(rows: readonly FeedRow[]): Map<string, FeedRow> {
  const latest = new Map<string, FeedRow>()
  for (const row of rows) latest.set(`${row.entityType} ${row.entityId} ${row.tenantId}`, row)
  return latest
}

export interface EntityChange {
  entityType: string
  entityId: string
  tenantId: string
  changeType: 'INSERT' | 'UPDATE' | 'DELETE'
  /** Where the row was filed before, when it moved to another tenant. */
  fromTenantId?: string
}

/** Feed and receipt of one write made through the API, under the number from `stream.next()` that the row carries as syncSeq. */
export function recordChange(stream: Stream, seq: number, change: EntityChange): void {
  feedChange(stream, seq, change)
  const { entityType, entityId, changeType } = change
  stream.receipt({ changeId: randomUUID(), seq, entityType, entityId, changeType, result: 'applied' })
}

/** What devices must hold or drop after the change: a move is gone in the old tenant and put in the new. */
export function feedChange(stream: Stream, seq: number, { entityType, entityId, tenantId, changeType, fromTenantId }: EntityChange): void {
  if (fromTenantId && fromTenantId !== tenantId) stream.feed({ entityType, entityId, tenantId: fromTenantId, seq, op: 'gone' })
  stream.feed({ entityType, entityId, tenantId, seq, op: changeType === 'DELETE' ? 'gone' : 'put' })
}
