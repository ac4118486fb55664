import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { timeText } from '../../sql/fields.ts'

/** The public id of a position: its device and its time in epoch milliseconds. */
export const positionId = (deviceId: Statement, fixTime: Statement): Statement =>
  sql`${deviceId}::text || '_' || (extract(epoch from ${fixTime}) * 1000)::bigint`

/** Parses an id made by positionId; undefined when it is invalid. */
export function readPositionId(text: string): { deviceId: string; fixTime: Date } | undefined {
  const [, deviceId, time] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_(-?\d{1,14})$/i.exec(text) ?? []
  return deviceId === undefined ? undefined : { deviceId, fixTime: new Date(Number(time)) }
}

/** A device without a connection, such as a phone, counts as online for this long after its last message. */
const isRecent = (serverTime: Statement) => sql`${serverTime} > now() - interval '10 minutes'`

const statusWhen = (isHeard: Statement) =>
  sql`case when t."disabled" then 'disabled' when t."status" = 'online' or ${isHeard} then 'online' else t."status" end`

/** The status of a device t: online, offline, unknown or disabled. */
export const deviceStatus = statusWhen(
  sql`exists (select from geo.latest r where r."companyId" = t."companyId" and r."deviceId" = t."id" and ${isRecent(sql`r."serverTime"`)})`,
)

/** The same of a device t with its newest place l beside it. */
const statusBeside = statusWhen(isRecent(sql`l."serverTime"`))

/** What a map colours a device t by, with its newest place l: moving, towed (moving with the ignition off), idling, stopped, or its status. */
export const deviceState = sql`case when ${statusBeside} <> 'online' then ${statusBeside} when l."isValid" and l."speed" > 5 then case when l."state" -> 'ignition' = 'false' then 'towed' else 'moving' end when l."state" -> 'ignition' = 'true' then 'idling' else 'stopped' end`

/** Counts recent messages (alias l). A change shows that a status changed by silence alone. */
export const recentCount = sql`count(*) filter (where ${isRecent(sql`l."serverTime"`)})`

/** The newest position of a device as JSON, from alias l (geo.latest): km/h, metres, degrees. */
export const placeOf = sql`json_build_object('fixTime', ${timeText(sql`l."fixTime"`)}, 'latitude', l."latitude", 'longitude', l."longitude",
  'altitude', l."altitude", 'speed', l."speed", 'course', l."course", 'accuracy', l."accuracy", 'isValid', l."isValid", 'attributes', l."attributes")`

/** The wire form of a row of geo.position, alias p; km/h, metres, degrees. */
export const historyFields: Readonly<Record<string, Statement>> = {
  id: positionId(sql`p."deviceId"`, sql`p."fixTime"`),
  deviceId: sql`p."deviceId"`,
  fixTime: timeText(sql`p."fixTime"`),
  deviceTime: timeText(sql`coalesce(p."deviceTime", p."fixTime")`),
  serverTime: timeText(sql`p."serverTime"`),
  latitude: sql`p."latitude"`,
  longitude: sql`p."longitude"`,
  altitude: sql`p."altitude"`,
  speed: sql`p."speed"`,
  course: sql`p."course"`,
  accuracy: sql`p."accuracy"`,
  isValid: sql`p."isValid"`,
  attributes: sql`p."attributes"`,
}
