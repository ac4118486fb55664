import { fail } from '@outpost/contract/errors'
import { empty, identifier, join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { announce } from '../realtime/announce.ts'
import { recordChange, type Stream } from '../sync/stream.ts'
import type { Ctx } from '../types.ts'

/** Rows that belong to a record and go with it when it is merged into another one. */
export interface Belonging {
  table: string
  /** Column that names the owner. */
  column: string
  /** Rows of several kinds of owner are told apart by this column, which holds the kind. */
  typeColumn?: string
  /** Kind of record that these rows are; its screens hear of it. */
  one?: string
  /** Devices hold these records. */
  isSynced?: boolean
  /** Synced records that show these rows. */
  of?: { table: string; one: string; column: string }
  /** A link between the owner and a record of `of`, without an id. */
  isPair?: boolean
  /** Filed under the tenant of its owner, so that it is read as far as the owner is. */
  isFiled?: boolean
  /** What came to rows of that other belonging since the merge goes back with them: `column` names the row, `of` the belonging. */
  follows?: { column: string; of: string }
  /** Rows that the other owner has too, by these columns, stay where they are. */
  sameBy?: readonly string[]
}
export type Belongings = Readonly<Record<string, Belonging>>

interface Link {
  id: string
  tenantId: string
  /** The winner was linked already, only the loser's link went. */
  isShared?: boolean
}
/** What went from one owner to the other, by the name of the belonging. Merges of older versions name fewer. */
export type Moved = Record<string, readonly (string | Link)[]>

export interface Moving {
  /** Kind of owner. */
  kind: string
  from: string
  to: string
  /** Only what was moved before; without: all. */
  only?: Moved
}

/** Points what belongs to one record to another one, and says what that was. CONFLICT when something lies beyond the caller's reach. */
export async function moveBelongings(ctx: Ctx, stream: Stream, belongings: Belongings, moving: Moving): Promise<Moved> {
  await refuseBeyondReach(ctx, belongings, moving)
  const moved: Moved = {}
  for (const [key, belonging] of Object.entries(belongings)) {
    const only = moving.only ? (moving.only[key] ?? []) : undefined
    const followed = moving.only?.[belonging.follows?.of ?? ''] ?? []
    if (only?.length === 0 && followed.length === 0) continue
    moved[key] = belonging.isPair
      ? await movePairs(ctx, stream, belonging, { ...moving, links: only as Link[] | undefined })
      : await moveRows(ctx, stream, belonging, { ...moving, ids: only?.map(idOf), followed: followed.map(idOf) })
  }
  return moved
}

const idOf = (row: string | Link) => (typeof row === 'string' ? row : row.id)

async function moveRows(
  ctx: Ctx,
  stream: Stream,
  { table, column, typeColumn, one, isSynced, of, isFiled, sameBy, follows }: Belonging,
  { kind, from, to, ids, followed }: Moving & { ids: string[] | undefined; followed: string[] },
): Promise<string[]> {
  const owner = identifier(column)
  const filed = isFiled
    ? sql`, "tenantId" = (select o."tenantId" from ${identifier(kind)} o where o."companyId" = ${ctx.company.id} and o."id" = ${to}::uuid)`
    : empty
  const known =
    sameBy && !ids
      ? sql`and not exists (select from ${identifier(table)} y where y."companyId" = x."companyId" and y.${owner} = ${to}::uuid
          and ${join(
            sameBy.map((key) => sql`upper(trim(y.${identifier(key)}::text)) is not distinct from upper(trim(x.${identifier(key)}::text))`),
            ' and ',
          )})`
      : empty
  const since = follows ? sql`or x.${identifier(follows.column)} = any(${followed}::uuid[])` : empty
  const named = ids ? sql`and (x."id" = any(${ids}::uuid[]) ${since})` : empty
  const rows = await ctx.sql.query<{ id: string; of: string | null }>(sql`
    update ${identifier(table)} x set ${owner} = ${to}::uuid ${filed} where x."companyId" = ${ctx.company.id} and x.${owner} = ${from}::uuid
      ${typeColumn ? sql`and x.${identifier(typeColumn)} = ${kind}` : empty} ${named} ${known}
    returning x."id", ${of ? sql`x.${identifier(of.column)}` : sql`null::uuid`} as of`)
  const moved = rows.map(({ id }) => id)
  if (one && isSynced) await touch(ctx, stream, { one, table }, moved)
  else if (one) await announceAll(ctx, { one, table }, moved)
  if (of) await touch(ctx, stream, of, [...new Set(rows.flatMap(({ of: shows }) => (shows ? [shows] : [])))])
  return moved
}

/** Links one by one: where both were linked, one link goes, and comes back. */
async function movePairs(
  ctx: Ctx,
  stream: Stream,
  { table, column, of }: Belonging,
  { from, to, links }: Moving & { links: Link[] | undefined },
): Promise<Link[]> {
  if (!of) throw new Error(`${table}: a link is between its owner and something`)
  const company = ctx.company.id
  const [pair, owner, other] = [identifier(table), identifier(column), identifier(of.column)]
  const found =
    links ??
    (await ctx.sql.query<Link & Record<string, unknown>>(sql`
      select x.${other} as id, x."tenantId", exists (select from ${pair} w where w."companyId" = x."companyId" and w.${other} = x.${other} and w.${owner} = ${to}::uuid) as "isShared"
      from ${pair} x where x."companyId" = ${company} and x.${owner} = ${from}::uuid order by 1`))
  const kept = links ? links.filter(({ isShared }) => isShared).map(({ id }) => id) : []
  await ctx.sql.exec(sql`
    insert into ${pair} ("companyId", ${other}, ${owner}, "tenantId")
    select o."companyId", o."id", ${to}::uuid, r."tenantId" from json_to_recordset(${JSON.stringify(found)}::json) as r(id uuid, "tenantId" uuid)
      join ${identifier(of.table)} o on o."companyId" = ${company} and o."id" = r.id on conflict do nothing`)
  await ctx.sql.exec(sql`
    delete from ${pair} where "companyId" = ${company} and ${owner} = ${from}::uuid and ${other} = any(${found.map(({ id }) => id)}::uuid[]) and ${other} <> all(${kept}::uuid[])`)
  await touch(
    ctx,
    stream,
    of,
    found.map(({ id }) => id),
  )
  return found
}

/** Devices and screens that hold these records must hear that what they show changed. */
async function touch(ctx: Ctx, stream: Stream, { one, table }: { one: string; table: string }, ids: readonly string[]): Promise<void> {
  const rows = await ctx.sql.query<{ id: string; tenantId: string }>(sql`
    select "id", "tenantId" from ${identifier(table)} where "companyId" = ${ctx.company.id} and "id" = any(${ids}::uuid[]) and "deletedAt" is null order by 1 for update`)
  for (const { id, tenantId } of rows) {
    const seq = stream.next()
    await ctx.sql.exec(
      sql`update ${identifier(table)} set "version" = "version" + 1, "syncSeq" = ${seq}, "dateModified" = now() where "companyId" = ${ctx.company.id} and "id" = ${id}`,
    )
    recordChange(stream, seq, { entityType: one, entityId: id, tenantId, changeType: 'UPDATE' })
    announce(ctx, { one }, [id], 'updated', [tenantId])
  }
}

/** Screens that show these records ask again. */
async function announceAll(ctx: Ctx, { one, table }: { one: string; table: string }, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await ctx.sql.query<{ tenantId: string }>(
    sql`select distinct "tenantId" from ${identifier(table)} where "companyId" = ${ctx.company.id} and "id" = any(${ids}::uuid[])`,
  )
  announce(
    ctx,
    { one },
    ids,
    'updated',
    rows.map(({ tenantId }) => tenantId),
  )
}

/**
 * Nothing is left behind unseen: what belongs to the record in a branch, or on an asset, that the caller does not see stops the merge
 * and its undoing. Only the number of those rows is returned.
 */
async function refuseBeyondReach(ctx: Ctx, belongings: Belongings, { kind, from, only }: Moving): Promise<void> {
  const counts = Object.entries(belongings).flatMap(([key, belonging]) => {
    const ids = only ? (only[key] ?? []).map(idOf) : null
    return ids?.length === 0 ? [] : [beyond(ctx, belonging, { kind, from, ids })]
  })
  if (counts.length === 0) return
  const { count } = await ctx.sql.one<{ count: number }>(sql`select (${join(counts, ' + ')})::int as count`)
  if (count > 0)
    fail('CONFLICT', {
      message: `${count === 1 ? '1 record' : `${count} records`} of the other one lie beyond your reach. Somebody who sees all of them can do this.`,
    })
}

function beyond(
  ctx: Ctx,
  { table, column, typeColumn, of, isPair }: Belonging,
  { kind, from, ids }: { kind: string; from: string; ids: string[] | null },
): Statement {
  const key = isPair ? (of?.column ?? 'id') : 'id'
  return sql`ctx.rows_everywhere(${table}, ${column}, ${from}::uuid, ${typeColumn ?? null}::text, ${kind}, ${key}, ${ids}::uuid[])
    - (select count(*) from ${identifier(table)} x where x."companyId" = ${ctx.company.id} and x.${identifier(column)} = ${from}::uuid
        ${typeColumn ? sql`and x.${identifier(typeColumn)} = ${kind}` : empty} ${ids ? sql`and x.${identifier(key)} = any(${ids}::uuid[])` : empty})`
}
