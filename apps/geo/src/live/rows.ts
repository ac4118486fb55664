import { every, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { timeText } from '../api/crud/resource.ts'

/** Devices may send anything under any name: only what has the expected kind is told. */
const valueOf = (name: string, kind: 'boolean' | 'number') =>
  sql`case when jsonb_typeof(l."state" -> ${name}::text) = ${kind} then l."state" -> ${name}::text end`

/** Columns of a LivePosition from alias l (geo.latest) and d (geo.device). */
const columns = sql`d."id" as "deviceId", l."seq", d."status", ${timeText(sql`l."fixTime"`)} as "fixTime", l."latitude", l."longitude", l."speed", l."course",
  l."accuracy", l."isValid", ${valueOf('ignition', 'boolean')} as "ignition", ${valueOf('batteryLevel', 'number')} as "batteryLevel", left(l."attributes" ->> 'alarm', 100) as "alarm"`

/** Newest places in the order of their change: rows of LivePosition, with the device's tenant. */
export function livePositions(companyId: string, where: readonly Statement[]): Statement {
  return sql`select ${columns}, d."tenantId" from geo.latest l join geo.device d on d."companyId" = l."companyId" and d."id" = l."deviceId"
    where ${every([sql`l."companyId" = ${companyId}`, sql`d."deletedAt" is null`, sql`l."latitude" is not null`, ...where])} order by l."seq"`
}
