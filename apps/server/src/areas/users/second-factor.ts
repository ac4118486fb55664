import { fail } from '@outpost/contract/errors'
import type { z } from 'zod'
import { session } from '../../kernel/session/services.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { resetSecondFactors } from '../auth/index.ts'
import { heldRightsInSight, type manyInput } from './user.handlers.ts'
import { refuseHigher } from './user.rules.ts'

/**
 * Takes the second factor away from users who lost theirs; they enrol again. Never one's own, which asks for a code
 * (auth.endSecondFactor), and never that of a user who may more.
 */
export async function resetSecondFactor(ctx: Ctx, { userIds }: z.infer<typeof manyInput>): Promise<Answer> {
  const ids = [...new Set(userIds.map((id) => id.toLowerCase()))]
  if (ids.includes(ctx.user.id) || ids.includes(ctx.realUser.id)) {
    fail('FORBIDDEN', { message: 'You cannot reset your own second factor.', fields: [{ field: 'userIds', message: 'holds your own id' }] })
  }
  refuseHigher(ctx, await heldRightsInSight(ctx, ids))
  await resetSecondFactors(session(), { companyId: ctx.company.id, userIds: ids, by: ctx.realUser })
  return { data: { userIds: ids }, message: 'Second factor reset' }
}
