import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { GeoCtx } from '../../api/types.ts'
import { assetAt, devicesOf, onAssets, type ReportParameters, type Device } from '../parameters.ts'
import { crashDrop, crashWithin, impactOf, mergeSuspicions, type Suspicion, type TracePoint } from './impact.ts'
import { coordinates, dateTime, id, json, number, subject, text, user, type GeoReport, type Row } from '../report.ts'
import { attributeText } from '../attribute-text.ts'

/** Crashes that a device reported, and falls of speed after which it was stationary (a guess), with the minute before and after. */
export const crash: GeoReport = {
  columns: [
    ...subject,
    dateTime('time', 'Time'),
    text('confidence', 'Confidence'),
    text('status', 'Status'),
    text('place', 'Place'),
    number('speedBefore', 'Speed before', 'km/h'),
    number('speedDrop', 'Fell by', 'km/h'),
    number('g', 'Shock', 'g'),
    user('reviewedBy', 'Reviewed by'),
    dateTime('reviewedAt', 'Reviewed at'),
    text('note', 'Note'),
    ...coordinates(),
    json('trace', 'Minute before and after'),
    id('eventId', 'Event id'),
  ],
  places: { place: ['latitude', 'longitude'] },
  async *rows(ctx, asked) {
    for (const device of await devicesOf(ctx, asked)) {
      for (const found of mergeSuspicions(await suspicionsOf(ctx, asked, device)))
        yield rowOf(device, found, await traceOf(ctx, device, found.time))
    }
  },
}

type Found = Suspicion & Row

const rowOf = ({ id: deviceId, name }: Device, { time, ...found }: Found, trace: readonly TracePoint[]): Row => {
  const at = trace.find((point) => point.time >= time && point.latitude !== null) ?? trace.findLast(({ latitude }) => latitude !== null)
  return {
    device: name,
    deviceId,
    ...found,
    time: new Date(time),
    confidence: found.eventId === null ? 'low' : 'high',
    latitude: at?.latitude ?? found.latitude,
    longitude: at?.longitude ?? found.longitude,
    ...impactOf(trace),
    trace: trace.map((point) => ({ ...point, time: new Date(point.time) })),
  }
}

function suspicionsOf({ sql: reader }: GeoCtx, asked: ReportParameters, { id: deviceId }: Device): Promise<Found[]> {
  const own = sql`t."companyId" = ${asked.company} and t."deviceId" = ${deviceId}`
  return reader.query<Found>(sql`
    select * from (
      select (extract(epoch from t."eventTime") * 1000)::float8 as "time", t."id" as "eventId", ${assetAt(sql`t."eventTime"`)} as "assetId", t."latitude", t."longitude",
        coalesce(r."status", t."status", 'NEW') as "status", coalesce(r."reviewedBy", t."acknowledgedBy") as "reviewedBy", coalesce(r."reviewedAt", t."acknowledgedAt") as "reviewedAt", coalesce(r."note", t."note") as "note"
      from geo.event t ${reviewAt(sql`t."eventTime"`)} where ${own} and t."eventTime" >= ${asked.from} and t."eventTime" < ${asked.until} and t."type" = 'alarm' and t."key" = 'accident' and not t."isSuperseded"
      union all
      select (extract(epoch from t."fixTime") * 1000)::float8, null, ${assetAt(sql`t."fixTime"`)}, t."latitude", t."longitude", coalesce(r."status", 'NEW'), r."reviewedBy", r."reviewedAt", r."note"
      from (
        select p."companyId", p."deviceId", p."fixTime", p."latitude", p."longitude", p."speed", lag(p."speed") over walk as "speedBefore", lag(p."fixTime") over walk as "timeBefore"
        from geo.position p where p."companyId" = ${asked.company} and p."deviceId" = ${deviceId} and p."fixTime" >= ${asked.from} and p."fixTime" < ${asked.until} and p."isValid" and p."speed" is not null
        window walk as (order by p."fixTime")
      ) t ${reviewAt(sql`t."fixTime"`)}
      where t."speedBefore" - t."speed" > ${crashDrop} and t."fixTime" - t."timeBefore" <= ${crashWithin}::int * interval '1 millisecond'
        and exists (select from geo.stop s where s."companyId" = t."companyId" and s."deviceId" = t."deviceId" and s."startTime" between t."fixTime" - interval '1 minute' and t."fixTime" + interval '5 minutes')
    ) f where ${onAssets(asked, sql`f."assetId"`)} order by f."time"`)
}

/** Signals of one crash come seconds apart, and which of them leads may change with a late message: the nearest review counts. */
const reviewAt = (time: Statement): Statement => sql`left join lateral (
  select c."status", c."reviewedBy", c."reviewedAt", c."note" from geo.crash_review c where c."companyId" = t."companyId" and c."deviceId" = t."deviceId"
    and c."time" between ${time} - interval '1 minute' and ${time} + interval '1 minute' order by abs(extract(epoch from c."time" - ${time})) limit 1) r on true`

/** Axes are in thousandths of g, as trackers send them; the result excludes gravity. */
function traceOf({ sql: reader, caller }: GeoCtx, { id: deviceId }: Device, time: number): Promise<TracePoint[]> {
  const minute = 60_000
  return reader.query<TracePoint>(sql`
    select (extract(epoch from p."fixTime") * 1000)::float8 as "time", p."latitude", p."longitude", round(p."speed"::numeric, 1)::float8 as "speed",
      round((sqrt(${attributeText('axisX')} ^ 2 + ${attributeText('axisY')} ^ 2 + ${attributeText('axisZ')} ^ 2) / 1000)::numeric, 2)::float8 as "g"
    from geo.position p where p."companyId" = ${caller.company} and p."deviceId" = ${deviceId} and p."fixTime" between ${new Date(time - minute)} and ${new Date(time + minute)} order by p."fixTime" limit 500`)
}
