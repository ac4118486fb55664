import { fail, failField } from '@outpost/contract/errors'
import type { Access } from '@outpost/contract/permissions'
import { identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { route } from '../area.ts'
import { audit } from '../audit.ts'
import { announce } from '../realtime/announce.ts'
import type { AnyResource, Answer, Ctx, FieldDefinition, Operation, RequestInfo, Route } from '../types.ts'
import { refuseWithoutSpace } from '../uploads/space.ts'
import type { UploadedFile } from '../uploads/form.ts'
import { removedAnswer } from '../resource/answers.ts'
import { hiddenFrom } from '../realtime/hidden.ts'
import { batched } from '../resource/read/batched.ts'
import { idInput, idSchema } from '../resource/schema.ts'
import { readRecord } from '../resource/write.ts'
import { nameOf } from '../names.ts'
import { inSentence } from '../in-sentence.ts'

/** A file as the wire shows it. */
const fileRow = z.strictObject({
  Id: idSchema,
  recordId: idSchema,
  name: z.string(),
  mimeType: z.string(),
  size: z.number(),
  kilobytes: z.int(),
  addedBy: z.string(),
  dateCreated: z.iso.datetime(),
})
type FileRow = z.infer<typeof fileRow>
const filesAnswer = z.strictObject({ files: z.array(fileRow) })

const fileInput = z.strictObject({ recordId: idSchema, id: idSchema })
type FileInput = z.infer<typeof fileInput>
type RecordInput = z.infer<typeof idInput>
const addedBy = sql`coalesce(nullif(${nameOf('u')}, ''), 'Outpost')`

/** How many files a record of the resource has. */
export function fileCount(one: string): FieldDefinition & { sql: string } {
  const from = `(select * from record_file where "objectType" = '${one}' and "removedAt" is null) f`
  return { kind: 'number', label: 'Files', readOnly: true, ...batched({ from, alias: 'f', key: 'objectId' }, 'count(*)::int', '0') }
}

/**
 * The calls of the files that a resource keeps, below the path of its records: list and download for who may read them, attach
 * and remove for who may write. Each begins with the record itself: who does not see it finds no file of it either.
 */
export function fileRoutes(
  resource: AnyResource,
  { area, path, read, write }: { area: string; path: string; read: Access; write: Access },
): Route[] {
  const own = { own: true }
  const ofRecord = { resource, answer: filesAnswer, input: idInput }
  const list: Operation<RecordInput> = {
    ...ofRecord,
    kind: 'files',
    isReadOnly: true,
    run: (ctx, { id }) => listFiles(ctx, resource, id),
  }
  const add: Operation<RecordInput> = {
    ...ofRecord,
    kind: 'attach',
    isReadOnly: false,
    run: (ctx, { id }, facts) => attach(ctx, resource, id, facts),
  }
  const fetch: Operation<FileInput> = {
    kind: 'download',
    resource,
    input: fileInput,
    isReadOnly: true,
    run: (ctx, input, facts) => download(ctx, resource, input, facts),
  }
  const remove: Operation<FileInput> = {
    kind: 'detach',
    resource,
    answer: removedAnswer,
    input: fileInput,
    isReadOnly: false,
    run: (ctx, input, facts) => detach(ctx, resource, input, facts),
  }
  const summary = `Adds files to a ${inSentence(resource.label)}`
  return [
    route(`${area}.files`, 'GET', `${path}/:id/files`, read, list, own),
    route(`${area}.attach`, 'POST', `${path}/:id/files`, write, add, { own: true, upload: true, limit: 60, summary }),
    route(`${area}.download`, 'GET', `${path}/:recordId/files/:id`, read, fetch, { ...own, sends: '*/*' }),
    route(`${area}.detach`, 'DELETE', `${path}/:recordId/files/:id`, write, remove, own),
  ]
}

async function listFiles(ctx: Ctx, resource: AnyResource, id: string): Promise<Answer> {
  await readRecord(ctx, resource, id)
  return { data: { files: await filesWhere(ctx, sql`f."objectType" = ${resource.one} and f."objectId" = ${id}::uuid`) } }
}

/** Files that are there, newest first. */
const filesWhere = (ctx: Ctx, condition: Statement): Promise<FileRow[]> =>
  ctx.sql.query<FileRow>(sql`
  select f."id" as "Id", f."objectId" as "recordId", f."name", f."mimeType", f."size", ceil(f."size" / 1024.0)::int as kilobytes, ${addedBy} as "addedBy", f."dateCreated"
  from record_file f left join app_user u on u."companyId" = f."companyId" and u."id" = f."userId"
  where f."companyId" = ${ctx.company.id}::uuid and f."removedAt" is null and ${condition} order by f."dateCreated" desc, f."id" desc`)

/** Errors: those of uploads, NO_SPACE, INVALID without a file, and the record's own when it is not seen. */
async function attach(ctx: Ctx, resource: AnyResource, id: string, { files = [] }: RequestInfo): Promise<Answer> {
  if (files.length === 0) failField('file', 'is required')
  const record = await readRecord(ctx, resource, id)
  await refuseWithoutSpace(
    ctx,
    files.reduce((sum, { size }) => sum + size, 0),
  )
  const ids: string[] = []
  for (const file of files) ids.push(await insertFile(ctx, resource, id, file))
  announce(ctx, resource, [id], 'updated', { tenantIds: [String(record['tenantId'])], exceptUserIds: hiddenFrom(resource, record) })
  return {
    data: { files: await filesWhere(ctx, sql`f."id" = any(${ids}::uuid[])`) },
    message: ids.length === 1 ? 'File added' : `${ids.length} files added`,
  }
}

/** The tenant is read under a lock: a record that is filed elsewhere at the same moment takes the file along. */
async function insertFile(
  ctx: Ctx,
  resource: AnyResource,
  objectId: string,
  { name, mimeType, size, sha256, keep }: UploadedFile,
): Promise<string> {
  const { id } = await ctx.sql.one<{ id: string }>(sql`
    insert into record_file ("companyId", "id", "tenantId", "objectType", "objectId", "storageKey", "name", "mimeType", "size", "sha256", "userId", "realUserId")
    select ${ctx.company.id}::uuid, uuidv7(), r."tenantId", ${resource.one}, ${objectId}::uuid, ${await keep()}, ${name}, ${mimeType}, ${size}, ${sha256}, ${ctx.user.id}::uuid, ${ctx.realUser.id}::uuid
    from (select "tenantId" from ${identifier(resource.table)} where "companyId" = ${ctx.company.id}::uuid and "id" = ${objectId}::uuid for share) r
    returning "id"`)
  audit(ctx, { action: `${resource.one}.attach`, objectType: resource.one, objectId, after: { fileId: id, name, mimeType, size } })
  return id
}

async function download(
  ctx: Ctx,
  resource: AnyResource,
  { recordId, id }: z.infer<typeof fileInput>,
  { store }: RequestInfo,
): Promise<Answer> {
  await readRecord(ctx, resource, recordId)
  const row = await ctx.sql.maybe<{ storageKey: string; name: string; mimeType: string }>(sql`
    select "storageKey", "name", "mimeType" from record_file
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "objectType" = ${resource.one} and "objectId" = ${recordId}::uuid and "removedAt" is null`)
  const file = row && (await store.open(row.storageKey))
  if (!file) return fail('NOT_FOUND')
  return { file: { name: row.name, mimeType: row.mimeType, size: file.size, body: file.body } }
}

/** The bytes go once the removal is committed; who added and who removed the file stays in the record's history. */
async function detach(
  ctx: Ctx,
  resource: AnyResource,
  { recordId, id }: z.infer<typeof fileInput>,
  { store }: RequestInfo,
): Promise<Answer> {
  const record = await readRecord(ctx, resource, recordId)
  const row = await ctx.sql.maybe<{ storageKey: string; name: string }>(sql`
    update record_file set "removedAt" = now(), "removedByUserId" = ${ctx.user.id}::uuid, "removedByRealUserId" = ${ctx.realUser.id}::uuid
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "objectType" = ${resource.one} and "objectId" = ${recordId}::uuid and "removedAt" is null
    returning "storageKey", "name"`)
  if (!row) return fail('NOT_FOUND')
  audit(ctx, { action: `${resource.one}.detach`, objectType: resource.one, objectId: recordId, before: { fileId: id, name: row.name } })
  announce(ctx, resource, [recordId], 'updated', { tenantIds: [String(record['tenantId'])], exceptUserIds: hiddenFrom(resource, record) })
  ctx.afterCommit(() => store.remove(row.storageKey))
  return { data: { ids: [id] }, message: 'File removed' }
}

/** Files as entries of a history, for the records in the table ids(id). */
export const fileEntries = (ctx: Ctx, { one }: AnyResource): Statement => sql`
  select f."dateCreated" as at, f."userId", f."realUserId", 'File added' as what, f."name" as detail from record_file f
  where f."companyId" = ${ctx.company.id}::uuid and f."objectType" = ${one} and f."objectId" in (select id from ids)
  union all
  select f."removedAt", f."removedByUserId", f."removedByRealUserId", 'File removed', f."name" from record_file f
  where f."companyId" = ${ctx.company.id}::uuid and f."objectType" = ${one} and f."objectId" in (select id from ids) and f."removedAt" is not null`
