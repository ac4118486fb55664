import { empty, join, named, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Range, Replacement } from './rebuild.ts'
import type { MotionRows, Stop, Trip } from './rows.ts'

/** A device of a company; every statement runs in that company's context. */
export interface Tracked { companyId: string, deviceId: string }

/** Milliseconds as Postgres has them; both infinities are moments there too. */
const moment = (ms: number) => sql`to_timestamp(${ms}::float8 / 1000)`

/**
 * Messages of a device in a range, both ends included, as one document of arrays (see pointOf): a month of them is read
 * in half the time that rows take. What devices put into attributes may be of any type.
 */
export function selectPoints({ companyId, deviceId }: Tracked, { from, to }: Range): Statement {
  return named('motion points', sql`
    select coalesce(json_agg(json_build_array((extract(epoch from "fixTime") * 1000)::float8, "latitude", "longitude", "isValid", "speed", "accuracy", "attributes" -> 'sat', "attributes" -> 'hdop',
      "attributes" -> 'ignition', "attributes" -> 'motion', "attributes" -> 'power', "attributes" -> 'odometer', "attributes" -> 'fuelUsed', "attributes" -> 'fuel', "attributes" -> 'fuelLevel')
      order by "fixTime"), '[]') as "points"
    from geo.position where "companyId" = ${companyId} and "deviceId" = ${deviceId} and "fixTime" between ${moment(from)} and ${moment(to)}`)
}

/** Fix time of the newest message, from the row that is written with every batch: asking all the weeks for it takes longer than reading on. */
export const selectNewest = ({ companyId, deviceId }: Tracked): Statement => named('motion newest', sql`
  select (extract(epoch from greatest("fixTime", "stateTime")) * 1000)::float8 as "time" from geo.latest where "companyId" = ${companyId} and "deviceId" = ${deviceId}`)

/** The rows that stand before a moment: see Before. */
export function selectBefore({ companyId, deviceId }: Tracked, time: number): Statement {
  const own = sql`"companyId" = ${companyId} and "deviceId" = ${deviceId}`
  const span = (table: string, kind: Statement = empty) => sql`(select json_build_object('startTime', (extract(epoch from "startTime") * 1000)::float8,
    'endTime', (extract(epoch from coalesce("endTime", 'infinity')) * 1000)::float8, 'isOpen', "endTime" is null)
    from ${trusted(table)} where ${own} ${kind} and "startTime" < ${moment(time)} order by "startTime" desc limit 1)`
  return named('motion before', sql`select
    (select "explain" from geo.stop where ${own} and "startTime" < ${moment(time)} and coalesce(("explain" ->> 'goneBy')::float8, ("explain" #>> '{end,time}')::float8) < ${time}::float8
      order by "startTime" desc limit 1) as "stop",
    ${span('geo.engine_session')} as "sessions", ${span('geo.episode', sql`and "kind" = 'idle'`)} as "idles", ${span('geo.episode', sql`and "kind" = 'overspeed'`)} as "overspeeds"`)
}

/** Stops whose last fix lies in the range. */
export const selectStops = ({ companyId, deviceId }: Tracked, { from, to }: Range): Statement => named('motion stops', sql`
  select "explain" as "stop" from geo.stop where "companyId" = ${companyId} and "deviceId" = ${deviceId}
    and "startTime" <= ${moment(to)} and ("explain" #>> '{end,time}')::float8 between ${from}::float8 and ${to}::float8 order by "startTime"`)

/** Takes out what a replacement replaces. */
export function deleteReplaced({ companyId, deviceId }: Tracked, { ranges }: Replacement): Statement[] {
  const own = sql`"companyId" = ${companyId} and "deviceId" = ${deviceId}`
  const within = ({ from, to }: Range) => sql`${own} and "startTime" >= ${moment(from)} and "startTime" < ${moment(to)}`
  return [
    sql`delete from geo.trip where ${within(ranges.trips)}`, sql`delete from geo.stop where ${within(ranges.stops)}`,
    sql`delete from geo.engine_session where ${within(ranges.sessions)}`,
    sql`delete from geo.episode where ("kind" = 'gap' and ${within(ranges.gaps)}) or ("kind" = 'idle' and ${within(ranges.idles)}) or ("kind" = 'overspeed' and ${within(ranges.overspeeds)})`,
  ]
}

