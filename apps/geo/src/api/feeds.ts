import { randomBytes } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { feedPrefix } from '../ingest/traccar/cursors.ts'
import { noProgress, progressStatement, type Progress } from '../ingest/traccar/progress.ts'
import { readRecord } from './crud/read.ts'
import { bodyOf } from './crud/resource.ts'
import { createRecord, writeAudit } from './crud/write.ts'
import { timeText } from '../sql/fields.ts'
import { id } from './input.ts'
import { feed } from './resources/feed.ts'
import { handler } from './types.ts'

/** Creates a feed. Its token is returned once and never shown again. */
export const createFeed = handler(bodyOf(feed, feed.create), async (ctx, input) => {
  const token = randomBytes(32).toString('base64url')
  const answer = await createRecord(ctx, feed, { ...input, token })
  const made = 'data' in answer ? (answer.data.feed as Record<string, unknown>) : {}
  return { data: { feed: { ...made, token } } }
})

/**
 * Requests an import of everything from the Traccar server behind a feed: devices by group, fences, drivers, history. A second request
 * changes nothing.
 */
export const startImport = handler(z.strictObject({ id }), async (ctx, input) =>
  ctx.transaction(async (db) => {
    const record = await readRecord(ctx, feed, input.id, db)
    if (record.url === null) fail('CONFLICT', { message: 'This feed has no Traccar server: give it an address and a token first.' })
    if (record.isActive !== true) fail('CONFLICT', { message: 'This feed is switched off.' })
    const isNew =
      (await db.exec(sql`update geo.feed set "importAskedAt" = now(), "nextRunAt" = date_trunc('milliseconds', now())
    where "companyId" = ${ctx.caller.company} and "id" = ${input.id} and "importAskedAt" is null`)) === 1
    if (isNew) await writeAudit(ctx, db, { act: 'import', objectType: 'feed', objectId: input.id })
    return { data: { import: { ...(await progressOf(db, input.id)), state: 'waiting', kind: 'import' } } }
  }),
)

/** Returns the import's progress and, per device, until when its history is complete. */
export const showImport = handler(z.strictObject({ id }), async (ctx, input) => {
  await readRecord(ctx, feed, input.id)
  const { isAsked, nextRunAt, histories, wholeUntil } = await ctx.sql.one<{
    isAsked: boolean
    nextRunAt: string | null
    histories: number
    wholeUntil: number | null
  }>(sql`
    select f."importAskedAt" is not null as "isAsked", ${timeText(sql`f."nextRunAt"`)} as "nextRunAt", count(c.*)::int as "histories", min((c."cursor" ->> 'until')::float8) as "wholeUntil"
    from geo.feed f left join geo.import_cursor c on c."companyId" = f."companyId" and starts_with(c."source", ${feedPrefix(input.id)}::text)
    where f."companyId" = ${ctx.caller.company} and f."id" = ${input.id} group by f."companyId", f."id"`)
  const progress = await progressOf(ctx.sql, input.id)
  return {
    data: {
      import: {
        ...progress,
        ...(isAsked ? { state: 'waiting', kind: 'import' } : {}),
        nextRunAt,
        histories,
        wholeUntil: wholeUntil === null ? null : new Date(wholeUntil).toISOString(),
      },
    },
  }
})

async function progressOf(reader: Sql, feedId: string): Promise<Progress> {
  const row = await reader.maybe<{ cursor: Partial<Progress> }>(progressStatement(feedId))
  return { ...noProgress, ...row?.cursor }
}
