import { randomUUID } from 'node:crypto'
import { identifier, join, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { resourceNamed } from '../resource/define.ts'
import { announce } from '../realtime/announce.ts'
import { linesOf, pairsOf } from '../relations/relations.ts'
import type { AnyResource, Ctx, JobDefinition } from '../types.ts'
import type { SyncEntities } from './entities.ts'
import { feedBeyond } from './feed-beyond.ts'
import { withStream } from './stream.ts'

/** Records sent once more under one number: short transactions, and pages that stay small. */
const portion = 500

/**
 * Sends the synced records that hold the name of a renamed row to the devices once more; triggers on the renamed tables
 * leave the job. The records themselves are as they were: no version rises. Running twice does no harm.
 */
export function relabelJob(entities: SyncEntities): JobDefinition<{ table: string; id: string }> {
  return {
    name: 'sync.relabel',
    ownTransaction: true,
    run: async (ctx, { table, id }, { signal }) => {
      for (const { resource } of entities.values()) {
        const holds = holdersOf(resource, table, id)
        let after: string | null = holds ? '00000000-0000-0000-0000-000000000000' : null
        while (after !== null && holds && !signal.aborted) after = await sendAgain(ctx, resource, { holds, after })
      }
      // Given to another worker, or at the end of this one: the rest is done by the next try.
      signal.throwIfAborted()
    },
  }
}

/** Puts the next records into the feed under one number; gives the last id, null at the end. */
function sendAgain(ctx: Ctx, resource: AnyResource, { holds, after }: { holds: Statement; after: string }): Promise<string | null> {
  return withStream(ctx, async (inner, stream) => {
    const table = identifier(resource.table)
    const found = await inner.sql.query<{ id: string }>(sql`
      select t."id" from ${table} t where t."companyId" = ${ctx.company.id} and t."deletedAt" is null and t."id" > ${after}::uuid and (${holds})
      order by t."id" limit ${portion}`)
    if (found.length === 0) return null
    const seq = stream.next()
    const ids = found.map(({ id }) => id)
    const rows = await inner.sql.query<{ id: string; tenantId: string }>(sql`
      update ${table} set "syncSeq" = ${seq} where "companyId" = ${ctx.company.id} and "id" = any(${ids}::uuid[]) returning "id", "tenantId"`)
    for (const { id, tenantId } of rows) stream.feed({ entityType: resource.one, entityId: id, tenantId, seq, op: 'put' })
    stream.receipt({
      changeId: randomUUID(),
      seq,
      entityType: resource.one,
      entityId: ids[0] ?? '',
      changeType: 'UPDATE',
      result: 'applied',
    })
    await feedBeyond(inner, resource, ids)
    announce(inner, resource, ids, 'updated', [...new Set(rows.map(({ tenantId }) => tenantId))])
    return ids.length < portion ? null : (ids.at(-1) ?? null)
  })
}

/** Which records (alias t) hold the name of the row; null when this kind of record holds none of the table's. */
export function holdersOf(resource: AnyResource, table: string, id: string): Statement | null {
  const fields = Object.entries(resource.fields).filter(
    ([, { to, isFilterOnly }]) => !isFilterOnly && to !== undefined && resourceNamed(to)?.table === table,
  )
  const ways = [
    ...fields.map(([key]) => refersTo(resource, key, { table, id })),
    ...linesThatHold(resource, { table, id }),
    ...(resource.names?.[table] ? [resource.names[table](id)] : []),
  ]
  return ways.length > 0 ? join(ways, ' or ') : null
}

/** Lines show the names of what they refer to, as part of their record. */
function linesThatHold(resource: AnyResource, { table, id }: { table: string; id: string }): Statement[] {
  return Object.keys(resource.fields).flatMap((key) => {
    const lines = linesOf(resource, key)
    const fields = lines
      ? Object.entries(lines.of.fields).filter(([, { to }]) => to !== undefined && resourceNamed(to)?.table === table)
      : []
    return fields.map(([field]) =>
      among(
        sql`select x.${identifier(lines?.by ?? '')} from ${identifier(lines?.of.table ?? '')} x where x."companyId" = t."companyId" and x.${identifier(field)} = ${id}::uuid`,
      ),
    )
  })
}

function refersTo(resource: AnyResource, key: string, { table, id }: { table: string; id: string }): Statement {
  const pairs = pairsOf(resource, key)
  if (pairs)
    return among(
      sql`select x.${identifier(pairs.own)} from ${identifier(pairs.table)} x where x."companyId" = t."companyId" and x.${identifier(pairs.other)} = ${id}::uuid`,
    )
  const { batch } = resource.fields[key] ?? {}
  if (batch) {
    const { from, alias, key: own } = batch.of
    return among(
      sql`select ${identifier(alias, own)} from ${trusted(from)} where ${identifier(alias, 'companyId')} = t."companyId" and ${identifier(alias, 'id')} = ${id}::uuid`,
    )
  }
  // A tenant's name is also shown in what is filed below it (branch, region).
  if (table === 'tenant')
    return sql`${identifier('t', key)} in (select b."id" from tenant b where b."companyId" = t."companyId" and ${id}::uuid = any(b."path"))`
  return sql`${identifier('t', key)} = ${id}::uuid`
}

const among = (ids: Statement) => sql`t."id" in (${ids})`
