import { box as boxSchema, type Box } from '@outpost/contract/box'
import { sql } from '@outpost/platform/db/sql'
import type { FiledPosition } from '@outpost/platform/relay'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { livePositions } from '../../live/rows.ts'
import { handler } from '../types.ts'

const numbers = z
  .string()
  .max(120)
  .transform((text) => text.split(',').map((one) => (one.trim() === '' ? Number.NaN : Number(one))))
  .pipe(boxSchema)
const input = z
  .strictObject({ since: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(), box: numbers.optional() })
  // Otherwise devices that left the box in the meantime would be missing.
  .refine(({ since, box }) => since === undefined || box === undefined, {
    path: ['since'],
    error: 'says nothing together with a box: that is told whole',
  })

/**
 * Returns what a live map missed since the greatest sequence number it has: changed newest positions and removed devices. Without
 * `since` it returns all. A sequence number is assigned before the commit, so a slower transaction may commit a smaller number later;
 * therefore the last seconds are sent again. With a box it returns everything inside.
 */
export const positionChanges = handler(input, async ({ sql: reader, caller }, { since, box }) => {
  const own = sql`"companyId" = ${caller.company}`
  const { mark, greatest } = await reader.one<{ mark: Date | null; greatest: number | null }>(sql`
    select max("serverTime") filter (where "seq" <= ${since ?? -1}) - interval '20 seconds' as "mark", max("seq") as "greatest" from geo.latest where ${own}`)
  const isLater =
    since === undefined ? [] : [sql`(l."seq" > ${since} or l."serverTime" >= ${mark}::timestamptz or d."statusAt" >= ${mark}::timestamptz)`]
  const [rows, removed] = await Promise.all([
    reader.query<FiledPosition>(livePositions(caller.company, box ? [isWithin(box)] : isLater)),
    since === undefined
      ? []
      : reader.query<{ id: string }>(
          sql`select "id" from geo.device where ${own} and "deletedAt" is not null and (${mark}::timestamptz is null or "deletedAt" >= ${mark}::timestamptz)`,
        ),
  ])
  return {
    data: {
      positions: rows.map(({ tenantId: _, seenBy: __, ...position }) => position),
      removed: removed.map(({ id }) => id),
      seq: Math.max(since ?? 0, greatest ?? 0),
    },
  }
})

const isWithin = ([
  west,
  south,
  east,
  north,
]: Box): Statement => sql`(l."latitude" between ${south}::float8 and ${north}::float8 and case when ${west}::float8 <= ${east}::float8
  then l."longitude" between ${west}::float8 and ${east}::float8 else l."longitude" >= ${west}::float8 or l."longitude" <= ${east}::float8 end)`
