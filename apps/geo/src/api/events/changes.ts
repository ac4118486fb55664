import type { FiledEvent } from '@outpost/platform/relay'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { liveEvents } from '../../live/event-rows.ts'
import { handler } from '../types.ts'

const maxEvents = 1_000

/**
 * Returns the events that a follower missed since the greatest sequence number it has, at most 1,000. With `hasMore`, ask again from the
 * new number. Without `since` it returns no events, only the number to start from. A sequence number is assigned before the commit, so a
 * slower transaction may commit a smaller number later; therefore events of the minute before are sent again.
 */
export const eventChanges = handler(
  z.strictObject({ since: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional() }),
  async ({ sql: reader, caller }, { since }) => {
    const { company } = caller
    if (since === undefined) {
      const { seq } = await reader.one<{ seq: number }>(
        sql`select coalesce(max("seq"), 0) as "seq" from geo.event where "companyId" = ${company}`,
      )
      return { data: { events: [], seq, hasMore: false } }
    }
    const mark = sql`(select m."changedAt" - interval '1 minute' from geo.event m where m."companyId" = ${company} and m."seq" <= ${since} order by m."seq" desc limit 1)`
    const [again, later] = await Promise.all([
      reader.query<FiledEvent>(
        sql`${liveEvents(company, [sql`e."seq" <= ${since}`, sql`e."seq" > ${since - 5 * maxEvents}`, sql`e."changedAt" >= ${mark}`])}`,
      ),
      reader.query<FiledEvent>(sql`${liveEvents(company, [sql`e."seq" > ${since}`])} limit ${maxEvents}`),
    ])
    const events = [...again, ...later].map(({ tenantId: _, seenBy: __, ...event }) => event)
    return { data: { events, seq: later.at(-1)?.seq ?? since, hasMore: later.length === maxEvents } }
  },
)
