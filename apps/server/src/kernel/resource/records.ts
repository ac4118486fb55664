import { randomUUIDv7 } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { announce } from '../realtime/announce.ts'
import { audit } from '../audit.ts'
import { recordChange, withStream, type EntityChange, type Stream } from '../sync/stream.ts'
import type { AnyResource, Ctx, PrepareWrite } from '../types.ts'
import { hasColumn } from './define.ts'
import { refuseDuplicates } from './duplicates.ts'
import { mayRead } from './readers.ts'
import { refuseMissing, type RecordInput } from './schema.ts'
import { deleteRows, insertRow, lockRows, notFound, readText, refuseBeyondReach, refuseForeign, updateRow, updateRows, type Columns, type WireRecord } from './write.ts'

export type { WireRecord } from './write.ts'

/** The caller's record as the wire shows it; NOT_FOUND when missing, of another company or out of reach. */
export async function getRecord(ctx: Ctx, resource: AnyResource, id: string): Promise<WireRecord> {
  const text = await readText(ctx, resource, id)
  return text === '' ? fail(notFound(resource)) : JSON.parse(text) as WireRecord
}

/**
 * Creates a record from checked input (writeSchemas(resource).create): supplied Id or a new uuid v7, filed under the
 * chosen tenant. Runs in the ctx's transaction, opens one when there is none. Errors: INVALID, ALREADY_EXISTS and
 * what prepare refuses.
 */
export function createRecord(ctx: Ctx, resource: AnyResource, input: RecordInput): Promise<WireRecord> {
  return inWrite(ctx, resource, async (inner, stream) => {
    const { Id, ...given } = input
    const id = typeof Id === 'string' ? Id.toLowerCase() : randomUUIDv7()
    const prepared = await prepare(inner, resource, { kind: 'create', input: given, isSync: false, id })
    const values = { ...given, ...prepared }
    refuseMissing(resource, values)
    await refuseForeign(inner, resource, given)
    refuseBeyondReach(inner, resource, values)
    await refuseDuplicates(inner, resource, { ...values, id })
    const seq = stream?.next()
    const filed = resource.isScoped ? { tenantId: inner.tenant.id } : {}
    const record = await insertRow(inner, resource, { ...filed, ...values, companyId: inner.company.id, id, ...synced(resource, seq) })
    const tenantId = tenantOf(record, inner)
    leaveTrace({ stream, seq, change: { entityType: resource.one, entityId: id, tenantId, changeType: 'INSERT' } })
    audit(inner, { action: `${resource.one}.create`, objectType: resource.one, objectId: id, after: record })
    announce(inner, resource, [id], 'created', resource.isScoped ? [tenantId] : [])
    return record
  })
}

/**
 * Changes fields of the caller's record, from checked input (writeSchemas(resource).update without its id). With a
 * version that is not the present one: CONFLICT, with details.current for those who may read the record.
 */
export function updateRecord(ctx: Ctx, resource: AnyResource, id: string, input: RecordInput): Promise<WireRecord> {
  return inWrite(ctx, resource, async (inner, stream) => {
    const { id: _, Id: __, version, ...given } = input
    const before: Columns = (await lockRows(inner, resource, [id]))[0] ?? fail(notFound(resource))
    if (version !== undefined && before.version !== undefined && BigInt(version as number) !== before.version) {
      fail('CONFLICT', mayRead(inner, resource) ? { details: { current: await getRecord(inner, resource, id) } } : {})
    }
    const prepared = await prepare(inner, resource, { kind: 'update', input: given, before, isSync: false, id })
    const values: Columns = { ...given, ...prepared }
    refuseMissing(resource, { ...before, ...values })
    await refuseForeign(inner, resource, given, before)
    refuseBeyondReach(inner, resource, before, { ...before, ...values })
    await refuseDuplicates(inner, resource, { ...values, id })
    const seq = stream?.next()
    const record = await updateRow(inner, resource, id, { ...values, ...stamped(resource, before), ...synced(resource, seq) })
    const tenantId = tenantOf(record, inner)
    const fromTenantId = typeof before.tenantId === 'string' ? before.tenantId : tenantId
    leaveTrace({ stream, seq, change: { entityType: resource.one, entityId: id, tenantId, fromTenantId, changeType: 'UPDATE' } })
    audit(inner, { action: `${resource.one}.update`, objectType: resource.one, objectId: id, before: pick(before, values), after: values })
    announce(inner, resource, [id], 'updated', resource.isScoped ? [...new Set([fromTenantId, tenantId])] : [])
    return record
  })
}

