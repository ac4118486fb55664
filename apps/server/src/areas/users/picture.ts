import { imageSize } from 'image-size'
import { fail, failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { FileStore } from '@outpost/platform/files/types'
import { z } from 'zod'
import { mayRead } from '../../kernel/session/readers.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { makeJobCtx } from '../../kernel/session/jobs.ts'
import { session } from '../../kernel/session/services.ts'
import type { Answer, Ctx, RequestInfo } from '../../kernel/types.ts'
import { storeFile } from '../storage/index.ts'
import { atHome } from './me.ts'
import { user } from './user.resource.ts'

/** The console makes pictures this small before it sends them; what is larger was not made by it. */
export const pictureLimits = { files: 1, maxBytes: 262_144, types: ['jpg', 'jpeg', 'png', 'webp'] }
const longestSide = 1_024

/** Replaces the caller's picture; the one before is deleted, its bytes once the new one is saved. Stops with INVALID (file) for what is no small picture. */
export async function setPicture(ctx: Ctx, _input: object, { files, store }: RequestInfo): Promise<Answer> {
  const [file] = files ?? []
  if (!file) return failField('file', 'is required')
  await refuseLarge(await file.keep(), store)
  const home = await atHome(ctx)
  const picture = await home.transaction(async (inner) => {
    const { Id } = await storeFile(inner, { ownerType: 'user', ownerId: inner.user.id }, file)
    await replace(inner, store, Id)
    return `/api/users/${inner.user.id}/picture?v=${Id}`
  })
  return { data: { picture }, message: 'Picture saved' }
}

export async function removePicture(ctx: Ctx, _input: object, { store }: RequestInfo): Promise<Answer> {
  await (await atHome(ctx)).transaction((inner) => replace(inner, store, null))
  return { data: { picture: null }, message: 'Picture removed' }
}

/** A picture of a few bytes may unpack to gigabytes on the screens of others. */
async function refuseLarge(key: string, store: FileStore): Promise<void> {
  const opened = await store.open(key)
  const pieces: Buffer[] = []
  for await (const piece of opened?.body ?? []) pieces.push(Buffer.from(piece as Uint8Array))
  const { width, height } = sizeOf(Buffer.concat(pieces))
  if (Math.max(width, height) > longestSide) failField('file', `is larger than ${longestSide} pixels a side`)
}

function sizeOf(bytes: Buffer): { width: number; height: number } {
  try {
    return imageSize(bytes)
  } catch {
    return failField('file', 'is no picture that can be read')
  }
}

async function replace(ctx: Ctx, store: FileStore, pictureId: string | null): Promise<void> {
  const { id: userId, companyId } = ctx.user
  // Two pictures at once wait for each other here, so that each finds the one before.
  await ctx.sql.exec(sql`select 1 from app_user where "companyId" = ${companyId}::uuid and "id" = ${userId}::uuid for update`)
  const before = await ctx.sql.maybe<{ storageKey: string }>(sql`
    update stored_file set "deletedAt" = now() where "companyId" = ${companyId}::uuid and "ownerType" = 'user' and "ownerId" = ${userId}::uuid
      and "id" = (select "pictureId" from app_user where "companyId" = ${companyId}::uuid and "id" = ${userId}::uuid)
    returning "storageKey"`)
  await ctx.sql.exec(sql`
    update app_user set "pictureId" = ${pictureId}::uuid, "version" = "version" + 1 where "companyId" = ${companyId}::uuid and "id" = ${userId}::uuid`)
  ctx.afterCommit(() => session().changed({ companyId, userId }))
  if (before) ctx.afterCommit(() => store.remove(before.storageKey))
}

export const pictureInput = z.strictObject({ id: idSchema, v: z.string().max(40).optional() })

/** The picture of the caller, or of somebody the caller sees in a list of people; else NOT_FOUND. */
export async function getPicture(ctx: Ctx, { id }: z.infer<typeof pictureInput>, { store }: RequestInfo): Promise<Answer> {
  const isOwn = id === ctx.user.id
  if (!isOwn && !mayRead(ctx, user)) return fail('NOT_FOUND')
  const companyId = isOwn ? ctx.user.companyId : ctx.company.id
  if (!isOwn && !(await ctx.sql.maybe(sql`select 1 as one from app_user t where ${visibleRows(ctx, user)} and t."id" = ${id}::uuid`)))
    fail('NOT_FOUND')
  // Whoever sees the person sees the picture, wherever in the company it was stored.
  const { sql: db } = await makeJobCtx(session(), { companyId, userId: null })
  const row = await db.maybe<{ storageKey: string; name: string; mimeType: string }>(sql`
    select f."storageKey", f."name", f."mimeType" from app_user t
    join stored_file f on f."companyId" = t."companyId" and f."id" = t."pictureId" and f."deletedAt" is null
      and f."ownerType" = 'user' and f."ownerId" = t."id"
    where t."companyId" = ${companyId}::uuid and t."id" = ${id}::uuid`)
  const file = row && (await store.open(row.storageKey))
  if (!file) return fail('NOT_FOUND')
  return { file: { name: row.name, mimeType: row.mimeType, size: file.size, body: file.body } }
}
