import { empty, sql } from '@outpost/platform/db/sql'
import { beganIn, ofSubjects, onAssets } from './parameters.ts'
import { boolean, date, duration, id, number, summed, text, type GeoReport } from './report.ts'

/**
 * Totals of each asset (or of a device without one): trips, stops and engine sessions that began in the window, so that weeks add up to
 * months. With `zeros` also those without any.
 */
export const summary: GeoReport = {
  columns: [
    text('device', 'Device'),
    id('subjectId', 'Id'),
    boolean('isAsset', 'Asset'),
    summed(number('trips', 'Trips')),
    summed(number('km', 'Distance', 'km')),
    summed(number('gapKm', 'Without data', 'km')),
    summed(duration('moving', 'Moving')),
    summed(duration('idle', 'Idle')),
    summed(duration('engine', 'Engine on')),
    number('averageSpeed', 'Average speed', 'km/h'),
    number('maxSpeed', 'Top speed', 'km/h'),
    summed(number('fuelUsed', 'Fuel', 'l')),
    summed(number('stops', 'Stops')),
    summed(duration('stopped', 'Stopped')),
    number('days', 'Days driven'),
    date('firstDay', 'First day'),
    date('lastDay', 'Last day'),
  ],
  rows: (ctx, asked) =>
    ctx.sql.stream(sql`
    with trip as (
      select coalesce(t."assetId", t."deviceId") as "subject", t."assetId" is not null as "isAsset", array_agg(distinct t."deviceId") as "devices", count(*)::int as "trips",
        sum(t."metres") as "metres", sum(t."gapMetres") as "gapMetres", sum(t."movingSeconds")::int as "moving", sum(t."idleSeconds")::int as "idle", max(t."maxSpeed") as "maxSpeed",
        sum(t."fuelUsed") as "fuelUsed", array_agg(distinct (t."startTime" at time zone ${asked.timeZone})::date) as "days"
      from geo.trip t where ${ofSubjects(asked)} and ${beganIn(asked)} group by 1, 2
    ),
    session as (
      select coalesce(t."assetId", t."deviceId") as "subject", t."assetId" is not null as "isAsset", array_agg(distinct t."deviceId") as "devices", sum(t."seconds")::int as "seconds"
      from geo.engine_session t where ${ofSubjects(asked)} and ${beganIn(asked)} group by 1, 2
    ),
    stay as (
      select coalesce(t."assetId", t."deviceId") as "subject", t."assetId" is not null as "isAsset", array_agg(distinct t."deviceId") as "devices", count(*)::int as "stops",
        sum(round(extract(epoch from coalesce(t."endTime", least(now(), ${asked.until}::timestamptz)) - t."startTime")))::int as "seconds"
      from geo.stop t where ${ofSubjects(asked)} and ${beganIn(asked)} group by 1, 2
    ),
    idle as (
      select coalesce(a."assetId", d."id") as "subject", a."assetId" is not null as "isAsset", array_agg(d."id") as "devices"
      from geo.device d left join geo.device_asset a on a."companyId" = d."companyId" and a."deviceId" = d."id" and a."since" < ${asked.until} and (a."until" is null or a."until" > ${asked.from})
      where ${asked.zeros} and d."companyId" = ${asked.company} and d."deletedAt" is null ${asked.deviceIds === undefined ? empty : sql`and d."id" = any(${asked.deviceIds}::uuid[])`}
        and ${onAssets(asked, sql`a."assetId"`)} group by 1, 2
    ),
    subject as (
      select s."subject", bool_or(s."isAsset") as "isAsset", (select string_agg(d."name", ', ' order by d."name") from geo.device d where d."companyId" = ${asked.company} and d."id" = any(array_agg(distinct s."device"))) as "device"
      from (
        select "subject", "isAsset", unnest("devices") as "device" from trip union select "subject", "isAsset", unnest("devices") from session
        union select "subject", "isAsset", unnest("devices") from stay union select "subject", "isAsset", unnest("devices") from idle
      ) s group by 1
    )
    select s."device", s."subject" as "subjectId", s."isAsset", coalesce(t."trips", 0) as "trips", round((coalesce(t."metres", 0) / 1000)::numeric, 3)::float8 as "km",
      round((coalesce(t."gapMetres", 0) / 1000)::numeric, 3)::float8 as "gapKm", coalesce(t."moving", 0) as "moving", coalesce(t."idle", 0) as "idle", coalesce(e."seconds", 0) as "engine",
      round((t."metres" * 3.6 / nullif(t."moving", 0))::numeric, 1)::float8 as "averageSpeed", round(t."maxSpeed"::numeric, 1)::float8 as "maxSpeed", round(t."fuelUsed"::numeric, 2)::float8 as "fuelUsed",
      coalesce(p."stops", 0) as "stops", coalesce(p."seconds", 0) as "stopped", coalesce(cardinality(t."days"), 0) as "days", t."days"[1] as "firstDay", t."days"[cardinality(t."days")] as "lastDay"
    from subject s left join trip t on t."subject" = s."subject" left join session e on e."subject" = s."subject" left join stay p on p."subject" = s."subject"
    where ${asked.zeros} or t."trips" > 0
    order by s."device", s."subject"`),
}
