import { sql } from '@outpost/platform/db/sql'
import { assetAt, beganIn, ofSubjects, ofSubjectsAt } from './parameters.ts'
import { date, number, subject, summed, type GeoReport } from './report.ts'

/**
 * Fuel by vehicle and day, only where a tracker measured it: litres of the trips that began on the day, litres on 100 km of the same
 * trips, and how often the tank was filled or fell at once.
 */
export const fuel: GeoReport = {
  columns: [
    ...subject,
    date('day', 'Day'),
    summed(number('trips', 'Trips measured')),
    summed(number('km', 'Distance', 'km')),
    summed(number('litres', 'Fuel', 'l')),
    number('per100', 'On 100 km', 'l'),
    summed(number('fills', 'Filled')),
    summed(number('drops', 'Fell at once')),
  ],
  rows: (ctx, asked) =>
    ctx.sql.stream(sql`
    with told as (
      select t."deviceId", t."assetId", (t."startTime" at time zone ${asked.timeZone})::date as "day", 1 as "trips", t."metres", t."fuelUsed" as "litres", 0 as "fills", 0 as "drops"
      from geo.trip t where ${ofSubjects(asked)} and ${beganIn(asked)} and t."fuelUsed" is not null
      union all
      select t."deviceId", ${assetAt(sql`t."eventTime"`)}, (t."eventTime" at time zone ${asked.timeZone})::date, 0, 0, 0, (t."type" = 'deviceFuelIncrease')::int, (t."type" = 'deviceFuelDrop')::int
      from geo.event t where ${ofSubjectsAt(asked, sql`t."eventTime"`)} and ${beganIn(asked, 'eventTime')} and not t."isSuperseded" and t."type" in ('deviceFuelIncrease', 'deviceFuelDrop')
    )
    select d."name" as "device", t."deviceId", t."assetId", t."day", sum(t."trips")::int as "trips", round((sum(t."metres") / 1000)::numeric, 3)::float8 as "km", round(sum(t."litres")::numeric, 2)::float8 as "litres",
      round((sum(t."litres") / nullif(sum(t."metres"), 0) * 100000)::numeric, 2)::float8 as "per100", sum(t."fills")::int as "fills", sum(t."drops")::int as "drops"
    from told t join geo.device d on d."companyId" = ${asked.company} and d."id" = t."deviceId"
    group by d."name", t."deviceId", t."assetId", t."day" order by t."day", d."name", t."deviceId"`),
}
