import { empty, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { positionEvent } from '../api/positions/history.ts'
import { attributeOf } from '../positions/attributes.ts'
import { devicesOf, onAssets, type ReportParameters, type Device } from './parameters.ts'
import { boolean, coordinates, dateTime, number, subject, text, type GeoReport } from './report.ts'
import { attributeText } from './attribute-text.ts'

/**
 * Every stored message with its event: one device after the other, each in the order of its own clock. Asked for a battery, only the
 * messages that the battery report counts.
 */
export const positions: GeoReport = {
  columns: [
    ...subject,
    dateTime('deviceTime', 'Device time'),
    dateTime('fixTime', 'Fix time'),
    dateTime('serverTime', 'Received'),
    text('event', 'Event'),
    text('Geo', 'Geo'),
    ...coordinates(),
    number('speed', 'Speed', 'km/h'),
    number('course', 'Course', '°'),
    number('altitude', 'Altitude', 'm'),
    number('accuracy', 'Accuracy', 'm'),
    boolean('isValid', 'Valid'),
    number('odometer', 'Odometer', 'km'),
    number('Satellites', 'Satellites'),
    boolean('ignition', 'Ignition'),
    text('alarm', 'Alarm'),
  ],
  places: { Geo: ['latitude', 'longitude'] },
  arePlacesNamed: false,
  async *rows(ctx, asked) {
    for (const device of await devicesOf(ctx, asked))
      yield* ctx.sql.stream(asked.supply ? supplyOf(device, asked, asked.supply) : messagesOf(device, asked))
  },
}

const ignition = attributeOf('ignition')

type Supply = NonNullable<ReportParameters['supply']>
const attributeOfSeries: Readonly<Record<Supply['series'], string>> = { main: 'power', backup: 'battery', level: 'batteryLevel' }

/** The messages that told a battery; where it fell below a value is seen by the message before, as the report of batteries does. */
const supplyOf = (device: Device, asked: ReportParameters, { series, below, since }: Supply): Statement => sql`
  select * from (
    select m.*, lag(m."value") over (order by m."fixTime") as "before"
    from (${messagesOf(device, { ...asked, from: since }, sql`, ${attributeText(attributeOfSeries[series])}::float8 as "value"`)}) m where m."value" is not null
  ) w where w."fixTime" >= ${asked.from} ${below === undefined ? empty : sql`and w."value" < ${below} and w."before" >= ${below}`}
  order by w."deviceTime", w."fixTime"`

const messagesOf = ({ id, name }: Device, asked: ReportParameters, more: Statement = empty): Statement => sql`
  select ${name}::text as "device", p."deviceId", a."assetId", coalesce(p."deviceTime", p."fixTime") as "deviceTime", p."fixTime", p."serverTime", ${positionEvent} as "event",
    to_char(abs(p."latitude"), 'FM990.00000') || case when p."latitude" < 0 then ' S, ' else ' N, ' end || to_char(abs(p."longitude"), 'FM990.00000') || case when p."longitude" < 0 then ' W' else ' E' end as "Geo", p."latitude", p."longitude", p."speed", p."course", p."altitude", p."accuracy", p."isValid",
    round((${attributeText('odometer')} / 1000)::numeric, 3)::float8 as "odometer", ${attributeText('sat')} as "Satellites",
    case when jsonb_typeof(${ignition}) = 'boolean' then ${ignition}::bool end as "ignition", p."more" ->> 'alarm' as "alarm" ${more}
  from geo.position p left join geo.device_asset a on a."companyId" = p."companyId" and a."deviceId" = p."deviceId" and a."since" <= p."fixTime" and (a."until" is null or a."until" > p."fixTime")
  where p."companyId" = ${asked.company} and p."deviceId" = ${id} and p."fixTime" >= ${asked.from} and p."fixTime" < ${asked.until} and ${onAssets(asked, sql`a."assetId"`)}
  window walk as (order by coalesce(p."deviceTime", p."fixTime"), p."fixTime") order by coalesce(p."deviceTime", p."fixTime"), p."fixTime"`
