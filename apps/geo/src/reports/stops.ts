import { empty, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { positionId } from '../api/positions/fields.ts'
import { visitsOf, type Stay } from './hotspots.ts'
import { beganIn, ofSubjects, overlapping } from './parameters.ts'
import { coordinates, dateTime, duration, id, number, subject, summed, text, type GeoReport } from './report.ts'
import { labelOf } from './attribute-text.ts'

/** Id of the first trip of alias t's device that satisfies a condition, in the given order. */
const neighbour = (
  condition: Statement,
  order: Statement,
): Statement => sql`(select ${positionId(sql`n."deviceId"`, sql`n."startTime"`)} from geo.trip n
  where n."companyId" = t."companyId" and n."deviceId" = t."deviceId" and ${condition} order by n."startTime" ${order} limit 1)`

const isOneOf = (stays: readonly Stay[]): Statement => sql`(t."deviceId", t."startTime") in
  (select * from unnest(${stays.map(({ deviceId }) => deviceId)}::uuid[], ${stays.map(({ began }) => began.toISOString())}::timestamptz[]))`

/** Stops that overlap the window, in full: where a device was stationary all week, even if it arrived before. */
export const stops: GeoReport = {
  columns: [
    ...subject,
    text('place', 'Place'),
    dateTime('startTime', 'Start'),
    dateTime('endTime', 'End'),
    summed(duration('duration', 'Duration')),
    text('kind', 'Kind'),
    summed(duration('ignition', 'Engine on')),
    number('points', 'Messages'),
    text('words', 'How it was told'),
    id('previousTripId', 'Trip before'),
    id('nextTripId', 'Trip after'),
    ...coordinates(),
  ],
  places: { place: ['latitude', 'longitude'] },
  async *rows(ctx, asked) {
    const visits = asked.near === undefined ? undefined : await visitsOf(ctx, asked, asked.near)
    yield* ctx.sql.stream(sql`
    select d."name" as "device", t."deviceId", t."assetId", t."startTime", t."endTime",
      round(extract(epoch from coalesce(t."endTime", greatest(t."lastTime", least(now(), ${asked.until}::timestamptz))) - t."startTime"))::int as "duration",
      t."kind", t."ignitionSeconds" as "ignition", t."points", ${labelOf} as "words",
      ${neighbour(sql`n."startTime" < t."startTime"`, sql`desc`)} as "previousTripId", ${neighbour(sql`n."startTime" >= t."startTime"`, empty)} as "nextTripId", t."latitude", t."longitude"
    from geo.stop t join geo.device d on d."companyId" = t."companyId" and d."id" = t."deviceId"
    where ${ofSubjects(asked)} and ${overlapping(asked)} ${asked.zeros ? empty : sql`and (t."endTime" is null or t."endTime" > t."startTime")`}
      ${asked.isBegun ? sql`and ${beganIn(asked)}` : empty} ${visits === undefined ? empty : sql`and ${isOneOf(visits)}`}
    order by t."startTime", t."deviceId"`)
  },
}
