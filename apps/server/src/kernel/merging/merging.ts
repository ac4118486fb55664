import { fail } from '@outpost/contract/errors'
import { identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { takenValues, undoDays, undoneValues, type MergePart } from '@outpost/rules/merge'
import { z } from 'zod'
import { audit } from '../audit.ts'
import { nameOf, userName } from '../names.ts'
import { writeRecords } from '../resource/pipeline.ts'
import { getRecord, restoreRecords, updateRecord } from '../resource/records.ts'
import { idSchema } from '../resource/schema.ts'
import { withStream } from '../sync/stream.ts'
import type { AnyResource, Answer, Ctx } from '../types.ts'
import { moveBelongings, type Belongings, type Moved } from './belongings.ts'
import { inSentence } from '../in-sentence.ts'

/** A row as its table holds it; numbers and times as JSON writes them. */
export type Row = Record<string, unknown>
export interface Pair {
  winner: Row
  loser: Row
}

/** How two records that are one person become one, and two again. */
export interface Merging {
  resource: AnyResource
  /** Table of the merges: winnerId, loserId, before, after, moved. */
  table: string
  parts: readonly MergePart[]
  /** Column that is shown beside the names of the merged records. */
  shows: string
  belongings: Belongings
  /** Stops, in words, what cannot be merged. */
  refuse?: (ctx: Ctx, pair: Pair) => Promise<void>
  /** Further values that the winner gets. */
  also?: (pair: Pair & { taken: Row; moved: Moved }) => Row
  /** Writes the winner; without: as any change. */
  write?: (ctx: Ctx, id: string, values: Row) => Promise<void>
  /** Fields that stay when the field that names them was changed since. */
  tied?: Readonly<Record<string, readonly string[]>>
  /** What else becomes one: `merged` kept with the merge and given to `parted` when it is undone. */
  merged?: (ctx: Ctx, pair: Pair & { taken: Row; moved: Moved }) => Promise<Row>
  parted?: (ctx: Ctx, with_: Row) => Promise<void>
  /** What is said beside "The two … are one now." */
  note?: (ctx: Ctx, winnerId: string, moved: Moved) => Promise<string>
}

export const mergeInputOf = ({ parts, resource }: Pick<Merging, 'parts' | 'resource'>) =>
  z
    .strictObject({
      winnerId: idSchema,
      loserId: idSchema,
      take: z
        .array(z.enum(parts.map(({ key }) => key) as [string, ...string[]]))
        .max(parts.length)
        .default([]),
    })
    .refine(({ winnerId, loserId }) => winnerId.toLowerCase() !== loserId.toLowerCase(), {
      path: ['loserId'],
      error: `is the same ${inSentence(resource.label)}`,
    })
type MergedAnswer = Answer & { data: { merge: { Id: string } } }
export type MergeInput = z.infer<ReturnType<typeof mergeInputOf>>

/**
 * Makes one record of two: the winner takes the chosen parts of the other, with all that belongs to it. The other is deleted as
 * devices see it. All or nothing, one merge of the company at a time, and kept so that it can be undone for 30 days.
 */
export function mergeRecords(ctx: Ctx, kind: Merging, { winnerId, loserId, take }: MergeInput): Promise<MergedAnswer> {
  const { resource } = kind
  return withStream(ctx, async (inner, stream) => {
    for (const id of [winnerId, loserId]) await getRecord(inner, resource, id)
    const pair = { winner: await rowOf(inner, resource, winnerId), loser: await rowOf(inner, resource, loserId) }
    await kind.refuse?.(inner, pair)
    const moved = await moveBelongings(inner, stream, kind.belongings, { kind: resource.one, from: loserId, to: winnerId })
    const taken = takenValues(kind.parts, { ...pair, take })
    const after = { ...taken, ...kind.also?.({ ...pair, taken, moved }) }
    // The loser goes first: its number must be free before the winner may carry it.
    await writeRecords(inner, resource, [{ kind: 'remove', id: loserId.toLowerCase(), isMerged: true }])
    await write(inner, kind, winnerId, after)
    const also = await kind.merged?.(inner, { ...pair, taken, moved })
    const merge = await keepMerge(inner, kind, { ...pair, after, moved: also ? { ...moved, with: also } : moved })
    const act = { action: `${resource.one}.merge`, objectType: resource.one, objectId: winnerId }
    audit(inner, { ...act, after: { mergeId: merge.Id, loserId, take } })
    const words = `The two ${inSentence(resource.labelMany)} are one now.`
    const note = await kind.note?.(inner, winnerId, moved)
    return { data: { merge, [resource.one]: await getRecord(inner, resource, winnerId) }, message: note ? `${words} ${note}` : words }
  })
}

async function keepMerge(
  ctx: Ctx,
  { table }: Merging,
  { winner, loser, after, moved }: Pair & { after: Row; moved: object },
): Promise<{ Id: string }> {
  const before = Object.fromEntries(Object.keys(after).map((key) => [key, winner[key] ?? null]))
  return ctx.sql.one<{ Id: string }>(sql`
    insert into ${identifier(table)} ("companyId", "id", "tenantId", "winnerId", "loserId", "before", "after", "moved", "mergedByUserId")
    values (${ctx.company.id}, gen_random_uuid(), ${String(winner['tenantId'])}, ${String(winner['id'])}, ${String(loser['id'])},
      ${JSON.stringify(before)}::jsonb, ${JSON.stringify(after)}::jsonb, ${JSON.stringify(moved)}::jsonb, ${ctx.user.id}) returning "id" as "Id"`)
}

async function write(ctx: Ctx, kind: Merging, id: string, values: Row): Promise<void> {
  if (kind.write) await kind.write(ctx, id, values)
  else if (Object.keys(values).length > 0) await updateRecord(ctx, kind.resource, id, values)
}

/** The row as the table holds it, locked; numbers and times as JSON writes them, so that they go back unchanged. */
async function rowOf(ctx: Ctx, { table }: AnyResource, id: string): Promise<Row> {
  const { row } = await ctx.sql.one<{ row: Row }>(
    sql`select to_jsonb(t) as row from ${identifier(table)} t where t."companyId" = ${ctx.company.id} and t."id" = ${id} for update`,
  )
  return row
}

interface MergeRow {
  winnerId: string
  loserId: string
  before: Row
  after: Row
  moved: Moved & { with?: Row }
  isUndone: boolean
  isLate: boolean
}

/**
 * Makes two records of one again, exactly as they were: values go back, but for what somebody changed since (data.kept),
 * belongings return, and the other record comes back unless somebody holds its number by now.
 */
export function undoMergeOf(ctx: Ctx, kind: Merging, id: string): Promise<Answer> {
  const { resource, table } = kind
  const many = inSentence(resource.labelMany)
  return withStream(ctx, async (inner, stream) => {
    const { winnerId, loserId, before, after, moved } = await openMerge(inner, kind, id)
    const now = await rowOf(inner, resource, winnerId)
    if (now['deletedAt'] !== null)
      fail('CONFLICT', { message: `The ${inSentence(resource.label)} that stayed was deleted or merged since. Bring it back first.` })
    const { with: also, ...rows } = moved
    if (also) await kind.parted?.(inner, also)
    const { values, kept } = undoneValues({ before, after, now })
    for (const key of kept.flatMap((field) => kind.tied?.[field] ?? [])) delete values[key]
    await write(inner, kind, winnerId, values)
    const [loser] = await restoreRecords(inner, resource, [loserId])
    await moveBelongings(inner, stream, kind.belongings, { kind: resource.one, from: winnerId, to: loserId, only: rows })
    await inner.sql.exec(
      sql`update ${identifier(table)} set "undoneAt" = now(), "undoneByUserId" = ${inner.user.id} where "companyId" = ${inner.company.id} and "id" = ${id}`,
    )
    const act = { action: `${resource.one}.unmerge`, objectType: resource.one, after: { mergeId: id, kept } }
    audit(
      inner,
      [winnerId, loserId].map((objectId) => ({ ...act, objectId })),
    )
    const message =
      kept.length === 0 ? `Both ${many} are back as they were.` : `Both ${many} are back. What was changed since the merge stays.`
    return { data: { [resource.one]: await getRecord(inner, resource, winnerId), restored: loser, kept }, message }
  })
}

async function openMerge(ctx: Ctx, { table }: Merging, id: string): Promise<MergeRow> {
  const merge = await ctx.sql.maybe<MergeRow>(sql`
    select "winnerId", "loserId", "before", "after", "moved", "undoneAt" is not null as "isUndone", "dateCreated" < now() - make_interval(days => ${undoDays}) as "isLate"
    from ${identifier(table)} where "companyId" = ${ctx.company.id} and "id" = ${id} for update`)
  if (!merge) return fail('NOT_FOUND')
  if (merge.isUndone) fail('CONFLICT', { message: 'This merge was undone already.' })
  if (merge.isLate) fail('CONFLICT', { message: `A merge can be undone for ${undoDays} days; this one is older.` })
  return merge
}

/** The merges a record went through, newest first, and until when each can be undone. */
export async function mergesOf(ctx: Ctx, { resource, table, shows }: Merging, id: string): Promise<Answer> {
  await getRecord(ctx, resource, id)
  const merges = await ctx.sql.query(sql`
    select m."id" as "Id", m."dateCreated", m."loserId", ${nameOf('l')} as name, l.${identifier(shows)},
      ${userName(sql`m."companyId"`, sql`m."mergedByUserId"`)} as who,
      m."undoneAt", m."dateCreated" + make_interval(days => ${undoDays}) as until,
      case when m."undoneAt" is not null then 'UNDONE' when m."dateCreated" < now() - make_interval(days => ${undoDays}) then 'FINAL' else 'OPEN' end as state
    from ${identifier(table)} m join ${identifier(resource.table)} l on l."companyId" = m."companyId" and l."id" = m."loserId"
    where m."companyId" = ${ctx.company.id} and m."winnerId" = ${id} order by m."dateCreated" desc limit 100`)
  return { data: { merges } }
}

/**
 * Ids of a record and of those that were merged into it, as a subquery. What must never change (status log, consents,
 * assessments) stays filed under the record it was made for and is read through this.
 */
export const mergedFamily =
  (table: string) =>
  (ctx: Pick<Ctx, 'company'>, id: string): Statement =>
    sql`(
  with recursive family(id) as (
    select ${id}::uuid
    union select m."loserId" from ${identifier(table)} m join family f on f.id = m."winnerId" where m."companyId" = ${ctx.company.id} and m."undoneAt" is null)
  select id from family)`
