import { audit, type AuditedAct } from '../audit.ts'
import { hiddenOf } from '../realtime/hidden.ts'
import { announce } from '../realtime/announce.ts'
import { feedChange, recordChange } from '../sync/stream.ts'
import { relatedActs } from '../relations/related.ts'
import type { Batch, Change, Writing } from './writing.ts'
import { changedColumns, plainValue } from './unchanged.ts'
import type { Columns } from './write.ts'

const changeTypes = { create: 'INSERT', update: 'UPDATE', remove: 'DELETE', restore: 'UPDATE' } as const
const operations = { create: 'created', update: 'updated', remove: 'removed', restore: 'created' } as const

/** What written records leave behind: the feed of the devices, an audit row each, and word to everybody who shows them. */
export function publishWrites(batch: Batch): void {
  const written = batch.writings.filter(({ failure }) => !failure)
  for (const writing of batch.writings) publishNumber(batch, writing)
  const acts = written.flatMap((writing) => [actOf(batch, writing) ?? [], relatedActs(batch.resource, writing)].flat())
  audit(batch.ctx, acts)
  for (const [kind, group] of Map.groupBy(written, ({ change }) => change.kind)) announceWrites(batch, kind, group)
}

/** Each number of the stream gets one receipt. A device's change has one of its own, which sync leaves with its verdict. */
function publishNumber({ ctx, resource, stream, isSync }: Batch, writing: Writing): void {
  const { seq, id: entityId, failure, change } = writing
  if (!stream || seq === undefined) return
  const entry = { entityType: resource.one, entityId, changeType: changeTypes[change.kind] }
  const { from, to } = placeOf(writing, ctx.company.id)
  const moved = { ...entry, tenantId: to, fromTenantId: from }
  if (failure) return void (isSync || stream.receipt({ ...entry, changeId: crypto.randomUUID(), seq, result: 'rejected' }))
  if (isSync) feedChange(stream, seq, moved)
  else recordChange(stream, seq, moved)
}

/** Tenants that the record is filed under, before and after; the company for records that are filed under none. */
function placeOf({ before, record }: Writing, companyId: string): { from: string; to: string } {
  const [from, to] = [before?.['tenantId'], record?.['tenantId'] ?? before?.['tenantId']]
  const after = typeof to === 'string' ? to : companyId
  return { from: typeof from === 'string' ? from : after, to: after }
}

/** Undefined when nothing but the stamps changed. */
function actOf({ resource }: Batch, { change: { kind }, id, before = {}, values, record }: Writing): AuditedAct | undefined {
  const act = { action: `${resource.one}.${kind}`, objectType: resource.one, objectId: id }
  switch (kind) {
    case 'create':
      return { ...act, after: filledIn(record ?? values) }
    case 'update': {
      const after = changedColumns(resource, before, values)
      const was = Object.fromEntries(Object.keys(after).map((key) => [key, before[key] ?? null]))
      return Object.keys(after).length === 0 ? undefined : { ...act, before: plain(was), after }
    }
    case 'remove':
      return { ...act, before: filledIn(plain(before)) }
    case 'restore':
      return act
  }
}

const derived = new Set(['searchText', 'syncSeq'])

/** As JSON holds it. */
function plain(row: Columns): Columns {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([key]) => !derived.has(key))
      .map(([key, value]) => [key, plainValue(value)]),
  )
}

/** Empty values of a whole record are left out. */
const filledIn = (row: Columns): Columns => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

function announceWrites({ ctx, resource }: Batch, kind: Change['kind'], group: readonly Writing[]): void {
  const tenants = group.flatMap((writing) => Object.values(placeOf(writing, ctx.company.id)))
  const ids = group.map(({ id }) => id)
  const except = group.flatMap((writing) => hiddenOf(resource, writing))
  announce(ctx, resource, ids, operations[kind], {
    tenantIds: resource.isScoped ? [...new Set(tenants)] : [],
    ...(except.length > 0 ? { exceptUserIds: [...new Set(except)] } : {}),
  })
}
