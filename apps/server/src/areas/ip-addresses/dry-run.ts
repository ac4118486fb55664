import { identifierSchema } from '@outpost/contract/input'
import { isRange } from '@outpost/platform/http/address'
import { z } from 'zod'
import { idSchema } from '../../kernel/resource/schema.ts'
import { requireWholeCompany } from '../../kernel/session/reach.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { lockedOutBy, lockOutWords, noRange, ownLockOut, wouldLockSelfOut } from './lock-out.ts'

export const dryRunInput = z.strictObject({
  /** The entry that would change; left out for a new one. */
  Id: idSchema.optional(),
  /** Entries that would be deleted; then nothing else counts. */
  ids: z.array(idSchema).min(1).max(500).optional(),
  range: z.string().trim().max(60).default(''),
  appliesTo: z.enum(['company', 'role', 'user']).default('company'),
  roleId: idSchema.nullish(),
  userId: idSchema.nullish(),
})
export const dryRunAnswer = z.strictObject({
  /** True when the caller or others would be locked out; `message` says who, `fields` below which field. */
  exists: z.boolean(),
  fields: z.array(z.string()),
  message: z.string(),
  lockedOut: z.array(z.strictObject({ Id: identifierSchema, name: z.string(), ip: z.string() })),
})

/** Who would be locked out by an entry, or by the deletion of some, before it is saved. */
export async function dryRun(
  ctx: Ctx,
  { Id = '', ids, range, appliesTo, roleId = null, userId = null }: z.infer<typeof dryRunInput>,
): Promise<Answer> {
  requireWholeCompany(ctx)
  // Asked while the form is filled in: an entry without a range has nobody to lock out yet.
  if (!ids && range === '') return quiet
  if (!ids && !isRange(range)) return { data: { exists: true, fields: ['range'], message: noRange, lockedOut: [] } }
  const rule = { range, appliesTo, roleId: appliesTo === 'role' ? roleId : null, userId: appliesTo === 'user' ? userId : null }
  const change = ids ? { ids } : { ids: [Id], rules: [rule] }
  const lockedOut = await lockedOutBy(ctx, change)
  const isSelf = await wouldLockSelfOut(ctx, change)
  if (!isSelf && lockedOut.length === 0) return quiet
  return {
    data: {
      exists: true,
      fields: [isSelf ? 'range' : 'mayLockOut'],
      message: isSelf ? ownLockOut(ctx) : lockOutWords(lockedOut),
      lockedOut,
    },
  }
}

const quiet: Answer = { data: { exists: false, fields: [], message: '', lockedOut: [] } }
