import { identifier, join, sql, trusted } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { explainStop, explainTrip } from '../motion/explain.ts'
import { certainAt, type Range, type Replacement } from '../motion/rebuild.ts'
import type { EngineSession, Gap, Idle, MotionRows, Overspeed, Stop, Trip } from '../motion/rows.ts'
import { moment } from './points.ts'
import type { Subject } from './subject.ts'

type Row = Record<string, unknown> & { startTime: string }
interface Table {
  name: string
  types: Record<string, string>
  kind?: string
  hasAsset?: boolean
}

const tables = {
  trip: {
    name: 'trip',
    hasAsset: true,
    types: {
      endTime: 'timestamptz',
      startLatitude: 'float8',
      startLongitude: 'float8',
      endLatitude: 'float8',
      endLongitude: 'float8',
      metres: 'float8',
      gapMetres: 'float8',
      movingSeconds: 'int',
      idleSeconds: 'int',
      averageSpeed: 'real',
      maxSpeed: 'real',
      startOdometer: 'float8',
      endOdometer: 'float8',
      fuelUsed: 'real',
      points: 'int',
      quality: 'real',
      startReason: 'text',
      endReason: 'text',
      explain: 'jsonb',
      path: 'text',
      driverKey: 'text',
    },
  },
  stop: {
    name: 'stop',
    hasAsset: true,
    types: {
      endTime: 'timestamptz',
      kind: 'text',
      latitude: 'float8',
      longitude: 'float8',
      ignitionSeconds: 'int',
      points: 'int',
      explain: 'jsonb',
      lastTime: 'timestamptz',
      certainTime: 'timestamptz',
      memory: 'jsonb',
    },
  },
  session: {
    name: 'engine_session',
    hasAsset: true,
    types: {
      endTime: 'timestamptz',
      source: 'text',
      seconds: 'int',
      movingSeconds: 'int',
      idleSeconds: 'int',
      metres: 'float8',
      memory: 'jsonb',
    },
  },
} satisfies Record<string, Table>

const episode = (kind: string): Table => ({
  name: 'episode',
  kind,
  types: {
    endTime: 'timestamptz',
    latitude: 'float8',
    longitude: 'float8',
    maxSpeed: 'real',
    speedLimit: 'real',
    metres: 'float8',
    attributes: 'jsonb',
    memory: 'jsonb',
  },
})

/** Replaces the rows in the ranges of a replacement; unchanged rows are not touched. */
export async function writeMotion(db: Sql, subject: Subject, { ranges, rows }: Replacement): Promise<void> {
  const write = (table: Table, kind: keyof MotionRows, list: Row[]) => replaceRows(db, { subject, table, range: ranges[kind], rows: list })
  await write(
    tables.stop,
    'stops',
    rows.stops.map((stop) => stopRow(stop, subject)),
  )
  await write(
    tables.trip,
    'trips',
    rows.trips.map((trip) => tripRow(trip, subject)),
  )
  await write(tables.session, 'sessions', rows.sessions.map(sessionRow))
  await write(episode('gap'), 'gaps', rows.gaps.map(gapRow))
  await write(episode('idle'), 'idles', rows.idles.map(idleRow))
  await write(episode('overspeed'), 'overspeeds', rows.overspeeds.map(overspeedRow))
}

