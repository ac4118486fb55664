import { sql } from '@outpost/platform/db/sql'
import { beganIn, devicesOf, ofSubjects, onAssets } from './parameters.ts'
import { asset, date, duration, id, number, percent, summed, text, type GeoReport } from './report.ts'

/**
 * How much each vehicle was used, those that stood all along too, the least used first. A day counts as used when a trip began on
 * it; idle share: of the time under way, how long it stood with the engine on.
 */
export const utilisation: GeoReport = {
  columns: [
    text('device', 'Devices'),
    id('deviceId', 'Device id'),
    asset('assetId', 'Vehicle'),
    number('days', 'Days'),
    summed(number('daysUsed', 'Days used')),
    percent('used', 'Used'),
    date('lastUsed', 'Last used'),
    summed(number('trips', 'Trips')),
    summed(number('km', 'Distance', 'km')),
    number('kmPerDay', 'A day used', 'km'),
    summed(duration('moving', 'Moving')),
    summed(duration('idle', 'Idle')),
    percent('idleShare', 'Idle share'),
    summed(duration('engine', 'Engine on')),
  ],
  async *rows(ctx, asked) {
    const ids = (await devicesOf(ctx, asked)).map((device) => device.id)
    const days = Math.round((Date.parse(asked.lastDay) - Date.parse(asked.firstDay)) / 86_400_000) + 1
    yield* ctx.sql.stream(sql`
    with subject as (
      select a."assetId", case when a."assetId" is null then d."id" end as "deviceId", array_agg(distinct d."name" order by d."name") as "names"
      from geo.device d left join geo.device_asset a on a."companyId" = d."companyId" and a."deviceId" = d."id" and a."since" < ${asked.until} and (a."until" is null or a."until" > ${asked.from})
      where d."companyId" = ${asked.company} and d."id" = any(${ids}::uuid[]) and ${onAssets(asked, sql`a."assetId"`)} group by 1, 2
    ), trip as (
      select t."assetId", case when t."assetId" is null then t."deviceId" end as "deviceId", count(*)::int as "trips", sum(t."metres") as "metres", sum(t."movingSeconds")::int as "moving",
        sum(t."idleSeconds")::int as "idle", count(distinct (t."startTime" at time zone ${asked.timeZone})::date)::int as "days", max((t."startTime" at time zone ${asked.timeZone})::date) as "last"
      from geo.trip t where ${ofSubjects(asked)} and ${beganIn(asked)} group by 1, 2
    ), session as (
      select t."assetId", case when t."assetId" is null then t."deviceId" end as "deviceId", sum(t."seconds")::int as "seconds"
      from geo.engine_session t where ${ofSubjects(asked)} and ${beganIn(asked)} group by 1, 2
    )
    select array_to_string(s."names", ', ') as "device", s."deviceId", s."assetId", ${days}::int as "days", coalesce(t."days", 0) as "daysUsed", round(coalesce(t."days", 0)::numeric / ${days}::int, 3)::float8 as "used",
      t."last" as "lastUsed", coalesce(t."trips", 0) as "trips", round((coalesce(t."metres", 0) / 1000)::numeric, 3)::float8 as "km", round((t."metres" / 1000 / nullif(t."days", 0))::numeric, 1)::float8 as "kmPerDay",
      coalesce(t."moving", 0) as "moving", coalesce(t."idle", 0) as "idle", round(t."idle"::numeric / nullif(t."moving" + t."idle", 0), 3)::float8 as "idleShare", coalesce(e."seconds", 0) as "engine"
    from subject s left join trip t on t."assetId" is not distinct from s."assetId" and t."deviceId" is not distinct from s."deviceId"
      left join session e on e."assetId" is not distinct from s."assetId" and e."deviceId" is not distinct from s."deviceId"
    order by "used", "km", "device"`)
  },
}
