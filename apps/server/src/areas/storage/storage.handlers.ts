import { randomUUIDv7 } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { FileStore, ReceivedFile } from '@outpost/platform/files/types'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { resourceNamed } from '../../kernel/resource/define.ts'
import { readText } from '../../kernel/resource/write.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx, RequestFacts, UploadPart } from '../../kernel/types.ts'
import { allowedType, plainName } from './file-types.ts'

export const largestFile = 26_214_400
/** Bytes a company may store. */
const quota = 5 * 1024 ** 3

/** What a file belongs to, as query of the upload. */
export const uploadInput = z.strictObject({
  ownerType: z.string().regex(/^[A-Za-z]{1,40}$/, 'is not the name of a record type').optional(),
  ownerId: idSchema.optional(),
  /** Given by a device that may send the file again: with the same bytes it is the same file, whoever asks again. */
  id: idSchema.optional(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in hexadecimal').optional(),
})

export interface StoredFile { Id: string, path: string, url: string, name: string, mimeType: string, size: number }

/** Takes the files of a multipart body: all are stored or none. Errors: UNSUPPORTED_TYPE, TOO_LARGE, NO_SPACE, INVALID. */
export async function upload(files: FileStore, ctx: Ctx, input: z.infer<typeof uploadInput>, facts: RequestFacts): Promise<Answer> {
  if (!facts.files) return fail('INVALID', { fields: [{ field: 'body', message: 'must be multipart/form-data with files' }] })
  await refuseForeignOwner(ctx, input)
  const kept: Kept[] = []
  try {
    for await (const part of facts.files()) {
      if (input.id && kept.length > 0) fail('INVALID', { fields: [{ field: 'id', message: 'names one file; send one at a time' }] })
      kept.push(await storePart(files, ctx, input, part))
    }
    if (kept.length === 0) fail('INVALID', { fields: [{ field: 'file', message: 'is required' }] })
  } catch (error) {
    // The rows went with their transactions or are taken back here, with their bytes.
    await dropAll(files, ctx, kept)
    throw error
  }
  return { data: { files: kept.map(({ row }) => row) }, message: 'File uploaded' }
}

/** A file belongs to a record that the caller sees, or to none yet. */
async function refuseForeignOwner(ctx: Ctx, { ownerType, ownerId }: z.infer<typeof uploadInput>): Promise<void> {
  if (ownerId === undefined) return
  const resource = ownerType === undefined ? undefined : resourceNamed(ownerType)
  if (!resource) return fail('INVALID', { fields: [{ field: 'ownerType', message: 'is no kind of record' }] })
  if (await readText(ctx, resource, ownerId) === '') fail('INVALID', { fields: [{ field: 'ownerId', message: 'does not exist' }] })
}

/** A file taken in; without a key it was here before and stays. */
interface Kept { key?: string, row: StoredFile }

async function storePart(files: FileStore, ctx: Ctx, input: z.infer<typeof uploadInput>, part: UploadPart): Promise<Kept> {
  const received = await files.receive(part.body as Readable, { maxBytes: largestFile })
  try {
    // A body cut at the limit of the multipart reader looks whole to everybody behind it.
    if ('truncated' in part.body && part.body.truncated) fail('TOO_LARGE')
    if (received.size === 0) fail('INVALID', { fields: [{ field: part.fieldName, message: 'is empty' }] })
    if (input.sha256 !== undefined && input.sha256 !== received.sha256.toString('hex')) fail('INVALID', { fields: [{ field: 'sha256', message: 'is not that of the bytes: they were damaged on the way' }] })
    const before = input.id && await sentBefore(ctx, input.id, received)
    if (before) {
      await received.discard()
      return { row: before }
    }
    const mimeType = await allowedType(received.path, part.fileName) ?? fail('UNSUPPORTED_TYPE')
    const name = plainName(part.fileName)
    await refuseBeyondQuota(ctx, received.size)
    const key = await received.keep()
    const row = await insertFile(ctx, { ...input, key, name, mimeType, received }).catch(async (error: unknown) => {
      await files.remove(key)
      throw error
    })
    if (row) return { key, row }
    // The same file came in by another request meanwhile.
    await files.remove(key)
    return { row: (input.id && await sentBefore(ctx, input.id, received)) || fail('ALREADY_EXISTS', { fields: [{ field: 'id', message: 'is taken' }] }) }
  } catch (error) {
    await received.discard()
    throw error
  }
}

/** The stored file of that id, when it holds the same bytes; ALREADY_EXISTS when it holds others. */
async function sentBefore(ctx: Ctx, id: string, received: ReceivedFile): Promise<StoredFile | undefined> {
  const row = await ctx.sql.maybe<Omit<StoredFile, 'url'> & { isSame: boolean }>(sql`
    select "id" as "Id", "path", "name", "mimeType", "size"::float8 as size, "sha256" = ${received.sha256} as "isSame" from stored_file
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "deletedAt" is null`)
  if (!row) return undefined
  const { isSame, ...file } = row
  return isSame ? { ...file, url: urlOf(file.path) } : fail('ALREADY_EXISTS', { fields: [{ field: 'id', message: 'belongs to a file with other bytes' }] })
}

const urlOf = (path: string) => `/api/storage/${path.split('/').map(encodeURIComponent).join('/')}`

interface NewFile { key: string, name: string, mimeType: string, received: ReceivedFile, id?: string | undefined, ownerType?: string | undefined, ownerId?: string | undefined }

/** The row comes after the bytes: what the database names is there. Undefined when the id is taken. */
function insertFile(ctx: Ctx, { key, name, mimeType, received, id = randomUUIDv7(), ownerType, ownerId }: NewFile): Promise<StoredFile | undefined> {
  const path = `uploads/${id}/${name}`
  return ctx.transaction(async (inner) => {
    const made = await inner.sql.exec(sql`
      insert into stored_file ("companyId", "id", "tenantId", "storageKey", "path", "name", "mimeType", "size", "sha256", "ownerType", "ownerId", "createdByUserId")
      values (${inner.company.id}::uuid, ${id}::uuid, ${inner.tenant.id}::uuid, ${key}, ${path}, ${name}, ${mimeType}, ${received.size},
        ${received.sha256}, ${ownerType}, ${ownerId}::uuid, ${inner.user.id}::uuid) on conflict do nothing`)
    if (made === 0) return undefined
    audit(inner, { action: 'storage.upload', objectType: 'storedFile', objectId: id, after: { name, mimeType, size: received.size, ownerType, ownerId } })
    return { Id: id, path, url: urlOf(path), name, mimeType, size: received.size }
  })
}

async function refuseBeyondQuota(ctx: Ctx, size: number): Promise<void> {
  const { used } = await ctx.sql.one<{ used: string }>(sql`
    select coalesce(sum("size"), 0)::text as used from stored_file where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null`)
  if (Number(used) + size > quota) fail('NO_SPACE', { message: 'The storage of your company is full.' })
}

async function dropAll(files: FileStore, ctx: Ctx, kept: readonly Kept[]): Promise<void> {
  const fresh = kept.flatMap(({ key, row }) => key === undefined ? [] : [{ key, row }])
  if (fresh.length === 0) return
  const ids = fresh.map(({ row }) => row.Id)
  await ctx.transaction((inner) => inner.sql.exec(sql`delete from stored_file where "companyId" = ${ctx.company.id}::uuid and "id" = any(${ids}::uuid[])`))
  await Promise.all(fresh.map(({ key }) => files.remove(key)))
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
