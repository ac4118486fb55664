import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { attributeOf } from '../positions/attributes.ts'
import { devicesOf, onAssets, type ReportParameters, type Device } from './parameters.ts'
import { date, dateTime, number, subject, text, type GeoReport } from './report.ts'
import { attributeText } from './attribute-text.ts'

/**
 * The power supply of each device by day: the vehicle's battery (main) and the device's own (backup) in volts, and its charge in
 * percent. The slope of the main battery is measured with the engine off, because the alternator hides it.
 */
export const battery: GeoReport = {
  columns: [
    ...subject,
    date('day', 'Day'),
    text('series', 'Battery'),
    text('unit', 'Unit'),
    number('messages', 'Messages'),
    number('first', 'First'),
    number('last', 'Last'),
    number('lowest', 'Lowest'),
    number('highest', 'Highest'),
    number('slope', 'Change a day'),
    number('crossings', 'Fell below low'),
    number('low', 'Low is'),
    number('daysLeft', 'Days left'),
    dateTime('lastFull', 'Last full'),
  ],
  async *rows(ctx, asked) {
    for (const device of await devicesOf(ctx, asked)) yield* ctx.sql.stream(daysOf(device, asked))
  },
}

/** Volts of a 12 V battery when full, low and empty; a vehicle of 24 V or more has several in series. Backup cells are lithium. */
const levels = sql`(values ('main', 'V', 12.6, 11.9, 11.5), ('backup', 'V', 4.1, 3.6, 3.4), ('level', '%', 98, 20, 0)) as k("series", "unit", "full", "low", "empty")`
/** When a day's values fit a line worse than this (r squared), they are noise and give no forecast. */
const likeness = 0.3
/** A longer forecast is not given. */
const maxForecastDays = 365

/** A vehicle's battery shows its own voltage only with the engine off. */
const atRest = sql`filter (where "series" <> 'main' or "isOn" is not true)`

const daysOf = ({ id, name }: Device, asked: ReportParameters): Statement => sql`
  with told as (
    select p."deviceId", p."fixTime", ${attributeOf('ignition')} = 'true' as "isOn", s."series", s."value"::float8 as "value", (p."fixTime" at time zone ${asked.timeZone})::date as "day", a."assetId"
    from geo.position p cross join lateral (values ('main', ${attributeText('power')}), ('backup', ${attributeText('battery')}), ('level', ${attributeText('batteryLevel')})) s("series", "value")
      left join geo.device_asset a on a."companyId" = p."companyId" and a."deviceId" = p."deviceId" and a."since" <= p."fixTime" and (a."until" is null or a."until" > p."fixTime")
    where p."companyId" = ${asked.company} and p."deviceId" = ${id} and p."fixTime" >= ${asked.from} and p."fixTime" < ${asked.until} and s."value" is not null and ${onAssets(asked, sql`a."assetId"`)}
  ), walk as (
    select t.*, lag(t."value") over (partition by t."series" order by t."fixTime") as "before", k."unit",
      k."full" * r."row" as "full", k."low" * r."row" as "low", k."empty" * r."row" as "empty"
    from told t join ${levels} on k."series" = t."series"
      cross join lateral (select case t."series" when 'main' then greatest(1, round((select max(m."value") from told m where m."series" = 'main') / 13.5)) else 1 end as "row") r
  ), day as (
    select "deviceId", (array_agg("assetId" order by "fixTime" desc))[1] as "assetId", "day", "series", min("unit") as "unit", count(*)::int as "messages", (array_agg("value" order by "fixTime"))[1] as "first",
      (array_agg("value" order by "fixTime" desc))[1] as "last", min("value") as "lowest", max("value") as "highest",
      (array_agg("value" order by "fixTime" desc) ${atRest})[1] as "rest", regr_slope("value", extract(epoch from "fixTime")::float8 / 86400) ${atRest} as "slope",
      regr_r2("value", extract(epoch from "fixTime")::float8 / 86400) ${atRest} as "likeness",
      count(*) filter (where "value" < "low" and "before" >= "low")::int as "crossings", min("low")::float8 as "low", min("empty")::float8 as "empty", max("fixTime") filter (where "value" >= "full") as "lastFull"
    from walk group by "deviceId", "day", "series"
  )
  select ${name}::text as "device", "deviceId", "assetId", "day", "series", "unit", "messages", "first", "last", "lowest", "highest", round("slope"::numeric, 3)::float8 as "slope", "crossings", "low",
    case when "slope" < 0 and "likeness" >= ${likeness} and ("rest" - "empty") / -"slope" <= ${maxForecastDays} then greatest(0, round((("rest" - "empty") / -"slope")::numeric, 1))::float8 end as "daysLeft",
    max("lastFull") over (partition by "series" order by "day") as "lastFull"
  from day order by "day", "series"`
