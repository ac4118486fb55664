import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { eventNames } from '../../live/event-rows.ts'
import { selection } from '../../sql/fields.ts'
import { timeText } from '../../sql/fields.ts'
import { writeAudit } from '../crud/write.ts'
import { id } from '../input.ts'
import { handler, type GeoCtx } from '../types.ts'
import { fields } from './list.ts'

/** Returns an event in the caller's reach with its reactions; throws NOT_FOUND for any other. */
export const getEvent = handler(z.strictObject({ id }), async (ctx, given) => ({
  data: { event: await readEvent(ctx, ctx.sql, given.id) },
}))

/** Only the note of the body is used. */
const acknowledgement = z.looseObject({ id, note: z.string().trim().max(1_000).nullish() })

/**
 * Acknowledges an event: who, when and an optional note. The first acknowledgement stays; a second one changes nothing. A pending
 * escalation is cancelled.
 */
export const acknowledgeEvent = handler(acknowledgement, (ctx, given) =>
  ctx.transaction(async (db) => {
    const { caller } = ctx
    const before = await readEvent(ctx, db, given.id)
    const isFirst =
      (await db.exec(sql`
    update geo.event set "acknowledgedBy" = ${caller.realUser}, "acknowledgedAt" = now(), "note" = ${given.note === '' ? null : (given.note ?? null)}
    where "companyId" = ${caller.company} and "id" = ${given.id} and "acknowledgedAt" is null`)) === 1
    if (!isFirst) return { data: { event: before } }
    await db.exec(sql`update geo.reaction set "state" = 'silent', "result" = 'Acknowledged in time.', "endedAt" = now()
    where "companyId" = ${caller.company} and "eventId" = ${given.id} and "level" > 1 and "state" = 'waiting'`)
    const event = await readEvent(ctx, db, given.id)
    await writeAudit(ctx, db, { act: 'acknowledge', objectType: 'event', objectId: given.id, after: { note: event.note } })
    return { data: { event } }
  }),
)

/** An action of a tenant above the caller's is out of reach: its reactions are returned without the action's name. */
async function readEvent({ caller }: GeoCtx, db: Sql, eventId: string): Promise<Record<string, unknown>> {
  const reactions = sql`(select coalesce(json_agg(json_build_object('type', r."type", 'level', r."level", 'state', r."state", 'result', r."result", 'attempts', r."attempts", 'dueAt', ${timeText(sql`r."nextAt"`)},
      'endedAt', ${timeText(sql`r."endedAt"`)}, 'eventAction', a."name") order by r."level", r."id"), '[]')
    from geo.reaction r left join geo.event_action a on a."companyId" = r."companyId" and a."id" = r."eventActionId" where r."companyId" = e."companyId" and r."eventId" = e."id")`
  const event = await db.maybe<Record<string, unknown>>(
    sql`select ${selection(fields)}, ${reactions} as "reactions" from geo.event e ${eventNames} where e."companyId" = ${caller.company} and e."id" = ${eventId}`,
  )
  return event ?? fail('NOT_FOUND')
}
