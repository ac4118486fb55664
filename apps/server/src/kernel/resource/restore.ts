import { fail, Failure } from '@outpost/contract/errors'
import { identifier, sql } from '@outpost/platform/db/sql'
import { audit } from '../audit.ts'
import { announce } from '../realtime/announce.ts'
import { recordChange, type Stream } from '../sync/stream.ts'
import type { AnyResource, Ctx } from '../types.ts'
import { visibleRows } from './query.ts'
import { refuseDuplicates } from './duplicates.ts'
import { getRecord, inWrite, type WireRecord } from './records.ts'
import { notFound } from './write.ts'

/** Brings soft-deleted records of the caller's reach back, all or none; what may stand once is checked anew. */
export function restoreRecords(ctx: Ctx, resource: AnyResource, ids: readonly string[]): Promise<WireRecord[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  return inWrite(ctx, resource, (inner, stream) => restoreAll(inner, { resource, wanted, stream }))
}

/** The same refusal, saying which of the records it is about. */
function naming(error: unknown, name: string): unknown {
  return error instanceof Failure ? new Failure(error.failure, { ...error.more, message: `${name} cannot come back: ${(error.more.fields ?? []).map(({ field, message }) => `${field} ${message}`).join(', ')}.` }) : error
}

const nameOf = (row: Record<string, unknown>) => [row['firstName'], row['lastName'], row['name']].filter((part) => typeof part === 'string' && part !== '').join(' ') || String(row['id'])

interface Restoring { resource: AnyResource, wanted: readonly string[], stream: Stream | undefined }

async function restoreAll(ctx: Ctx, { resource, wanted, stream }: Restoring): Promise<WireRecord[]> {
  const gone = await ctx.sql.query<{ id: string } & Record<string, unknown>>(sql`
    select t.* from ${identifier(resource.table)} t where ${visibleRows(ctx, resource, 'deleted')} and t."id" = any(${wanted}::uuid[]) order by t."id" for update of t`)
  if (gone.length < wanted.length) fail(notFound(resource))
  const records: WireRecord[] = []
  for (const row of gone) {
    await refuseDuplicates(ctx, resource, row).catch((error: unknown) => { throw naming(error, String(row[resource.title] ?? nameOf(row))) })
    const seq = stream?.next()
    await ctx.sql.exec(sql`
      update ${identifier(resource.table)} set "deletedAt" = null, "version" = "version" + 1, "dateModified" = now() ${seq === undefined ? sql`` : sql`, "syncSeq" = ${seq}`}
      where "companyId" = ${ctx.company.id} and "id" = ${row.id}`)
    const tenantId = typeof row['tenantId'] === 'string' ? row['tenantId'] : ctx.company.id
    if (stream && seq !== undefined) recordChange(stream, seq, { entityType: resource.one, entityId: row.id, tenantId, changeType: 'UPDATE' })
    announce(ctx, resource, [row.id], 'created', resource.isScoped ? [tenantId] : [])
    records.push(await getRecord(ctx, resource, row.id))
  }
  audit(ctx, wanted.map((id) => ({ action: `${resource.one}.restore`, objectType: resource.one, objectId: id })))
  return records
}
