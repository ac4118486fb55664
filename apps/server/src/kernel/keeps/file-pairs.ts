import { failField } from '@outpost/contract/errors'
import { identifier, join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { batched } from '../resource/read/batched.ts'
import type { AnyResource, Ctx, FieldDefinition } from '../types.ts'
import { readableFiles } from '../uploads/stored-files.ts'

/** The table of pairs by which records hold stored files: files that devices send by themselves, under Ids of theirs, before or after the record. */
export type FilePairs = NonNullable<AnyResource['belongings']>[number]

/** The pairs of a resource whose files are stored files; undefined for one whose files are its own (record_file). */
export const filePairsOf = ({ belongings = [] }: AnyResource): FilePairs | undefined => belongings.find(({ holdsFiles }) => holdsFiles)

/** The stored files of a record, oldest first: Id, name, path, mimeType, size, addedByUserId, dateCreated. */
export function storedFiles({ table, own }: FilePairs): FieldDefinition & { sql: string } {
  const from = `${table} x join stored_file f on f."companyId" = x."companyId" and f."id" = x."fileId" and x."removedAt" is null`
  const file = `'Id', f."id", 'name', f."name", 'path', '/api/storage/' || f."path", 'mimeType', f."mimeType", 'size', f."size", 'addedByUserId', x."addedByUserId", 'dateCreated', x."dateCreated"`
  const list = `json_agg(json_build_object(${file}) order by x."dateCreated", f."id")`
  return { kind: 'json', label: 'Files', readOnly: true, detailOnly: true, ...batched({ from, alias: 'x', key: own }, list, `'[]'`) }
}

/** What a change of a record's files is about. */
export interface FileChange {
  resource: AnyResource
  id: string
  ids: readonly string[]
}

/**
 * Gives a record stored files, and the ids of those that it did not have: sent twice they are added once. INVALID (`field`) when the
 * caller may not read one of them.
 */
export async function linkFiles(ctx: Ctx, { resource, id, ids }: FileChange, field: string): Promise<string[]> {
  if (ids.length === 0) return []
  const { table, own } = demandPairs(resource)
  const stored = await readableFiles(ctx, sql`f."id" = any(${ids}::uuid[])`)
  if (stored.length < ids.length) failField(field, 'names a file that is not stored')
  const pair = identifier(table)
  const rows = await ctx.sql.query<{ fileId: string }>(sql`
    insert into ${pair} ("companyId", "id", "tenantId", ${identifier(own)}, "fileId", "addedByUserId")
    select v."companyId", gen_random_uuid(), v."tenantId", v."id", f.id, ${ctx.user.id} from ${identifier(resource.table)} v, unnest(${ids}::uuid[]) f(id)
    where v."companyId" = ${ctx.company.id} and v."id" = ${id}
    on conflict ("companyId", ${identifier(own)}, "fileId") do update set "removedAt" = null, "removedByUserId" = null, "addedByUserId" = excluded."addedByUserId" where ${pair}."removedAt" is not null
    returning "fileId"`)
  // Who cannot see the pair must not take the file for one that no record holds.
  await ctx.sql.exec(sql`
    update stored_file set "ownerType" = ${resource.one}, "ownerId" = ${id}
    where "companyId" = ${ctx.company.id} and "id" = any(${ids}::uuid[]) and "ownerId" is null`)
  return rows.map(({ fileId }) => fileId)
}

/** Takes stored files off a record; gives the ids of those that it had. The files themselves stay. */
export async function unlinkFiles(ctx: Ctx, { resource, id, ids }: FileChange): Promise<string[]> {
  const { table, own } = demandPairs(resource)
  const rows = await ctx.sql.query<{ fileId: string }>(sql`
    update ${identifier(table)} set "removedAt" = now(), "removedByUserId" = ${ctx.user.id}
    where "companyId" = ${ctx.company.id} and ${identifier(own)} = ${id} and "fileId" = any(${ids}::uuid[]) and "removedAt" is null returning "fileId"`)
  return rows.map(({ fileId }) => fileId)
}

function demandPairs(resource: AnyResource): FilePairs {
  const pairs = filePairsOf(resource)
  if (!pairs) throw new Error(`${resource.one} has no belonging with holdsFiles`)
  return pairs
}

/** Stored files as entries of a history, for the records in the table ids(id). */
export function pairEntries(ctx: Ctx, { table, own }: FilePairs): Statement {
  const entry = (at: string, by: string, what: string): Statement => sql`
    select ${identifier('f', at)} as at, ${identifier('f', by)} as "userId", null::uuid as "realUserId", ${what}::text as what, (select s."name" from stored_file s where s."companyId" = f."companyId" and s."id" = f."fileId") as detail
    from ${identifier(table)} f where f."companyId" = ${ctx.company.id}::uuid and ${identifier('f', own)} in (select id from ids) and ${identifier('f', at)} is not null`
  return join([entry('dateCreated', 'addedByUserId', 'File added'), entry('removedAt', 'removedByUserId', 'File removed')], ' union all ')
}
