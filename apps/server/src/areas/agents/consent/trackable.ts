import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../../kernel/types.ts'

/** Of these times (ISO) those at which the caller may be followed: at work, with their consent (ctx.trackable). */
export async function trackableTimes({ sql: reader, user }: Ctx, times: readonly string[]): Promise<ReadonlySet<number>> {
  const rows = await reader.query<{ at: Date }>(sql`
    select at from ctx.own_trackable(${user.id}::uuid, ${[...new Set(times)]}::timestamptz[]) at`)
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
