import { imageSize } from 'image-size'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { FileStore } from '@outpost/platform/files/types'
import { z } from 'zod'
import { fitsPdf } from '../../kernel/pdf.ts'
import { logoById, lookSettings } from '../../kernel/settings/look.ts'
import type { AnySetting } from '../../kernel/settings/define.ts'
import type { Answer, Ctx, RequestInfo } from '../../kernel/types.ts'
import type { UploadedFile } from '../../kernel/uploads/form.ts'
import { placeOf, type Place } from './place.ts'
import { awaitTurn, forgetValues, storeValues, valuesOf } from './values.ts'

export const logoLimits = { files: 1, maxBytes: 204_800, types: ['png', 'jpg', 'jpeg'] }
/** Pixels a side. Small enough to be unpacked by any phone, large enough to be read. */
const sides = { least: 24, most: 2_000 }

/**
 * Takes a logo in for a company or its group, and shows it from then on. Stops with INVALID (file) for what cannot be shown on screens and
 * in PDFs, NOT_FOUND beyond the caller's reach. The one before is deleted with the same commit: a save that fails leaves it.
 */
export const saveLogo =
  (settings: readonly AnySetting[]) =>
  async (ctx: Ctx, { id }: { id: string }, { files, store }: RequestInfo): Promise<Answer> => {
    const place = await placeOf(ctx, id)
    if (place.type > 2) wrong('is chosen for the whole company')
    const [file] = files ?? []
    if (!file) return wrong('is required')
    const bytes = await bytesOf(file, store)
    await refuseUnfit(bytes)
    await place.ctx.transaction((inner) => keepLogo(inner, place, { hash: file.sha256.toString('hex'), mimeType: file.mimeType, bytes }))
    forgetValues(place)
    return { data: { settings: await valuesOf(ctx, settings, place) }, message: 'Logo saved' }
  }

async function keepLogo(
  ctx: Ctx,
  place: Place,
  { hash, mimeType, bytes }: { hash: string; mimeType: string; bytes: Buffer },
): Promise<void> {
  // Before the logo is stored: who saves another one now forgets those that nobody chose.
  await awaitTurn(ctx, place)
  await ctx.sql.exec(sql`
    insert into company_logo ("companyId", "hash", "mimeType", "bytes", "createdByUserId")
    values (${place.companyId}::uuid, ${hash}, ${mimeType}, ${bytes}, ${ctx.user.id}::uuid) on conflict do nothing`)
  const { id } = await ctx.sql.one<{ id: string }>(sql`
    select "id" from company_logo where "companyId" = ${place.companyId}::uuid and "hash" = ${hash}`)
  await storeValues(ctx, place, { [lookSettings.logo.name]: id })
}

async function refuseUnfit(bytes: Buffer): Promise<void> {
  const { width, height } = sizeOf(bytes)
  if (Math.min(width, height) < sides.least) wrong(`is smaller than ${sides.least} pixels a side`)
  if (Math.max(width, height) > sides.most) wrong(`is larger than ${sides.most} pixels a side`)
  if (width > 8 * height || height > 2 * width)
    wrong('is too long or too high: at most 8 times as wide as high, at most twice as high as wide')
  if (!(await fitsPdf(bytes))) wrong('is no picture that can be read')
}

function sizeOf(bytes: Buffer): { width: number; height: number } {
  try {
    return imageSize(bytes)
  } catch {
    return wrong('is no picture that can be read')
  }
}

/** The bytes of the file; it is not kept as one, because people without a session see a logo. */
async function bytesOf(file: UploadedFile, store: FileStore): Promise<Buffer> {
  const opened = await store.open(await file.keep())
  const pieces: Buffer[] = []
  for await (const piece of opened?.body ?? []) pieces.push(Buffer.from(piece as Uint8Array))
  await file.drop()
  return Buffer.concat(pieces)
}

const wrong = (message: string): never => fail('INVALID', { fields: [{ field: 'file', message }] })

export const logoInput = z.strictObject({ id: z.string().max(100) })

/** A logo by its id: the same bytes for ever. */
export async function showLogo({ id }: z.infer<typeof logoInput>): Promise<Answer> {
  const found = lookSettings.logo.refuse(id) === undefined ? await logoById(id) : undefined
  if (!found) return fail('NOT_FOUND')
  const { mimeType, bytes } = found
  const name = mimeType === 'image/png' ? 'logo.png' : 'logo.jpg'
  return { file: { name, mimeType, size: bytes.length, body: bytes, inline: true, isForEver: true } }
}
