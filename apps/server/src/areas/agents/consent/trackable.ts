import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../../kernel/types.ts'

/** The work device that the caller's session last reported from, for SQL; null before its first report. */
const ownDevice = ({ company, user, sessionId }: Ctx): Statement => sql`(select d."deviceId" from sync_device d
  where d."companyId" = ${company.id}::uuid and d."userId" = ${user.id}::uuid and d."sessionId" = ${sessionId}::uuid and d."signedOutAt" is null order by d."lastSeen" desc limit 1)`

/** The mark of the phone that the caller works on as the company's, null without. */
export const ownCompanyPhone = (ctx: Ctx): Promise<{ since: string; reason: string } | undefined> =>
  ctx.sql.maybe(sql`select p."since", p."reason" from company_phone p
    where p."companyId" = ${ctx.company.id}::uuid and p."userId" = ${ctx.user.id}::uuid and p."deviceId" = ${ownDevice(ctx)} and p."endedAt" is null`)

/** Of these times (ISO) those at which the caller may be followed: at work, with their consent or on a phone of the company (ctx.trackable_by). */
export async function trackableTimes(ctx: Ctx, times: readonly string[]): Promise<ReadonlySet<number>> {
  const rows = await ctx.sql.query<{ at: Date }>(sql`
    select at from ctx.own_trackable_by(${ctx.user.id}::uuid, ${ownDevice(ctx)}, ${[...new Set(times)]}::timestamptz[]) at`)
  return new Set(rows.map(({ at }) => at.getTime()))
}

/**
 * Condition over user_position (alias p) of one person between two times: at work, as the calendar and the person's own days say, or the place of an
 * act (a visit, the start of a day). The person's track outside working time is nobody's, so every statement that reads it says this. The
 * person may be a column of an outer query: their stretches of work are then sought once for each.
 */
export const atWork = (
  userId: string | Statement,
  from: Statement,
  until: Statement,
  alias = sql`p`,
): Statement => sql`(${alias}."entityType" is not null
  or ${alias}."deviceTime" <@ any(array(select span from ctx.own_working_spans(${userId}::uuid, ${from}, ${until}) span)))`