/** The asset that carried the device at a row's start, by the history of both. */
const assetAt = (tracked: Tracked) => sql`(select a."assetId" from geo.device_asset a where a."companyId" = ${tracked.companyId} and a."deviceId" = ${tracked.deviceId}
  and a."since" <= r."startTime" and (a."until" is null or a."until" > r."startTime"))`

/** Puts in what a replacement brings; each table's rows go as one document. */
export function insertRows(tracked: Tracked, rows: MotionRows): Statement[] {
  const insert = (table: string, columns: string, list: readonly object[], more?: { names: string, values: Statement }): Statement[] => {
    if (list.length === 0) return []
    const names = columns.split(' ').map(column => column.split(':') as [string, string])
    const picked = join(names.map(([name]) => trusted(`r."${name}"`)))
    const typed = join(names.map(([name, type]) => trusted(`"${name}" ${type}`)))
    const into = trusted(`${table} ("companyId", "deviceId", ${names.map(([name]) => `"${name}"`).join(', ')}${more ? `, ${more.names}` : ''})`)
    return [sql`insert into ${into} select ${tracked.companyId}::uuid, ${tracked.deviceId}::uuid, ${picked} ${more ? sql`, ${more.values}` : empty}
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) r(${typed})`]
  }
  const asset = { names: '"assetId"', values: assetAt(tracked) }
  return [
    ...insert('geo.trip', tripColumns, rows.trips.map(tripRow), asset), ...insert('geo.stop', stopColumns, rows.stops.map(stopRow), asset),
    ...insert('geo.engine_session', sessionColumns, rows.sessions.map(row => ({ ...timesOf(row), source: row.source, metres: row.metres, ...seconds({ seconds: row.endTime - row.startTime, movingSeconds: row.movingMs, idleSeconds: row.idleMs }) })), asset),
    ...insert('geo.episode', episodeColumns, episodesOf(rows)),
  ]
}

const tripColumns = 'startTime:timestamptz endTime:timestamptz startLatitude:float8 startLongitude:float8 endLatitude:float8 endLongitude:float8 metres:float8 gapMetres:float8 movingSeconds:int idleSeconds:int averageSpeed:real maxSpeed:real startOdometer:float8 endOdometer:float8 fuelUsed:real points:int quality:real startReason:text endReason:text explain:jsonb path:text'
const stopColumns = 'startTime:timestamptz endTime:timestamptz kind:text latitude:float8 longitude:float8 ignitionSeconds:int points:int explain:jsonb'
const sessionColumns = 'startTime:timestamptz endTime:timestamptz source:text seconds:int movingSeconds:int idleSeconds:int metres:float8'
const episodeColumns = 'kind:text startTime:timestamptz endTime:timestamptz latitude:float8 longitude:float8 maxSpeed:real speedLimit:real metres:float8 attributes:jsonb'

const iso = (ms: number) => new Date(ms).toISOString()
const timesOf = ({ startTime, endTime, isOpen }: { startTime: number, endTime: number, isOpen: boolean }) => ({ startTime: iso(startTime), endTime: isOpen ? null : iso(endTime) })
const seconds = <Key extends string>(values: Record<Key, number>) =>
  Object.fromEntries(Object.entries<number>(values).map(([key, value]) => [key, Math.round(value / 1_000)])) as Record<Key, number>

function tripRow({ path, ...trip }: Trip): object {
  const { start, end } = trip
  return {
    ...trip, ...timesOf({ ...trip, endTime: end.time }), ...seconds({ movingSeconds: trip.movingMs, idleSeconds: trip.idleMs }), path, explain: trip,
    startLatitude: start.latitude, startLongitude: start.longitude, endLatitude: end.latitude, endLongitude: end.longitude,
  }
}

/** `explain` is the whole stop: a rebuild reads on from it. */
const stopRow = (stop: Stop): object => ({ ...stop, ...timesOf({ ...stop, endTime: stop.goneBy ?? stop.end.time }), ...seconds({ ignitionSeconds: stop.ignitionMs }), explain: stop })

function episodesOf({ gaps, idles, overspeeds }: MotionRows): object[] {
  return [
    ...gaps.map(row => ({ kind: 'gap', startTime: iso(row.startTime), endTime: iso(row.to.time), latitude: row.from.latitude, longitude: row.from.longitude, metres: row.metres, attributes: row })),
    ...idles.map(row => ({ ...row, ...timesOf(row), kind: 'idle', attributes: row })),
    ...overspeeds.map(row => ({ ...row, ...timesOf(row), kind: 'overspeed', speedLimit: row.limit, attributes: row })),
  ]
}
