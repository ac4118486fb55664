import { randomUUIDv7 } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { resourceNamed } from '../../kernel/resource/define.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx, RequestInfo } from '../../kernel/types.ts'
import type { UploadedFile } from '../../kernel/uploads/form.ts'
import { readableFiles, seesRecord } from '../../kernel/uploads/stored-files.ts'
import { refuseWithoutSpace } from '../../kernel/uploads/space.ts'

/** What a file belongs to, as fields of the form or in the query. */
export const uploadInput = z.strictObject({
  ownerType: z
    .string()
    .regex(/^[A-Za-z]{1,40}$/, 'is not the name of a record type')
    .optional(),
  ownerId: idSchema.optional(),
  /** Given by a device that may send the file again: with the same bytes it is the same file, whoever asks again. */
  id: idSchema.optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in hexadecimal')
    .optional(),
})

export interface StoredFile {
  Id: string
  path: string
  url: string
  name: string
  mimeType: string
  size: number
}

export const uploadedFile = z.strictObject({
  Id: identifierSchema,
  path: z.string(),
  url: z.string(),
  name: z.string(),
  mimeType: z.string(),
  size: z.int(),
})
/** The files as they are stored, in the order of the form. */
export const uploadedAnswer = z.strictObject({ files: z.array(uploadedFile) })

/** Stores the files of the form: all or none. Errors: those of uploads, NO_SPACE, INVALID. */
export async function upload(ctx: Ctx, input: z.infer<typeof uploadInput>, facts: RequestInfo): Promise<Answer> {
  if (!facts.files) return fail('INVALID', { fields: [{ field: 'body', message: 'must be multipart/form-data with files' }] })
  if (facts.files.length === 0) return fail('INVALID', { fields: [{ field: 'file', message: 'is required' }] })
  if (input.id && facts.files.length > 1) fail('INVALID', { fields: [{ field: 'id', message: 'names one file; send one at a time' }] })
  await refuseForeignOwner(ctx, input)
  const files: StoredFile[] = []
  for (const file of facts.files) files.push(await storeFile(ctx, input, file))
  return { data: { files }, message: 'File uploaded' }
}

/** A file belongs to a record that the caller may read, or to none yet. */
export async function refuseForeignOwner(ctx: Ctx, { ownerType, ownerId }: z.infer<typeof uploadInput>): Promise<void> {
  if (ownerId === undefined) return
  const resource = ownerType === undefined ? undefined : resourceNamed(ownerType)
  if (!resource) return fail('INVALID', { fields: [{ field: 'ownerType', message: 'is no kind of record' }] })
  if (!(await seesRecord(ctx, { one: resource.one, id: ownerId })))
    fail('INVALID', { fields: [{ field: 'ownerId', message: 'does not exist' }] })
}

/** Stores what has arrived whole; sent before with the same bytes it is the same file. INVALID (sha256), NO_SPACE, ALREADY_EXISTS. */
export async function storeFile(ctx: Ctx, input: z.infer<typeof uploadInput>, file: UploadedFile): Promise<StoredFile> {
  if (input.sha256 !== undefined && input.sha256 !== file.sha256.toString('hex'))
    fail('INVALID', { fields: [{ field: 'sha256', message: 'is not that of the bytes: they were damaged on the way' }] })
  const before = input.id && (await sentBefore(ctx, input.id, file))
  if (before) return before
  await refuseWithoutSpace(ctx, file.size)
  const row = await insertFile(ctx, input, file)
  if (row) return row
  // The same file came in by another request meanwhile.
  await file.drop()
  return (input.id && (await sentBefore(ctx, input.id, file))) || fail('ALREADY_EXISTS', { fields: [{ field: 'id', message: 'is taken' }] })
}

/** The stored file of that id, when it holds the same bytes; ALREADY_EXISTS when it holds others. */
async function sentBefore(ctx: Ctx, id: string, { sha256 }: UploadedFile): Promise<StoredFile | undefined> {
  const row = await ctx.sql.maybe<Omit<StoredFile, 'url'> & { isSame: boolean }>(sql`
    select "id" as "Id", "path", "name", "mimeType", "size"::float8 as size, "sha256" = ${sha256} as "isSame" from stored_file
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "deletedAt" is null`)
  if (!row) return undefined
  const { isSame, ...file } = row
  return isSame
    ? { ...file, url: urlOf(file.path) }
    : fail('ALREADY_EXISTS', { fields: [{ field: 'id', message: 'belongs to a file with other bytes' }] })
}

/** The file that the caller has stored under this id. */
export async function ownFile(ctx: Ctx, id: string): Promise<StoredFile | undefined> {
  const row = await ctx.sql.maybe<Omit<StoredFile, 'url'>>(sql`
    select "id" as "Id", "path", "name", "mimeType", "size"::float8 as size from stored_file
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "createdByUserId" = ${ctx.user.id}::uuid and "deletedAt" is null`)
  return row && { ...row, url: urlOf(row.path) }
}

const urlOf = (path: string) => `/api/storage/${path.split('/').map(encodeURIComponent).join('/')}`

/** The row comes after the bytes: what the database names is there. Undefined when the id is taken. */
async function insertFile(
  ctx: Ctx,
  { id = randomUUIDv7(), ownerType, ownerId }: z.infer<typeof uploadInput>,
  { name, mimeType, size, sha256, keep }: UploadedFile,
): Promise<StoredFile | undefined> {
  const path = `uploads/${id}/${name}`
  const made = await ctx.sql.exec(sql`
    insert into stored_file ("companyId", "id", "tenantId", "storageKey", "path", "name", "mimeType", "size", "sha256", "ownerType", "ownerId", "createdByUserId")
    values (${ctx.company.id}::uuid, ${id}::uuid, ${ctx.tenant.id}::uuid, ${await keep()}, ${path}, ${name}, ${mimeType}, ${size},
      ${sha256}, ${ownerType}, ${ownerId}::uuid, ${ctx.user.id}::uuid) on conflict do nothing`)
  if (made === 0) return undefined
  audit(ctx, { action: 'storage.upload', objectType: 'storedFile', objectId: id, after: { name, mimeType, size, ownerType, ownerId } })
  return { Id: id, path, url: urlOf(path), name, mimeType, size }
}

export const downloadInput = z.strictObject({ '*': z.string() })

/**
 * A stored file by its path, which is looked up among the files that the caller may read and never meets a disk. The
 * prefix email-attachments is the specification's other name for email-attachment. Anything not found is NOT_FOUND.
 */
export async function download(ctx: Ctx, { '*': asked }: z.infer<typeof downloadInput>, { store }: RequestInfo): Promise<Answer> {
  const path = asked.replace(/^email-attachments\//, 'email-attachment/')
  if (path.length > 400 || path.includes('\0')) return fail('NOT_FOUND')
  const [row] = await readableFiles(ctx, sql`f."path" = ${path}`)
  const file = row && (await store.open(row.storageKey))
  if (!file) return fail('NOT_FOUND')
  return { file: { name: row.name, mimeType: row.mimeType, size: file.size, body: file.body } }
}
