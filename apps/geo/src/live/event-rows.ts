import { every, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { selection } from '../sql/fields.ts'
import { timeText } from '../sql/fields.ts'

/** Joins the names of the device (d), fence (g) and rule (i) of an event (alias e). */
export const eventNames = sql`
  join geo.device d on d."companyId" = e."companyId" and d."id" = e."deviceId"
  left join geo.geofence g on g."companyId" = e."companyId" and g."id" = e."geofenceId"
  left join geo.event_io i on i."companyId" = e."companyId" and i."id" = e."eventIoId"`

/** The fields of a LiveEvent, with its names. */
export const eventFields = {
  id: sql`e."id"`,
  seq: sql`e."seq"`,
  deviceId: sql`e."deviceId"`,
  device: sql`d."name"`,
  type: sql`e."type"`,
  eventTime: timeText(sql`e."eventTime"`),
  severity: sql`e."severity"`,
  alarm: sql`left(e."attributes" ->> 'alarm', 100)`,
  latitude: sql`e."latitude"`,
  longitude: sql`e."longitude"`,
  speed: sql`e."speed"`,
  geofenceId: sql`e."geofenceId"`,
  geofence: sql`g."name"`,
  eventIoId: sql`e."eventIoId"`,
  eventIo: sql`i."name"`,
  isLate: sql`e."isLate"`,
  isSuperseded: sql`e."isSuperseded"`,
  acknowledgedBy: sql`e."acknowledgedBy"`,
  acknowledgedAt: timeText(sql`e."acknowledgedAt"`),
}

/** Events in the order of change, each with its device's tenant and the roles that see it. */
export function liveEvents(companyId: string, where: readonly Statement[]): Statement {
  return sql`select ${selection(eventFields)}, d."tenantId", ctx.roles_of_device(d."companyId", d."id") as "seenBy" from geo.event e ${eventNames} where ${every([sql`e."companyId" = ${companyId}`, ...where])} order by e."seq"`
}
