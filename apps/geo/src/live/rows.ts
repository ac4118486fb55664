import { every, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { timeText } from '../sql/fields.ts'

/** Devices may send anything under any name, so only values of the expected type are sent. */
const valueOf = (name: string, kind: 'boolean' | 'number') =>
  sql`case when jsonb_typeof(l."state" -> ${name}::text) = ${kind} then l."state" -> ${name}::text end`

/** Columns of a LivePosition from alias l (geo.latest) and d (geo.device). */
const columns = sql`d."id" as "deviceId", l."seq", d."status", ${timeText(sql`l."fixTime"`)} as "fixTime", l."latitude", l."longitude", l."speed", l."course",
  l."accuracy", l."isValid", ${valueOf('ignition', 'boolean')} as "ignition", ${valueOf('batteryLevel', 'number')} as "batteryLevel", left(l."attributes" ->> 'alarm', 100) as "alarm"`

/**
 * Newest positions in the order of change, as rows of LivePosition with the device's tenant. `offset 0` makes Postgres look up each
 * device by its key. Otherwise, while statistics are missing, the planner scans the whole company for each position, which takes seconds
 * for a fleet of 5,000.
 */
export function livePositions(companyId: string, where: readonly Statement[]): Statement {
  return sql`select ${columns}, d."tenantId", ctx.roles_of_device(d."companyId", d."id") as "seenBy" from geo.latest l
    cross join lateral (select o.* from geo.device o where o."companyId" = l."companyId" and o."id" = l."deviceId" offset 0) d
    where ${every([sql`l."companyId" = ${companyId}`, sql`d."deletedAt" is null`, sql`l."latitude" is not null`, ...where])} order by l."seq"`
}
