import type pg from 'pg'
import type { GeoPools } from '@outpost/platform/db/pool'
import { createLog } from '@outpost/platform/log'
import type { Fix } from '../../../apps/geo/src/positions/fix.ts'
import type { KnownDevice } from '../../../apps/geo/src/ingest/identity.ts'
import { createWriter } from '../../../apps/geo/src/ingest/write/writer.ts'
import { drive, type Phase } from '../../../apps/geo/src/motion/testing/drive.ts'
import { createProcessor } from '../../../apps/geo/src/processing/processor.ts'
import { fixAt } from './devices.ts'

const log = createLog({ level: 'error' })

/** Writes fixes in batches as they would come and processes after each. */
export async function takeIn(pools: GeoPools, device: KnownDevice, batches: readonly Fix[][]): Promise<void> {
  const writer = createWriter({ pool: pools.ingest, log, lingerMs: 1 })
  const processor = createProcessor({ pools, log, lingerMs: 0 })
  for (const batch of batches) {
    await writer.write(device, batch)
    await processor.pass()
  }
  await writer.close()
}

/** What a device reports on a made-up drive; `tell` adds attributes to a fix. */
export function fixesOf(
  phases: readonly Phase[],
  start: number,
  tell: (time: number, index: number) => Fix['attributes'] = () => ({}),
): Fix[] {
  const { points } = drive({ phases, every: 10, everyStationary: 30, start })
  return points.map(({ time, latitude, longitude, speed, ignition }, index) =>
    fixAt(time, {
      latitude,
      longitude,
      speed,
      altitude: null,
      course: null,
      attributes: { ignition: ignition === true, ...tell(time, index) },
    }),
  )
}

/** Rows of a device in order, without what names the device or the moment they were written. */
export async function storedRows(
  admin: pg.Pool,
  { deviceId }: KnownDevice,
  table: string,
  order = '"startTime"',
): Promise<Record<string, unknown>[]> {
  const { rows } = await admin.query<{ row: Record<string, unknown> }>(
    `select (to_jsonb(t) - 'deviceId' - 'id' - 'serverTime' - 'isLate') as row from geo.${table} t where "deviceId" = $1 order by ${order}`,
    [deviceId],
  )
  return rows.map(({ row }) => row)
}

/** Type and time of the events of a device that are kept, in order. */
export async function eventsOf(admin: pg.Pool, { deviceId }: KnownDevice): Promise<string[]> {
  const { rows } = await admin.query<{ what: string }>(
    `select "type" || ' ' || (extract(epoch from "eventTime") * 1000)::bigint as what from geo.event where "deviceId" = $1 and not "isSuperseded" order by "eventTime", "type"`,
    [deviceId],
  )
  return rows.map(({ what }) => what)
}

/** A fence of 500 m around a place, linked with devices since long ago; its id. */
export async function fenceAt(
  admin: pg.Pool,
  place: { latitude: number | null; longitude: number | null },
  { devices, speedLimit = null }: { devices: readonly KnownDevice[]; speedLimit?: number | null },
): Promise<string> {
  const company = devices[0]!.companyId
  const area = JSON.stringify({ type: 'Point', coordinates: [place.longitude, place.latitude] })
  const { rows } = await admin.query<{ id: string }>(
    `insert into geo.geofence ("companyId", "tenantId", "name", "shape", "area", "radius", "speedLimit") values ($1, $1, 'Depot', 'circle', $2, 500, $3) returning "id"`,
    [company, area, speedLimit],
  )
  const { id } = rows[0]!
  for (const { deviceId } of devices)
    await admin.query(
      `insert into geo.geofence_link ("companyId", "deviceId", "geofenceId", "dateCreated") values ($1, $2, $3, now() - interval '5 years')`,
      [company, deviceId, id],
    )
  return id
}
