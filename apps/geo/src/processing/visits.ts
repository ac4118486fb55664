import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { Transition } from '../fences/transition.ts'
import { visitsOf } from '../fences/visits.ts'
import type { EventChanges, EventName } from './changes.ts'
import type { EventType } from '../rules/catalogue.ts'
import { moment } from './points.ts'
import type { DeviceRef } from './subject.ts'

/**
 * Rebuilds the visits affected by changed crossings, from the stored crossings: for each fence from the last enter before the first
 * change.
 */
export async function writeVisits(db: Sql, device: DeviceRef, { insert, correct, retract }: EventChanges): Promise<void> {
  const times = new Map<string, number>()
  const touch = ({ type, geofenceId, time }: EventName & { geofenceId?: string | null }) => {
    if (geofenceId && crossings.has(type)) times.set(geofenceId, Math.min(times.get(geofenceId) ?? Infinity, time))
  }
  for (const event of [...insert, ...retract, ...correct.flatMap(({ from, to }) => [from, to])]) touch(event)
  for (const [geofenceId, since] of times) await writeFence(db, { ...device, geofenceId }, since)
}

const crossings: ReadonlySet<EventType> = new Set([
  'geofenceEnter',
  'geofenceExit',
  'geofenceCrossed',
  'geofenceInsideAtStart',
  'geofenceDwell',
])

interface Pair extends DeviceRef {
  geofenceId: string
}

async function writeFence(db: Sql, { companyId, deviceId, geofenceId }: Pair, since: number): Promise<void> {
  const own = sql`"companyId" = ${companyId} and "deviceId" = ${deviceId} and "geofenceId" = ${geofenceId}`
  const crossings = sql`geo.event where ${own} and "origin" is not null and not "isSuperseded"`
  const { start } = await db.one<{ start: Date | null }>(
    sql`select max("eventTime") as "start" from ${crossings} and "type" in ('geofenceEnter', 'geofenceInsideAtStart') and "eventTime" <= ${moment(since)}::timestamptz`,
  )
  const from = moment(start?.getTime() ?? -Infinity)
  const rows = await db.query<{ origin: Transition }>(sql`select "origin" from ${crossings} and "eventTime" >= ${from}::timestamptz`)
  const time = (at: number | null) => (at === null ? null : new Date(at))
  const visits = visitsOf(rows.map(({ origin }) => origin)).map((visit) => ({
    enterTime: time(visit.enteredAt),
    exitTime: time(visit.leftAt),
    kind: visit.isPassing ? 'crossed' : 'visit',
    attributes: { isOpenStart: visit.isOpenStart, enteredWindow: visit.enteredWindow, leftWindow: visit.leftWindow },
    ...placesAt(rows, visit),
  }))
  await db.exec(sql`delete from geo.visit where ${own} and "enterTime" >= ${from}::timestamptz`)
  await db.exec(sql`
    insert into geo.visit ("companyId", "deviceId", "geofenceId", "enterTime", "exitTime", "kind", "enterLatitude", "enterLongitude", "exitLatitude", "exitLongitude", "attributes")
    select ${companyId}, ${deviceId}, ${geofenceId}, r.* from jsonb_to_recordset(${JSON.stringify(visits)}::jsonb) r("enterTime" timestamptz, "exitTime" timestamptz, "kind" text,
      "enterLatitude" float8, "enterLongitude" float8, "exitLatitude" float8, "exitLongitude" float8, "attributes" jsonb)
    on conflict do nothing`)
}

/** The positions where the edge was crossed. */
function placesAt(rows: readonly { origin: Transition }[], { enteredAt, leftAt }: { enteredAt: number; leftAt: number | null }) {
  const find = (isExit: boolean, at: number | null) =>
    rows.find(({ origin }) => origin.at === at && (origin.kind === 'exit') === isExit && origin.kind !== 'dwell')?.origin
  const [enter, exit] = [find(false, enteredAt), find(true, leftAt)]
  return { enterLatitude: enter?.latitude, enterLongitude: enter?.longitude, exitLatitude: exit?.latitude, exitLongitude: exit?.longitude }
}
