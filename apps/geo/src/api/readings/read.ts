import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { partOf } from '../../motion/days.ts'
import { odometerOf, type Counted, type Odometer } from '../../motion/odometer.ts'
import { moment, readPoints } from '../../processing/points.ts'
import { settingsOf, type DeviceRef } from '../../processing/subject.ts'

/** Metres. `since` is when it was set by hand (ISO 8601); null means never, and the reading covers the recorded trips. */
export type OdometerReading = Odometer & { since: string | null }
export interface EngineReading {
  hours: number
  since: string | null
}

interface Bases {
  odometerBase: number | null
  odometerSince: Date | null
  odometerCounter: number | null
  engineBase: number | null
  engineSince: Date | null
  attributes: Record<string, unknown>
}
interface TripRow extends Counted {
  endTime: number | null
  startLatitude: number
  startLongitude: number
}

const basesOf = (db: Sql, { companyId, deviceId }: DeviceRef) =>
  db.one<Bases>(sql`
  select "odometerBase", "odometerSince", "odometerCounter", "engineBase", "engineSince", "attributes" from geo.device where "companyId" = ${companyId} and "id" = ${deviceId}`)

/** Reads the odometer: the base that was set plus the distance since, from the stored rows, so that late messages count. */
export async function readOdometer(db: Sql, device: DeviceRef): Promise<OdometerReading> {
  const { odometerBase, odometerSince, odometerCounter, attributes } = await basesOf(db, device)
  const time = odometerSince?.getTime() ?? -Infinity
  const own = sql`"companyId" = ${device.companyId} and "deviceId" = ${device.deviceId}`
  const epoch = (name: 'startTime' | 'endTime') =>
    sql`(extract(epoch from ${name === 'startTime' ? sql`"startTime"` : sql`"endTime"`}) * 1000)::float8`
  const trips = await db.query<TripRow>(sql`
    select ${epoch('startTime')} as "startTime", ${epoch('endTime')} as "endTime", "metres", "gapMetres", "startOdometer", "endOdometer", "startLatitude", "startLongitude" from geo.trip
    where ${own} and "startTime" >= coalesce((select max("startTime") from geo.trip where ${own} and "startTime" < ${moment(time)}::timestamptz), '-infinity') order by "startTime"`)
  const { moved } = await db.one<{ moved: number }>(
    sql`select coalesce(sum(("memory" ->> 'metres')::float8), 0) as "moved" from geo.stop where ${own} and "startTime" >= ${moment(time)}::timestamptz`,
  )
  const underWay = trips.find((trip) => trip.startTime < time && (trip.endTime ?? Infinity) > time)
  const base = { metres: odometerBase ?? 0, time, device: odometerCounter }
  const reading = odometerOf(
    base,
    { trips, stops: [{ startTime: time, metres: moved }] },
    underWay ? await metresAfter(db, { device, trip: underWay, time, attributes }) : 0,
  )
  return { ...reading, metres: Math.round(reading.metres), since: odometerSince?.toISOString() ?? null }
}

interface UnderWay {
  device: DeviceRef
  trip: TripRow
  time: number
  attributes: Record<string, unknown>
}

/** Metres of a trip after a given time, by its messages. */
async function metresAfter(
  db: Sql,
  { device, trip: { startTime, endTime, startLatitude, startLongitude }, time, attributes }: UnderWay,
): Promise<number> {
  const end = endTime ?? Infinity
  const start = { time: startTime, latitude: startLatitude, longitude: startLongitude, ignition: null }
  const points = await readPoints(db, device, { from: startTime, to: end })
  return partOf({ startTime, start, end: { time: end }, maxSpeed: null }, points, {
    from: time + 1,
    to: Infinity,
    settings: settingsOf(attributes),
  }).metres
}

/** Reads the engine hours: the base that was set plus the engine sessions since. */
export async function readEngineHours(db: Sql, device: DeviceRef): Promise<EngineReading> {
  const { engineBase, engineSince } = await basesOf(db, device)
  const since = moment(engineSince?.getTime() ?? -Infinity)
  const { seconds } = await db.one<{ seconds: number }>(sql`
    select coalesce(sum(case when "startTime" >= ${since}::timestamptz then "seconds" else "seconds" - extract(epoch from ${since}::timestamptz - "startTime") end), 0)::float8 as "seconds" from geo.engine_session
    where "companyId" = ${device.companyId} and "deviceId" = ${device.deviceId} and "startTime" + make_interval(secs => "seconds") > ${since}::timestamptz`)
  return { hours: Math.round(((engineBase ?? 0) + seconds) / 36) / 100, since: engineSince?.toISOString() ?? null }
}
