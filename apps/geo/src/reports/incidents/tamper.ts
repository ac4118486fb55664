import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { metresBetween } from '@outpost/rules/places/distance'
import type { GeoCtx } from '../../api/types.ts'
import { assetAt, beganIn, ofSubjects, ofSubjectsAt, type ReportParameters } from '../parameters.ts'
import { incidentsOf, severityOfIncident, describeIncident, type Incident, type TamperSignal } from './incidents.ts'
import { boolean, coordinates, dateTime, duration, number, subject, text, type GeoReport, type Row } from '../report.ts'

const kinds = ['powerCut', 'powerOff', 'tampering', 'removing', 'gpsAntennaCut', 'jamming', 'bonnet', 'tow', 'unplug']
/** After one of these, silence belongs to the incident. */
const silencing = ['powerCut', 'powerOff', 'removing', 'gpsAntennaCut', 'tampering']
/** No message for this long, starting within the hour after such a signal. */
const silence = sql`interval '2 hours'`

/** Signs of tampering, grouped into incidents: power cut, then silence, then a message from somewhere else. */
export const tamper: GeoReport = {
  columns: [
    ...subject,
    dateTime('startTime', 'Start'),
    dateTime('endTime', 'End'),
    duration('duration', 'Duration'),
    boolean('isOpen', 'Goes on'),
    text('severity', 'Severity'),
    text('words', 'What happened'),
    number('signals', 'Signals'),
    text('place', 'Place'),
    text('endPlace', 'Seen again'),
    number('movedKm', 'Moved', 'km'),
    ...coordinates(),
    ...coordinates('end', 'End'),
  ],
  places: { place: ['latitude', 'longitude'], endPlace: ['endLatitude', 'endLongitude'] },
  async *rows(ctx, asked) {
    const { names, signals } = await signalsOf(ctx, asked)
    const incidents = incidentsOf(signals).toSorted((a, b) => b.start - a.start)
    for (const incident of incidents) yield { ...names.get(incident.deviceId), ...rowOf(incident, asked.now.getTime()) }
  },
}

function rowOf(incident: Incident, now: number): Row {
  const { signals, start, end } = incident
  const first = signals.find(({ latitude }) => latitude !== null)
  const last = signals.findLast(({ endLatitude }) => endLatitude !== null)
  const point = first && { latitude: first.latitude!, longitude: first.longitude! }
  const endPoint = last && { latitude: last.endLatitude!, longitude: last.endLongitude! }
  return {
    assetId: (signals[0] as TamperSignal & Row).assetId,
    startTime: new Date(start),
    endTime: end === null ? null : new Date(end),
    duration: Math.round(((end ?? now) - start) / 1_000),
    isOpen: end === null,
    severity: severityOfIncident(incident),
    words: describeIncident(incident, now),
    signals: signals.length,
    latitude: point?.latitude,
    longitude: point?.longitude,
    endLatitude: endPoint?.latitude,
    endLongitude: endPoint?.longitude,
    movedKm: point && endPoint ? Math.round(metresBetween(point, endPoint)) / 1_000 : null,
  }
}

async function signalsOf({ sql: reader }: GeoCtx, asked: ReportParameters): Promise<{ names: Map<string, Row>; signals: TamperSignal[] }> {
  const rows = await reader.query<TamperSignal & { device: string }>(statement(asked))
  return { names: new Map(rows.map(({ deviceId, device }) => [deviceId, { deviceId, device }])), signals: rows }
}

const epoch = (time: Statement) => sql`(extract(epoch from ${time}) * 1000)::float8`

/** Alarms, the silences after them, and trips driven with the ignition off all the time. */
const statement = (asked: ReportParameters): Statement => sql`
  with alarm as (
    select t."companyId", t."deviceId", ${assetAt(sql`t."eventTime"`)} as "assetId", t."key" as "kind", t."eventTime", t."latitude", t."longitude"
    from geo.event t where ${ofSubjectsAt(asked, sql`t."eventTime"`)} and ${beganIn(asked, 'eventTime')} and t."type" = 'alarm' and not t."isSuperseded" and t."key" = any(${kinds}::text[])
  ), hole as (
    select distinct on (t."deviceId", h."lost") t."deviceId", t."assetId", h.* from alarm t, lateral (
      select p."fixTime" as "lost", p."latitude", p."longitude", n."fixTime" as "back", n."latitude" as "endLatitude", n."longitude" as "endLongitude"
      from geo.position p left join lateral (
        select n."fixTime", n."latitude", n."longitude" from geo.position n where n."companyId" = p."companyId" and n."deviceId" = p."deviceId" and n."fixTime" > p."fixTime" order by n."fixTime" limit 1) n on true
      where p."companyId" = t."companyId" and p."deviceId" = t."deviceId" and p."fixTime" between t."eventTime" - interval '1 minute' and t."eventTime" + interval '1 hour'
        and coalesce(n."fixTime", now()) > p."fixTime" + ${silence}
      order by p."fixTime" limit 1) h
    where t."kind" = any(${silencing}::text[])
  ), signal as (
    select "deviceId", "assetId", "kind", ${epoch(sql`"eventTime"`)} as "start", ${epoch(sql`"eventTime"`)} as "end", "latitude", "longitude", null::float8 as "endLatitude", null::float8 as "endLongitude" from alarm
    union all
    select "deviceId", "assetId", 'silence', ${epoch(sql`"lost"`)}, ${epoch(sql`"back"`)}, "latitude", "longitude", "endLatitude", "endLongitude" from hole
    union all
    select t."deviceId", t."assetId", 'tow', ${epoch(sql`t."startTime"`)}, ${epoch(sql`t."endTime"`)}, t."startLatitude", t."startLongitude", t."endLatitude", t."endLongitude"
    from geo.trip t where ${ofSubjects(asked)} and ${beganIn(asked)} and t."explain" -> 'isTowed' = 'true'
  )
  select s.*, d."name" as "device" from signal s join geo.device d on d."companyId" = ${asked.company} and d."id" = s."deviceId"
  order by s."start", s."kind", s."deviceId"`
