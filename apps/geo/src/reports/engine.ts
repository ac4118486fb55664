import { empty, sql } from '@outpost/platform/db/sql'
import { beganIn, ofSubjects } from './parameters.ts'
import { dateTime, duration, number, subject, summed, text, type GeoReport } from './report.ts'

/** Engine sessions that began in the window; the counter continues from the device's first known session. */
export const engine: GeoReport = {
  columns: [
    ...subject,
    dateTime('startTime', 'On'),
    dateTime('endTime', 'Off'),
    summed(duration('duration', 'Duration')),
    summed(duration('moving', 'Moving')),
    summed(duration('idle', 'Idle')),
    summed(number('km', 'Distance', 'km')),
    duration('startCounter', 'Counter at start'),
    duration('endCounter', 'Counter at end'),
    text('source', 'Known by'),
  ],
  rows: (ctx, asked) =>
    ctx.sql.stream(sql`
    with session as (select * from geo.engine_session t where ${ofSubjects(asked)} and ${beganIn(asked)}),
    before as (
      select b."deviceId", sum(b."seconds")::int as "seconds" from geo.engine_session b
      where b."companyId" = ${asked.company} and b."deviceId" in (select s."deviceId" from session s) and b."startTime" < ${asked.from} group by 1
    ),
    counted as (select s.*, coalesce(b."seconds", 0) + sum(s."seconds") over (partition by s."deviceId" order by s."startTime") as "counter" from session s left join before b on b."deviceId" = s."deviceId")
    select d."name" as "device", t."deviceId", t."assetId", t."startTime", t."endTime", t."seconds" as "duration", t."movingSeconds" as "moving", t."idleSeconds" as "idle",
      round((t."metres" / 1000)::numeric, 3)::float8 as "km", (t."counter" - t."seconds")::int as "startCounter", t."counter"::int as "endCounter", t."source"
    from counted t join geo.device d on d."companyId" = t."companyId" and d."id" = t."deviceId" ${asked.zeros ? empty : sql`where t."seconds" > 0`}
    order by t."startTime", t."deviceId"`),
}
