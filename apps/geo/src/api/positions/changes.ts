import type { FiledPosition } from '@outpost/platform/relay'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { livePositions } from '../../live/rows.ts'
import { handler } from '../types.ts'

/**
 * What a live map missed since the greatest sequence number it has: newest places that changed, and devices that are
 * gone. Without a number all of them. A change takes its number before it is committed, so one that was under way when
 * the last heard of was sent may have a smaller one: some seconds before are told again.
 */
export const positionChanges = handler(z.strictObject({ since: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional() }), async ({ sql: reader, caller }, { since }) => {
  const own = sql`"companyId" = ${caller.company}`
  const { mark, greatest } = await reader.one<{ mark: Date | null, greatest: number | null }>(sql`
    select max("serverTime") filter (where "seq" <= ${since ?? -1}) - interval '20 seconds' as "mark", max("seq") as "greatest" from geo.latest where ${own}`)
  const isLater = since === undefined ? [] : [sql`(l."seq" > ${since} or l."serverTime" >= ${mark}::timestamptz or d."statusAt" >= ${mark}::timestamptz)`]
  const [rows, removed] = await Promise.all([
    reader.query<FiledPosition>(livePositions(caller.company, isLater)),
    since === undefined ? [] : reader.query<{ id: string }>(sql`select "id" from geo.device where ${own} and "deletedAt" is not null and (${mark}::timestamptz is null or "deletedAt" >= ${mark}::timestamptz)`),
  ])
  return { data: { positions: rows.map(({ tenantId: _, ...position }) => position), removed: removed.map(({ id }) => id), seq: Math.max(since ?? 0, greatest ?? 0) } }
})
