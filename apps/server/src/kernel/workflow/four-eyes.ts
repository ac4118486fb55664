import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { Batch } from '../resource/writing.ts'
import type { AnyResource, Ctx } from '../types.ts'
import { makingActs } from './own-work.ts'
import type { MoveDefinition, Row } from './types.ts'
import { inSentence } from '../in-sentence.ts'

/** Records written in a running transaction: their audit rows come at its end. */
const written = new WeakMap<Sql, Set<string>>()
const keyOf = ({ one }: Pick<AnyResource, 'one'>, id: string) => `${one} ${id}`

/** Remembers, until the transaction ends, that the caller has changed these records. */
export function rememberWritten({ sql: own }: Pick<Ctx, 'sql'>, resource: AnyResource, ids: readonly string[]): void {
  const keys = written.get(own) ?? new Set()
  written.set(own, keys)
  for (const id of ids) keys.add(keyOf(resource, id))
}

interface Maker {
  id: string
  userId: string | null
  realUserId: string | null
  part: string
}
const makers = new WeakMap<Batch, Promise<Map<string, Maker[]>>>()

/** Stops with FORBIDDEN when the caller, or whoever really acts, made or last changed the record. */
export async function refuseOwnWork(
  batch: Batch,
  { id, before }: { id: string; before: Row },
  rule: NonNullable<MoveDefinition['fourEyes']>,
): Promise<void> {
  const { ctx, resource } = batch
  const callers = [ctx.user.id, ctx.realUser.id]
  if (typeof rule === 'function') {
    const own = await ctx.sql.maybe<{ part: string }>(
      sql`select m.part from (${rule(ctx, id)}) m where m."userId" = any(${callers}::uuid[]) limit 1`,
    )
    return own && refuseMaker(resource, own.part)
  }
  if (written.get(ctx.sql)?.has(keyOf(resource, id))) refuseMaker(resource, 'changed')
  let known = makers.get(batch)
  if (!known) makers.set(batch, (known = readMakers(batch)))
  const own = (await known).get(id)?.find(({ userId, realUserId }) => callers.some((caller) => caller === userId || caller === realUserId))
  if (own) refuseMaker(resource, own.part)
  if (callers.includes(String(before['createdByUserId'] ?? ''))) refuseMaker(resource, 'made')
}

const refuseMaker = ({ label }: AnyResource, part: string): never =>
  fail('FORBIDDEN', { message: `Another person has to decide: you ${part} this ${inSentence(label)}.` })

/** Who made and who last changed each record of the batch. */
async function readMakers({ ctx, resource, writings }: Batch): Promise<Map<string, Maker[]>> {
  const entries = sql`audit_log g where g."companyId" = ${ctx.company.id}::uuid and g."objectType" = ${resource.one} and g."objectId" = i.id and g."action" = any(${makingActs(resource)}::text[])`
  const rows = await ctx.sql.query<Maker & Record<string, unknown>>(sql`
    select i.id, m."userId", m."realUserId", m.part from unnest(${writings.map(({ id }) => id)}::text[]) i(id), lateral (
      (select g."userId", g."realUserId", 'made' as part from ${entries} order by g."seq" limit 1)
      union all (select g."userId", g."realUserId", 'last changed' from ${entries} order by g."seq" desc limit 1)) m`)
  return Map.groupBy(rows, ({ id }) => id)
}