async function replaceRows(
  db: Sql,
  { subject: { companyId, deviceId }, table, range, rows }: { subject: Subject; table: Table; range: Range; rows: Row[] },
): Promise<void> {
  const target = identifier('geo', table.name)
  const kind = table.kind === undefined ? sql`` : sql`and t."kind" = ${table.kind}`
  await db.exec(sql`
    delete from ${target} t where t."companyId" = ${companyId} and t."deviceId" = ${deviceId} ${kind} and t."startTime" >= ${moment(range.from)}::timestamptz and t."startTime" < ${moment(range.to)}::timestamptz
      and t."startTime" <> all(${rows.map((row) => row.startTime)}::timestamptz[])`)
  if (rows.length === 0) return
  const columns = Object.keys(table.types).map((name) => identifier(name))
  const list = join(columns)
  const shape = join(Object.entries(table.types).map(([name, type]) => sql`${identifier(name)} ${trusted(type)}`))
  const asset = sql`(select a."assetId" from geo.device_asset a where a."companyId" = ${companyId} and a."deviceId" = ${deviceId} and a."since" <= r."startTime" and (a."until" is null or a."until" > r."startTime"))`
  const own = table.kind === undefined ? sql`` : sql`, ${table.kind}`
  await db.exec(sql`
    insert into ${target} as t ("companyId", "deviceId" ${table.kind === undefined ? sql`` : sql`, "kind"`}, "startTime", ${list} ${table.hasAsset ? sql`, "assetId"` : sql``})
    select ${companyId}, ${deviceId} ${own}, r."startTime", ${join(columns.map((column) => sql`r.${column}`))} ${table.hasAsset ? sql`, ${asset}` : sql``}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r("startTime" timestamptz, ${shape})
    on conflict ("companyId", "deviceId" ${table.kind === undefined ? sql`` : sql`, "kind"`}, "startTime") do update set (${list}) = row(${join(columns.map((column) => sql`excluded.${column}`))})
    where (${join(columns.map((column) => sql`t.${column}`))}) is distinct from (${join(columns.map((column) => sql`excluded.${column}`))})`)
}

const iso = (time: number) => new Date(time).toISOString()
const seconds = (ms: number) => Math.round(ms / 1_000)

function tripRow(trip: Trip, { timeZone, settings }: Subject): Row {
  const { startTime, start, end, isOpen, movingMs, idleMs, confirmedTime, isTowed, gapMs, ...same } = trip
  return {
    ...same,
    startTime: iso(startTime),
    endTime: isOpen ? null : iso(end.time),
    startLatitude: start.latitude,
    startLongitude: start.longitude,
    endLatitude: end.latitude,
    endLongitude: end.longitude,
    movingSeconds: seconds(movingMs),
    idleSeconds: seconds(idleMs),
    explain: { words: explainTrip(trip, timeZone, settings), isTowed, gapSeconds: seconds(gapMs), confirmedTime },
  }
}

function stopRow(stop: Stop, { timeZone, settings }: Subject): Row {
  const { startTime, end, isOpen, kind, latitude, longitude, ignitionMs, points, reason, goneBy } = stop
  return {
    startTime: iso(startTime),
    endTime: isOpen ? null : iso(end.time),
    kind,
    latitude,
    longitude,
    points,
    ignitionSeconds: seconds(ignitionMs),
    lastTime: iso(end.time),
    certainTime: iso(certainAt(stop)),
    memory: stop,
    explain: { words: explainStop(stop, timeZone, settings), reason, goneBy },
  }
}

function sessionRow(session: EngineSession): Row {
  const { startTime, endTime, isOpen, source, metres, movingMs, idleMs } = session
  return {
    startTime: iso(startTime),
    endTime: isOpen ? null : iso(endTime),
    source,
    metres,
    seconds: seconds(endTime - startTime),
    movingSeconds: seconds(movingMs),
    idleSeconds: seconds(idleMs),
    memory: session,
  }
}

function gapRow(gap: Gap): Row {
  const { startTime, from, to, metres, isWithinTrip, reason } = gap
  return {
    startTime: iso(startTime),
    endTime: iso(to.time),
    latitude: from.latitude,
    longitude: from.longitude,
    metres,
    attributes: { isWithinTrip, reason, toLatitude: to.latitude, toLongitude: to.longitude },
    memory: gap,
  }
}

function idleRow(idle: Idle): Row {
  const { startTime, endTime, isOpen, latitude, longitude } = idle
  return { startTime: iso(startTime), endTime: isOpen ? null : iso(endTime), latitude, longitude, attributes: {}, memory: idle }
}

function overspeedRow(span: Overspeed): Row {
  const { startTime, endTime, isOpen, latitude, longitude, maxSpeed, limit, fenceId, metres } = span
  return {
    startTime: iso(startTime),
    endTime: isOpen ? null : iso(endTime),
    latitude,
    longitude,
    maxSpeed,
    speedLimit: limit,
    metres,
    attributes: fenceId === null ? {} : { geofenceId: fenceId },
    memory: span,
  }
}
