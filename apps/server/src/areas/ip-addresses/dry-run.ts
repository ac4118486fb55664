import { fail } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { isRange } from '@outpost/platform/http/address'
import { z } from 'zod'
import { idSchema } from '../../kernel/resource/schema.ts'
import { requireWholeCompany } from '../../kernel/session/reach.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { lockedOutBy } from './lock-out.ts'

export const dryRunInput = z.strictObject({
  /** The entry that would change; left out for a new one. */
  Id: idSchema.optional(),
  range: z.string().trim().max(60),
  appliesTo: z.enum(['company', 'role', 'user']).default('company'),
  roleId: idSchema.nullish(),
  userId: idSchema.nullish(),
})
export const dryRunAnswer = z.strictObject({
  lockedOut: z.array(z.strictObject({ Id: identifierSchema, name: z.string(), ip: z.string() })),
})

/** Who would be locked out by an entry, before it is saved. */
export async function dryRun(
  ctx: Ctx,
  { Id = '', range, appliesTo, roleId = null, userId = null }: z.infer<typeof dryRunInput>,
): Promise<Answer> {
  requireWholeCompany(ctx)
  if (!isRange(range)) fail('INVALID', { fields: [{ field: 'range', message: 'is no address and no range like 196.201.214.0/24' }] })
  return { data: { lockedOut: await lockedOutBy(ctx, { id: Id, rule: { range, appliesTo, roleId, userId } }) } }
}