/** Removes the caller's records, all or none: marks them when the resource is soft-deleted. NOT_FOUND when one is out of sight. */
export function removeRecords(ctx: Ctx, resource: AnyResource, ids: readonly string[]): Promise<void> {
  return inWrite(ctx, resource, async (inner, stream) => {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
    const rows: Columns[] = await lockRows(inner, resource, wanted)
    if (rows.length < wanted.length) fail(notFound(resource))
    refuseBeyondReach(inner, resource, ...rows)
    const marks = []
    for (const before of rows) {
      const id = String(before.id)
      const prepared = await prepare(inner, resource, { kind: 'remove', input: {}, before, isSync: false, id })
      const seq = stream?.next()
      marks.push({ ...prepared, id, deletedAt: new Date(), ...stamped(resource, before), ...synced(resource, seq) })
      const change = { entityType: resource.one, entityId: id, tenantId: tenantOf(before, inner), changeType: 'DELETE' as const }
      leaveTrace({ stream, seq, change })
    }
    if (resource.isSoftDeleted) await updateRows(inner, resource, uniform(marks, rows))
    else await deleteRows(inner, resource, wanted)
    audit(inner, rows.map((before) => ({ action: `${resource.one}.remove`, objectType: resource.one, objectId: String(before.id), before: plain(before) })))
    announce(inner, resource, wanted, 'removed', resource.isScoped ? [...new Set(rows.map((before) => tenantOf(before, inner)))] : [])
  })
}

/** Every write stands in a transaction; those of synced resources under the company's counter, taken first. */
export function inWrite<Result>(ctx: Ctx, resource: AnyResource, run: (ctx: Ctx, stream?: Stream) => Promise<Result>): Promise<Result> {
  if (resource.isSynced) return withStream(ctx, run)
  return ctx.isTransaction ? run(ctx) : ctx.transaction((inner) => run(inner))
}

interface UntypedWrite extends Omit<PrepareWrite<Columns>, 'input'> { input: RecordInput }

async function prepare(ctx: Ctx, resource: AnyResource, write: UntypedWrite): Promise<Columns> {
  // The definition ties prepare to the model's row; here, where any resource passes, that type is gone.
  return await resource.prepare?.(ctx, write as never) as Columns | undefined ?? {}
}

interface Trace { stream: Stream | undefined, seq: number | undefined, change: EntityChange }

function leaveTrace({ stream, seq, change }: Trace): void {
  if (stream && seq !== undefined) recordChange(stream, seq, change)
}

const synced = (resource: AnyResource, seq: number | undefined): Columns => seq !== undefined && hasColumn(resource, 'syncSeq') ? { syncSeq: seq } : {}

function stamped(resource: AnyResource, before: Columns): Columns {
  return {
    ...(typeof before.version === 'bigint' ? { version: before.version + 1n } : {}),
    ...(hasColumn(resource, 'dateModified') ? { dateModified: new Date() } : {}),
  }
}

const tenantOf = (row: Columns, ctx: Ctx) => typeof row.tenantId === 'string' ? row.tenantId : ctx.company.id

const pick = (row: Columns, keys: Columns) => plain(Object.fromEntries(Object.keys(keys).map((key) => [key, row[key] ?? null])))

/** As JSON holds it. */
function plain(row: Columns): Columns {
  const derived = new Set(['searchText', 'syncSeq'])
  return Object.fromEntries(Object.entries(row).filter(([key]) => !derived.has(key)).map(([key, value]) => [key, typeof value === 'bigint' ? Number(value) : value]))
}

/** Rows of one statement name the same columns: what prepare left out of one keeps its value. */
function uniform(marks: ({ id: string } & Columns)[], rows: readonly Columns[]): ({ id: string } & Columns)[] {
  const keys = new Set(marks.flatMap((mark) => Object.keys(mark)))
  return marks.map((mark, index) => {
    const kept = Object.fromEntries([...keys].map((key) => [key, Object.hasOwn(mark, key) ? mark[key] : rows[index]?.[key]]))
    return { ...kept, id: mark.id }
  })
}
