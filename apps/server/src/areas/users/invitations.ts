import { sql } from '@outpost/platform/db/sql'
import { session } from '../../kernel/session/services.ts'
import { later } from '../../kernel/session/clock.ts'
import { oneTimeSeconds } from '../../kernel/session/tokens/one-time.ts'
import type { Ctx } from '../../kernel/types.ts'

/** Days for which the link of an invitation counts. */
export const invitationDays = oneTimeSeconds.verify / 86_400

/** What a new user has beside the input: an invitation that is on its way. */
export const invited = () => ({ invitation: 'sent', invitedAt: later(session().clock) })

/** The ids of those who wait for a first password, in any state of their invitation. */
export async function waitingFor(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string }>(sql`
    select "id" from app_user where "companyId" = ${ctx.company.id}::uuid and "id" = any(${ids}::uuid[]) and "invitation" is not null and "status" = 1`)
  return rows.map(({ id }) => id)
}

/** Says of users that they are invited from now on, or not any more. */
export async function markInvitations(ctx: Ctx, ids: readonly string[], invitation: 'sent' | 'revoked'): Promise<void> {
  await ctx.sql.exec(sql`
    update app_user set "invitation" = ${invitation}, "invitedAt" = case when ${invitation} = 'sent' then ${later(session().clock)}::timestamptz else "invitedAt" end
    where "companyId" = ${ctx.company.id}::uuid and "id" = any(${ids}::uuid[])`)
}
