import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Place } from '../../kernel/keeps/transfers.ts'
import { reaches, usersInReach } from '../../kernel/session/reach.ts'
import type { Ctx } from '../../kernel/types.ts'

interface Wanted {
  tenantId: string | null | undefined
  userId: string | null | undefined
  /** Names of the fields that say them. */
  userField: string
}

/**
 * The place that a record goes to from where it is. INVALID naming the field for a branch out of the caller's reach, a person out of it or who
 * does not work in that branch, and for whoever would stay behind; CONFLICT when it is there already.
 */
export async function placeFor(ctx: Ctx, from: Place, { tenantId, userId, userField }: Wanted): Promise<Place> {
  const to = { tenantId: tenantId?.toLowerCase() ?? from.tenantId, userId: userId?.toLowerCase() ?? from.userId }
  if (to.tenantId === from.tenantId && to.userId === from.userId) fail('CONFLICT', { message: 'It is there already.' })
  if (to.tenantId !== from.tenantId) await refuseBranch(ctx, to.tenantId)
  if (userId && !(await usersInReach(ctx, [userId])).has(userId.toLowerCase()))
    fail('INVALID', { fields: [{ field: userField, message: 'is not an active user in your reach' }] })
  if (to.userId && !(await worksIn(ctx, to.userId, to.tenantId)))
    fail('INVALID', {
      fields: [
        {
          field: userField,
          message: userId ? 'does not work in that branch' : 'is required: the present one does not work in that branch',
        },
      ],
    })
  return to
}

async function refuseBranch(ctx: Ctx, tenantId: string): Promise<void> {
  const isSeen = reaches(ctx, tenantId)
  const exists =
    isSeen &&
    (await ctx.sql.maybe(
      sql`select from tenant where "companyId" = ${ctx.company.id}::uuid and "id" = ${tenantId}::uuid and "deletedAt" is null`,
    ))
  if (!exists) fail('INVALID', { fields: [{ field: 'tenantId', message: 'is not a branch in your reach' }] })
}

/** Who works in a branch works in all below it. */
async function worksIn(ctx: Ctx, userId: string, tenantId: string): Promise<boolean> {
  const found = await ctx.sql.maybe(sql`
    select from user_tenant m join tenant n on n."companyId" = m."companyId" and n."id" = ${tenantId}::uuid
      join app_user u on u."companyId" = m."companyId" and u."id" = m."userId" and u."status" = 1 and u."deletedAt" is null
    where m."companyId" = ${ctx.company.id}::uuid and m."userId" = ${userId}::uuid and m."tenantId" = any(n."path") limit 1`)
  return found !== undefined
}
