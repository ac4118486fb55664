import { Readable } from 'node:stream'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import { z } from 'zod'
import { enqueueJob } from '../../kernel/jobs/enqueue.ts'
import type { Answer, Ctx, JobDefinition, RequestInfo } from '../../kernel/types.ts'
import { refuseWithoutSpace } from '../../kernel/uploads/space.ts'
import { largestFile, uploadOf } from '../../kernel/uploads/form.ts'
import { ownFile, refuseForeignOwner, storeFile, uploadInput, uploadedFile } from './storage.handlers.ts'

/** The largest portion, in bytes. */
export const largestPortion = 1_048_576
const forgottenAfter = 7 * 86_400_000

const whole = uploadInput.required({ id: true, sha256: true })
export const portionsInput = whole.pick({ id: true })
/** A portion: where it begins, and the whole file that it is of. `name` is the file's, `size` its length. */
export const portionInput = whole.extend({
  offset: z.coerce.number().int().min(0).max(largestFile),
  size: z.coerce.number().int().min(1).max(largestFile),
  name: z.string().trim().min(1).max(200),
})
type Portion = z.infer<typeof portionInput>

/** `received`: bytes from the beginning without a gap. `file` once it is stored. */
export const portionsAnswer = z.strictObject({ received: z.int(), file: uploadedFile.optional() })

/** How far the caller's file has come, so that what was cut off goes on from there. */
export async function lookAtPortions(ctx: Ctx, { id }: z.infer<typeof portionsInput>): Promise<Answer> {
  const file = await ownFile(ctx, id)
  return { data: file ? { received: file.size, file } : { received: await receivedOf(ctx, id) } }
}

/**
 * Takes a portion of a file; with the last one the file is stored as an upload stores it. A portion that came before changes
 * nothing. Errors: CONFLICT (details.received: go on from there), INVALID, TOO_LARGE, and those of an upload. Bytes that do not
 * add up to the SHA-256 are thrown away: `received` is 0 again.
 */
export async function takePortion(ctx: Ctx, input: Portion, { raw, store }: RequestInfo): Promise<Answer> {
  const { id, offset, size } = input
  if (!raw || raw.length === 0) return fail('INVALID', { fields: [{ field: 'body', message: 'holds no bytes' }] })
  if (offset + raw.length > size) fail('INVALID', { fields: [{ field: 'size', message: 'is less than what was sent' }] })
  await refuseForeignOwner(ctx, input)
  // One portion of a file at a time: five that come at once are one.
  await takeTurn(ctx.sql, `portions ${ctx.company.id} ${ctx.user.id} ${id}`)
  const before = await ownFile(ctx, id)
  if (before) return { data: { received: before.size, file: before } }
  const received = await receivedOf(ctx, id)
  await refuseOther(ctx, input)
  if (offset > received) fail('CONFLICT', { message: 'A portion before this one is missing.', details: { received } })
  if (offset + raw.length <= received) return finish(ctx, input, { received, store })
  if (offset < received) fail('CONFLICT', { message: 'A part of this portion is there already.', details: { received } })
  if (offset === 0) await begin(ctx, input)
  await ctx.sql.exec(sql`
    insert into upload_portion ("companyId", "userId", "fileId", "offset", "length", "size", "sha256", "bytes")
    values (${ctx.company.id}::uuid, ${ctx.user.id}::uuid, ${id}::uuid, ${offset}, ${raw.length}, ${size}, decode(${input.sha256}, 'hex'), ${raw})`)
  return finish(ctx, input, { received: received + raw.length, store })
}

async function begin(ctx: Ctx, { id, size }: Portion): Promise<void> {
  await refuseWithoutSpace(ctx, size)
  await enqueueJob(ctx, forgetPortions.name, { id, userId: ctx.user.id }, new Date(Date.now() + forgottenAfter))
}

const mine = (ctx: Ctx, id: string) =>
  sql`from upload_portion where "companyId" = ${ctx.company.id}::uuid and "userId" = ${ctx.user.id}::uuid and "fileId" = ${id}::uuid`

async function receivedOf(ctx: Ctx, id: string): Promise<number> {
  return (await ctx.sql.one<{ received: number }>(sql`select coalesce(sum("length"), 0)::float8 as received ${mine(ctx, id)}`)).received
}

/** The portions of one file are of one file. */
async function refuseOther(ctx: Ctx, { id, size, sha256 }: Portion): Promise<void> {
  const other = await ctx.sql.maybe(
    sql`select 1 as one ${mine(ctx, id)} and ("size" <> ${size} or "sha256" <> decode(${sha256}, 'hex')) limit 1`,
  )
  if (other) fail('CONFLICT', { message: 'Portions of another file were sent under this id.' })
}

async function finish(
  ctx: Ctx,
  { offset: _, size, name, ...input }: Portion,
  { received, store }: { received: number; store: RequestInfo['store'] },
): Promise<Answer> {
  if (received < size) return { data: { received } }
  const file = await uploadOf(await store.receive(Readable.from(bytesOf(ctx, input.id)), { maxBytes: largestFile }), {
    name,
    fieldName: 'file',
    store,
  })
  try {
    const isWhole = file.sha256.toString('hex') === input.sha256
    const stored = isWhole ? await storeFile(ctx, input, file) : undefined
    await ctx.sql.exec(sql`delete ${mine(ctx, input.id)}`)
    return {
      data: stored ? { received, file: stored } : { received: 0 },
      message: stored ? 'File uploaded' : 'The bytes were damaged on the way.',
    }
  } catch (error) {
    await file.drop()
    throw error
  } finally {
    await file.discard()
  }
}

/** The bytes of a file, a portion at a time. */
async function* bytesOf(ctx: Ctx, id: string): AsyncGenerator<Buffer> {
  const places = await ctx.sql.query<{ offset: number }>(sql`select "offset" ${mine(ctx, id)} order by "offset"`)
  for (const { offset } of places)
    yield (await ctx.sql.one<{ bytes: Buffer }>(sql`select "bytes" ${mine(ctx, id)} and "offset" = ${offset}`)).bytes
}

/** Throws away what never became a file. */
export const forgetPortions: JobDefinition = {
  name: 'storage.forgetPortions',
  run: async (ctx, { id, userId }) => {
    await ctx.sql.exec(
      sql`delete from upload_portion where "companyId" = ${ctx.company.id}::uuid and "userId" = ${String(userId)}::uuid and "fileId" = ${String(id)}::uuid`,
    )
  },
}
