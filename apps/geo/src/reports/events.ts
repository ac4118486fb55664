import { every, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { alarms as knownAlarms, eventTypes } from '../rules/catalogue.ts'
import { assetAt, beganIn, ofDrivers, ofSubjectsAt, type ReportParameters } from './parameters.ts'
import { boolean, coordinates, dateTime, id, number, subject, text, user, type GeoReport, type Row } from './report.ts'

const columns = [
  ...subject,
  dateTime('eventTime', 'Time'),
  dateTime('serverTime', 'Received'),
  text('type', 'Type'),
  text('words', 'Event'),
  text('severity', 'Severity'),
  text('place', 'Place'),
  ...coordinates(),
  number('speed', 'Speed', 'km/h'),
  text('geofence', 'Fence'),
  text('driver', 'Driver'),
  text('rule', 'Rule'),
  boolean('isLate', 'Came late'),
  dateTime('acknowledgedAt', 'Acknowledged'),
  user('acknowledgedBy', 'Acknowledged by'),
  text('note', 'Note'),
  id('eventId', 'Event id'),
]

const report = (condition: (asked: ReportParameters) => Statement): GeoReport => ({
  columns,
  places: { place: ['latitude', 'longitude'] },
  async *rows(ctx, asked) {
    for await (const row of ctx.sql.stream<Row>(statement(asked, condition(asked)))) yield { ...row, words: eventName(row) }
  },
})

/** Events, newest first; those that a later message disproved are left out. `types` are types of event, and names of alarms that are no type. */
export const events = report(({ types, trip }) =>
  every([sql`true`, ...(types === undefined ? [] : [ofTypes(types)]), ...(trip === undefined ? [] : [onTrip(trip)])]),
)

function ofTypes(types: readonly string[]): Statement {
  const named = types.filter((type) => !Object.hasOwn(eventTypes, type))
  return sql`(t."type" = any(${types}::text[]) or t."type" = 'alarm' and t."key" = any(${named}::text[]))`
}

/** The warnings and critical events that a trip counts as its alerts. */
const onTrip = ({
  deviceId,
  fixTime,
}: NonNullable<ReportParameters['trip']>): Statement => sql`t."severity" <> 'info' and exists (select from geo.trip w
  where w."companyId" = t."companyId" and w."deviceId" = ${deviceId}::uuid and w."deviceId" = t."deviceId" and w."startTime" = ${fixTime}
    and t."eventTime" between w."startTime" and coalesce(w."endTime", now()))`

/** Alarms of the devices, the newest first; `types` are names of alarms. */
export const alarms = report(({ types }) =>
  every([sql`t."type" = 'alarm'`, ...(types === undefined ? [] : [sql`t."key" = any(${types}::text[])`])]),
)

const statement = (asked: ReportParameters, condition: Statement): Statement => sql`
  select d."name" as "device", t."deviceId", coalesce(t."assetId", ${assetAt(sql`t."eventTime"`)}) as "assetId", t."eventTime", t."serverTime", t."type", t."key", t."severity", t."latitude", t."longitude",
    round(t."speed"::numeric, 1)::float8 as "speed", g."name" as "geofence", r."name" as "driver", i."name" as "rule", t."isLate", t."acknowledgedAt", t."acknowledgedBy", t."note", t."id" as "eventId"
  from geo.event t join geo.device d on d."companyId" = t."companyId" and d."id" = t."deviceId"
    left join geo.geofence g on g."companyId" = t."companyId" and g."id" = t."geofenceId" left join geo.driver r on r."companyId" = t."companyId" and r."id" = t."driverId"
    left join geo.event_io i on i."companyId" = t."companyId" and i."id" = t."eventIoId"
  where ${ofSubjectsAt(asked, sql`t."eventTime"`)} and ${beganIn(asked, 'eventTime')} and not t."isSuperseded" and ${ofDrivers(asked)} and ${condition}
  order by t."eventTime" desc, t."id" desc`

/** The name of an event: an alarm by its own name, another by its type. */
function eventName({ type, key }: Row): string {
  const [table, name] = type === 'alarm' ? [knownAlarms, key] : [eventTypes, type]
  const known = table as Readonly<Record<string, { label: string }>>
  return Object.hasOwn(known, String(name)) ? known[String(name)]!.label : String(name)
}
