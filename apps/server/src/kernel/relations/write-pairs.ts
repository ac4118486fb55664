import { empty, identifier, join, sql } from '@outpost/platform/db/sql'
import { randomUUIDv7 } from 'node:crypto'
import type { AnyResource, Ctx } from '../types.ts'
import type { Pairs } from './relations.ts'
import { prepared } from '@outpost/platform/db/prepared'
import { refusing, type Columns } from '../resource/write.ts'

/** Pairs of one record: as stored and as they will be. */
export interface PairsWrite {
  id: string
  tenantId: string | undefined
  /** As it will be stored. */
  record: Columns
  before: readonly string[]
  after: readonly string[]
}

/** The other sides of the records' pairs, in their order, by record: one statement. */
export async function readPairs(
  ctx: Ctx,
  { table, own, other, order, until }: Pairs,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await ctx.sql.query<{ id: string; others: string[] }>(
    prepared(
      sql`
    select x.${identifier(own)} as id, array_agg(x.${identifier(other)}::text order by x.${identifier(order ?? other)}) as others from ${identifier(table)} x
    where x."companyId" = ${ctx.company.id}::uuid and x.${identifier(own)} = any(${ids}::uuid[]) ${until === undefined ? empty : sql`and x.${identifier(until)} is null`} group by 1`,
      'write',
    ),
  )
  return new Map(rows.map(({ id, others }) => [id, others]))
}

/** True when a write changes the pairs; their order counts where it is kept. */
export function arePairsChanged({ order }: Pairs, { before, after }: Pick<PairsWrite, 'before' | 'after'>): boolean {
  if (before.length !== after.length) return true
  return order === undefined ? after.some((id) => !before.includes(id)) : after.some((id, index) => id !== before[index])
}

/** Gives records exactly the pairs they are to have: one statement for those that go, one for those that come. */
export async function writePairs(ctx: Ctx, resource: AnyResource, pairs: Pairs, writes: readonly PairsWrite[]): Promise<void> {
  const changed = writes.filter((write) => arePairsChanged(pairs, write))
  const gone = changed.flatMap(({ id, before, after }) =>
    before.filter((other) => !after.includes(other)).map((other) => ({ own: id, other })),
  )
  if (gone.length > 0) await endPairs(ctx, pairs, gone)
  const begun = await pairs.begins?.(
    ctx,
    changed.map(({ record }) => record),
  )
  const come = changed.flatMap((write, index) => newPairs(ctx, pairs, write).map((pair) => ({ ...pair, ...begun?.[index] })))
  if (come.length > 0) await refusing(resource, () => insertPairs(ctx, pairs, come))
}

async function endPairs(
  ctx: Ctx,
  { table, own, other, until, since, isText }: Pairs,
  gone: readonly { own: string; other: string }[],
): Promise<void> {
  const which = sql`x."companyId" = ${ctx.company.id}::uuid and x.${identifier(own)} = s.own and x.${identifier(other)} = ${isText ? sql`s.other` : sql`s.other::uuid`}`
  const given = sql`json_to_recordset(${JSON.stringify(gone)}::json) as s(own uuid, other text)`
  if (until === undefined)
    return void (await ctx.sql.exec(prepared(sql`delete from ${identifier(table)} x using ${given} where ${which}`, 'write')))
  // Moments are kept in milliseconds: one that began just now may lie ahead by a part of one.
  const end = since === undefined ? sql`now()` : sql`greatest(x.${identifier(since)}, now())`
  await ctx.sql.exec(
    prepared(
      sql`update ${identifier(table)} x set ${identifier(until)} = ${end} from ${given} where ${which} and x.${identifier(until)} is null`,
      'write',
    ),
  )
}

function newPairs(
  ctx: Ctx,
  { own, other, order, hasId, hasTenant, by }: Pairs,
  { id, tenantId, before, after }: PairsWrite,
): Record<string, unknown>[] {
  return after.flatMap((one, place) =>
    order === undefined && before.includes(one)
      ? []
      : [
          {
            companyId: ctx.company.id,
            [own]: id,
            [other]: one,
            ...(hasId ? { id: randomUUIDv7() } : {}),
            ...(hasTenant ? { tenantId } : {}),
            ...(order === undefined ? {} : { [order]: place }),
            ...(by === undefined ? {} : { [by]: ctx.user.id }),
          },
        ],
  )
}

/** Stored pairs get their new place, where the order is kept. */
function insertPairs(ctx: Ctx, { table, own, other, order }: Pairs, rows: readonly Record<string, unknown>[]): Promise<number> {
  const names = join(Object.keys(rows[0] ?? {}).map((key) => identifier(key)))
  const again =
    order === undefined
      ? sql`on conflict do nothing`
      : sql`on conflict ("companyId", ${identifier(own)}, ${identifier(other)}) do update set ${identifier(order)} = excluded.${identifier(order)}`
  return ctx.sql.exec(
    prepared(
      sql`insert into ${identifier(table)} (${names}) select ${names} from json_populate_recordset(null::${identifier(table)}, ${JSON.stringify(rows)}::json) ${again}`,
      'write',
    ),
  )
}
