import { empty, sql } from '@outpost/platform/db/sql'
import { positionId } from '../api/positions/fields.ts'
import { noDistance } from '../api/trips/device.ts'
import { beganIn, ofDrivers, ofSubjects } from './parameters.ts'
import { coordinates, dateTime, duration, id, json, number, percent, subject, summed, text, type GeoReport } from './report.ts'
import { labelOf } from './attribute-text.ts'

/**
 * Trips that began in the window. `alerts` counts the warnings and critical events during the trip, `quality` the fixes that could be
 * used for measuring.
 */
export const trips: GeoReport = {
  columns: [
    ...subject,
    text('driver', 'Driver'),
    dateTime('startTime', 'Start'),
    dateTime('endTime', 'End'),
    text('startPlace', 'From'),
    text('endPlace', 'To'),
    summed(number('km', 'Distance', 'km')),
    summed(number('gapKm', 'Without data', 'km')),
    summed(duration('duration', 'Duration')),
    summed(duration('moving', 'Moving')),
    summed(duration('idle', 'Idle')),
    number('averageSpeed', 'Average speed', 'km/h'),
    number('maxSpeed', 'Top speed', 'km/h'),
    summed(number('fuelUsed', 'Fuel', 'l')),
    number('startOdometer', 'Odometer at start', 'km'),
    number('endOdometer', 'Odometer at end', 'km'),
    summed(number('alerts', 'Alerts')),
    percent('quality', 'Quality'),
    text('words', 'How it was told'),
    id('tripId', 'Trip id'),
    ...coordinates('start', 'Start'),
    ...coordinates('end', 'End'),
    json('path', 'Way'),
  ],
  places: { startPlace: ['startLatitude', 'startLongitude'], endPlace: ['endLatitude', 'endLongitude'] },
  rows: (ctx, asked) =>
    ctx.sql.stream(sql`
    select d."name" as "device", t."deviceId", t."assetId", r."name" as "driver", t."startTime", t."endTime",
      round((t."metres" / 1000)::numeric, 3)::float8 as "km", round((t."gapMetres" / 1000)::numeric, 3)::float8 as "gapKm",
      coalesce(round(extract(epoch from t."endTime" - t."startTime"))::int, t."movingSeconds" + t."idleSeconds") as "duration", t."movingSeconds" as "moving", t."idleSeconds" as "idle",
      round(t."averageSpeed"::numeric, 1)::float8 as "averageSpeed", round(t."maxSpeed"::numeric, 1)::float8 as "maxSpeed", round(t."fuelUsed"::numeric, 2)::float8 as "fuelUsed",
      round((t."startOdometer" / 1000)::numeric, 1)::float8 as "startOdometer", round((t."endOdometer" / 1000)::numeric, 1)::float8 as "endOdometer",
      (select count(*)::int from geo.event e where e."companyId" = t."companyId" and e."deviceId" = t."deviceId" and e."eventTime" between t."startTime" and coalesce(t."endTime", now())
        and e."severity" <> 'info' and not e."isSuperseded") as "alerts",
      round(t."quality"::numeric, 3)::float8 as "quality", ${labelOf} as "words", ${positionId(sql`t."deviceId"`, sql`t."startTime"`)} as "tripId",
      t."startLatitude", t."startLongitude", t."endLatitude", t."endLongitude", t."path"
    from geo.trip t join geo.device d on d."companyId" = t."companyId" and d."id" = t."deviceId"
      left join geo.driver r on r."companyId" = t."companyId" and r."id" = t."driverId"
    where ${ofSubjects(asked)} and ${beganIn(asked)} and ${ofDrivers(asked)} ${asked.isMeasured ? sql`and t."fuelUsed" is not null` : empty} ${asked.zeros ? empty : sql`and t."metres" + t."gapMetres" >= ${noDistance}`}
    order by t."startTime", t."deviceId"`),
}
