import { randomUUIDv7 } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { FileStore, ReceivedFile } from '@outpost/platform/files/types'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import type { Answer, Ctx, RequestFacts, UploadPart } from '../../kernel/types.ts'
import { allowedType, plainName } from './file-types.ts'

export const largestFile = 26_214_400
/** Bytes a company may store. */
const quota = 5 * 1024 ** 3

/** What a file belongs to, as query of the upload. */
export const uploadInput = z.strictObject({
  ownerType: z.string().regex(/^[A-Za-z]{1,40}$/, 'is not the name of a record type').optional(),
  ownerId: z.uuid('is not an identifier').optional(),
})

export interface StoredFile { Id: string, path: string, url: string, name: string, mimeType: string, size: number }

/** Takes the files of a multipart body: all are stored or none. Errors: UNSUPPORTED_TYPE, TOO_LARGE, NO_SPACE, INVALID. */
export async function upload(files: FileStore, ctx: Ctx, input: z.infer<typeof uploadInput>, facts: RequestFacts): Promise<Answer> {
  if (!facts.files) return fail('INVALID', { fields: [{ field: 'body', message: 'must be multipart/form-data with files' }] })
  const kept: { key: string, row: StoredFile }[] = []
  try {
    for await (const part of facts.files()) kept.push(await storePart(files, ctx, input, part))
    if (kept.length === 0) fail('INVALID', { fields: [{ field: 'file', message: 'is required' }] })
  } catch (error) {
    // The rows went with their transactions or are taken back here, with their bytes.
    await dropAll(files, ctx, kept)
    throw error
  }
  return { data: { files: kept.map(({ row }) => row) }, message: 'File uploaded' }
}

async function storePart(files: FileStore, ctx: Ctx, input: z.infer<typeof uploadInput>, part: UploadPart) {
  const received = await files.receive(part.body as Readable, { maxBytes: largestFile })
  try {
    // A body cut at the limit of the multipart reader looks whole to everybody behind it.
    if ('truncated' in part.body && part.body.truncated) fail('TOO_LARGE')
    if (received.size === 0) fail('INVALID', { fields: [{ field: part.fieldName, message: 'is empty' }] })
    const mimeType = await allowedType(received.path, part.fileName) ?? fail('UNSUPPORTED_TYPE')
    const name = plainName(part.fileName)
    await refuseBeyondQuota(ctx, received.size)
    const key = await received.keep()
    return { key, row: await insertFile(ctx, { ...input, key, name, mimeType, received }).catch(async (error: unknown) => {
      await files.remove(key)
      throw error
    }) }
  } catch (error) {
    await received.discard()
    throw error
  }
}

interface NewFile { key: string, name: string, mimeType: string, received: ReceivedFile, ownerType?: string | undefined, ownerId?: string | undefined }

/** The row comes after the bytes: what the database names is there. */
function insertFile(ctx: Ctx, { key, name, mimeType, received, ownerType, ownerId }: NewFile): Promise<StoredFile> {
  const id = randomUUIDv7()
  const path = `uploads/${id}/${name}`
  return ctx.transaction(async (inner) => {
    await inner.sql.exec(sql`
      insert into stored_file ("companyId", "id", "tenantId", "storageKey", "path", "name", "mimeType", "size", "sha256", "ownerType", "ownerId", "createdByUserId")
      values (${inner.company.id}::uuid, ${id}::uuid, ${inner.tenant.id}::uuid, ${key}, ${path}, ${name}, ${mimeType}, ${received.size},
        ${received.sha256}, ${ownerType}, ${ownerId}::uuid, ${inner.user.id}::uuid)`)
    audit(inner, { action: 'storage.upload', objectType: 'storedFile', objectId: id, after: { name, mimeType, size: received.size, ownerType, ownerId } })
    return { Id: id, path, url: `/api/storage/${path.split('/').map(encodeURIComponent).join('/')}`, name, mimeType, size: received.size }
  })
}

async function refuseBeyondQuota(ctx: Ctx, size: number): Promise<void> {
  const { used } = await ctx.sql.one<{ used: string }>(sql`
    select coalesce(sum("size"), 0)::text as used from stored_file where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null`)
  if (Number(used) + size > quota) fail('NO_SPACE', { message: 'The storage of your company is full.' })
}

async function dropAll(files: FileStore, ctx: Ctx, kept: readonly { key: string, row: StoredFile }[]): Promise<void> {
  if (kept.length === 0) return
  const ids = kept.map(({ row }) => row.Id)
  await ctx.transaction((inner) => inner.sql.exec(sql`delete from stored_file where "companyId" = ${ctx.company.id}::uuid and "id" = any(${ids}::uuid[])`))
  await Promise.all(kept.map(({ key }) => files.remove(key)))
}

export const downloadInput = z.strictObject({ '*': z.string() })

/**
 * A stored file by its path, which is looked up among the files in reach and never meets a disk. The prefix
 * email-attachments is the specification's other name for email-attachment. Anything not found is NOT_FOUND.
 */
export async function download(files: FileStore, ctx: Ctx, { '*': asked }: z.infer<typeof downloadInput>): Promise<Answer> {
  const path = asked.replace(/^email-attachments\//, 'email-attachment/')
  if (path.length > 400 || path.includes('\0')) return fail('NOT_FOUND')
  const row = await ctx.sql.maybe<{ storageKey: string, name: string, mimeType: string }>(sql`
    select "storageKey", "name", "mimeType" from stored_file
    where "companyId" = ${ctx.company.id}::uuid and "path" = ${path} and "deletedAt" is null`)
  const file = row && await files.open(row.storageKey)
  if (!file) return fail('NOT_FOUND')
  return { file: { name: row.name, mimeType: row.mimeType, size: file.size, body: file.body } }
}
