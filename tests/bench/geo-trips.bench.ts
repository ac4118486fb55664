import type pg from 'pg'
import { readerIn } from '@outpost/platform/db/context'
import type { DbContext } from '@outpost/platform/types'
import { storedStops, storedTrips } from '../../apps/geo/src/api/trips/stored.ts'
import type { GeoCtx } from '../../apps/geo/src/api/types.ts'
import { drive, type Phase } from '../../apps/geo/src/motion/testing/drive.ts'
import { processDevice } from '../../apps/geo/src/processing/device.ts'
import type { DeviceRef } from '../../apps/geo/src/processing/subject.ts'
import { median, rounded, type Bench, type Figure } from './support/figure.ts'
import { withGeoPool } from './support/geo-pool.ts'
import type { House } from './support/house.ts'
import { companyId } from './support/rows.ts'

const days = 30
const perMonth = 86_400
const rounds = 15

/** A month of a vehicle, a message every 30 s: what its trips cost to make from nothing, to keep up with, and to read. */
export const bench: Bench = {
  name: 'geo-trips',
  leads: 0,
  run: async (house) => {
    const device = await makeMonth(house.admin)
    return withGeoPool(house, (pool) => figures(house, pool, device))
  },
}

async function figures({ admin }: House, pool: pg.Pool, device: DeviceRef): Promise<Figure[]> {
  await markDirty(admin, device, 'min')
  const whole = await timed(() => processDevice(pool, device))
  const again: number[] = []
  const live: number[] = []
  const read: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await markDirty(admin, device, 'max')
    live.push(await timed(() => processDevice(pool, device)))
    read.push(await timed(() => readMonth(pool, device)))
  }
  for (let round = 0; round < 3; round += 1) {
    await markDirty(admin, device, 'min')
    again.push(await timed(() => processDevice(pool, device)))
  }
  const {
    rows: [count],
  } = await admin.query<{ trips: number; stops: number }>(
    `select (select count(*)::int from geo.trip where "deviceId" = $1) as trips, (select count(*)::int from geo.stop where "deviceId" = $1) as stops`,
    [device.deviceId],
  )
  return [
    {
      name: 'trips of 1 vehicle, 30 days, stored',
      value: rounded(median(read)),
      unit: 'ms',
      target: '<= 150',
      detail: `${count?.trips} trips with their ingestServices, ${count?.stops} stops; median of ${rounds}`,
    },
    {
      name: 'trips of 1 vehicle, 30 days, recomputed',
      value: rounded(median(again)),
      unit: 'ms',
      target: '<= 1500',
      detail: `${perMonth} messages: trips, stops, engine, events, committed; the first time ${Math.round(whole)} ms`,
    },
    {
      name: 'one more message of that vehicle',
      value: rounded(median(live)),
      unit: 'ms',
      detail: `all that is processed of it, committed; median of ${rounds}`,
    },
  ]
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await run()
  return performance.now() - begin
}

async function markDirty(admin: pg.Pool, { companyId: company, deviceId }: DeviceRef, since: 'min' | 'max'): Promise<void> {
  await admin.query(
    `insert into geo.dirty ("companyId", "deviceId", "since", "until") select $1, $2, ${since}("fixTime"), max("fixTime") from geo.position where "companyId" = $1 and "deviceId" = $2`,
    [company, deviceId],
  )
}

/** What GET /deviceTrips/trip reads. */
async function readMonth(pool: pg.Pool, { companyId: company, deviceId }: DeviceRef): Promise<void> {
  const context: DbContext = { company, scope: '*', user: null, tenant: null }
  const ctx = { sql: readerIn(pool, context), caller: { company } } as GeoCtx
  const asked = { deviceIds: [deviceId], from: new Date(0), until: new Date() }
  await Promise.all([storedTrips(ctx, asked), storedStops(ctx, asked)])
}

/** Eight trips a day for thirty days, as the ways in would have stored them. */
async function makeMonth(admin: pg.Pool): Promise<DeviceRef> {
  const {
    rows: [device],
  } = await admin.query<{ id: string }>(
    `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") values ($1, $1, 'bench-trips', 'Bench trips') returning "id"`,
    [companyId],
  )
  const daily: Phase[] = Array.from({ length: 8 }, (_, at): Phase[] => [
    { drive: 25_000, kmh: 55, course: at % 2 === 0 ? 40 : 220 },
    { stand: 9_400 },
  ]).flat()
  const { points } = drive({
    phases: Array.from({ length: days }, () => daily).flat(),
    every: 30,
    start: Date.now() - 31 * 86_400_000,
    noise: 4,
  })
  const month = points.slice(0, perMonth)
  if (month.length < perMonth) throw new Error(`the made-up month has ${month.length} messages`)
  const column = (pick: (point: (typeof month)[number]) => unknown) => month.map(pick)
  await admin.query(
    `insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "speed", "isValid", "ignition", "sat", "power", "battery", "rssi", "motion")
    select $1, $2, to_timestamp(t.f / 1000.0), t.lat, t.lon, t.speed, true, t.ignition, 12, 12.6, 4.1, 4, t.speed > 0
    from unnest($3::float8[], $4::float8[], $5::float8[], $6::real[], $7::bool[]) t(f, lat, lon, speed, ignition)`,
    [
      companyId,
      device?.id,
      column(({ time }) => time),
      column(({ latitude }) => latitude),
      column(({ longitude }) => longitude),
      column(({ speed }) => speed),
      column(({ ignition }) => ignition),
    ],
  )
  await admin.query('analyze geo.position')
  return { companyId, deviceId: device?.id ?? '' }
}
