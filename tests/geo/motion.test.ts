import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { createLog } from '@outpost/platform/log'
import type { Fix } from '../../apps/geo/src/ingest/codec.ts'
import type { KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import { createWriter } from '../../apps/geo/src/ingest/writer.ts'
import { keepDevice, keepMotion, piecesOf, pointsOf, startMotion } from '../../apps/geo/src/motion/keeper.ts'
import { motionOf } from '../../apps/geo/src/motion/motion.ts'
import type { Point } from '../../apps/geo/src/motion/point.ts'
import { defaultSettings } from '../../apps/geo/src/motion/settings.ts'
import { dice, drive, type Phase } from '../../apps/geo/src/motion/testing/drive.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { fixAt, makeDevice } from './support/devices.ts'

const log = createLog({ level: 'silent' })
const start = Date.UTC(2026, 10, 20, 5)
let db: TestDatabase
let pools: GeoPools
beforeAll(async () => {
  db = await testDatabase()
  pools = createGeoPools({ url: db.url, secret: db.secret, log })
})
afterAll(async () => {
  await pools.close()
  await db.drop()
})

const fixOf = ({ time, latitude, longitude, isValid, speed, accuracy, ignition, odometer }: Point): Fix =>
  fixAt(time, { latitude, longitude, isValid, speed, accuracy, attributes: { ...(ignition === null ? {} : { ignition }), ...(odometer == null ? {} : { odometer }) } })

const phases: Phase[] = [
  { stand: 1_500 }, { drive: 9_000, kmh: 55 }, { stand: 900, ignition: true }, { drive: 4_000, kmh: 95, course: 10 }, { stand: 7_200 }, { drive: 6_000, kmh: 50, course: 200 }, { stand: 3_000 },
]

async function storedOf({ deviceId }: KnownDevice) {
  const list = async (text: string) => (await db.admin.query<{ row: unknown }>(text, [deviceId])).rows.map(({ row }) => row)
  return {
    trips: await list(`select "explain" as row from geo.trip where "deviceId" = $1 order by "startTime"`),
    stops: await list(`select "explain" as row from geo.stop where "deviceId" = $1 order by "startTime"`),
    sessions: await list(`select json_build_array((extract(epoch from "startTime") * 1000)::float8, (extract(epoch from "endTime") * 1000)::float8, "movingSeconds", "idleSeconds", round("metres")) as row from geo.engine_session where "deviceId" = $1 order by "startTime"`),
    gaps: await list(`select "attributes" as row from geo.episode where "deviceId" = $1 and "kind" = 'gap' order by "startTime"`),
    idles: await list(`select "attributes" as row from geo.episode where "deviceId" = $1 and "kind" = 'idle' order by "startTime"`),
    overspeeds: await list(`select "attributes" as row from geo.episode where "deviceId" = $1 and "kind" = 'overspeed' order by "startTime"`),
  }
}

function expectedOf(points: readonly Point[]) {
  const { trips, stops, gaps, idles, overspeeds, sessions } = motionOf(points, { ...defaultSettings, speedLimit: 80 })
  return JSON.parse(JSON.stringify({
    trips: trips.map(({ path: _, ...trip }) => trip), stops, gaps, idles, overspeeds,
    sessions: sessions.map(row => [row.startTime, row.isOpen ? null : row.endTime, Math.round(row.movingMs / 1_000), Math.round(row.idleMs / 1_000), Math.round(row.metres)]),
  })) as unknown
}

const limited = (device: KnownDevice, attributes: object = { motion: { speedLimit: 80, engine: 'nonsense', drift: 'much' } }) =>
  db.admin.query('update geo.device set "attributes" = $2 where "id" = $1', [device.deviceId, attributes])

it('keeps the rows that all messages give, whatever comes late, twice or in pieces', async () => {
  const { points } = drive({ phases, start, noise: 6 })
  const device = await makeDevice(db.admin)
  await limited(device)
  const writer = createWriter({ pool: pools.ingest, log, lingerMs: 1 })
  const next = dice(7)
  const batches = Array.from({ length: Math.ceil(points.length / 60) }, (_, index) => points.slice(index * 60, index * 60 + 70))
    .map((batch, index) => ({ batch, place: next() < 0.5 ? index : next() * 60 })).toSorted((a, b) => a.place - b.place)
  for (const { batch } of batches) {
    await writer.write(device, batch.map(fixOf))
    expect(await keepDevice(pools.geo, device)).toBe(true)
  }
  await writer.close()
  const stored = await storedOf(device)
  expect(stored).toEqual(expectedOf(points))
  expect([stored.trips.length, stored.idles.length, stored.overspeeds.length]).toEqual([3, 1, 1])
  expect((await db.admin.query('select 1 from geo.dirty where "deviceId" = $1', [device.deviceId])).rows).toEqual([])
  expect(await keepDevice(pools.geo, device)).toBe(false)
  const { rows: [trip] } = await db.admin.query('select * from geo.trip where "deviceId" = $1 order by "startTime" limit 1', [device.deviceId])
  expect(trip).toMatchObject({ startReason: 'ignition', endReason: 'still', assetId: null, path: expect.stringMatching(/^.{8,}$/) as string, points: expect.any(Number) as number })
  expect(trip.metres).toBeGreaterThan(8_900)
  expect((await pointsOf(pools.geo, device, { from: trip.startTime.getTime(), to: trip.endTime.getTime() })).length).toBe(trip.points)
})

it('a trip under way has no end yet, and belongs to the asset that carried the device', async () => {
  const { points } = drive({ phases: [{ stand: 600 }, { drive: 6_000, kmh: 50 }], start })
  const device = await makeDevice(db.admin)
  const [before, now] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
  for (const [asset, since, until] of [[before, new Date(start - 86_400_000), new Date(start + 60_000)], [now, new Date(start + 60_000), null]]) {
    await db.admin.query('insert into geo.device_asset ("companyId", "deviceId", "assetId", "since", "until") values ($1, $2, $3, $4, $5)', [device.companyId, device.deviceId, asset, since, until])
  }
  const writer = createWriter({ pool: pools.ingest, log, lingerMs: 1 })
  await writer.write(device, points.map(fixOf))
  await writer.close()
  await keepDevice(pools.geo, device)
  expect((await db.admin.query('select "endTime", "endReason", "assetId" from geo.trip where "deviceId" = $1', [device.deviceId])).rows).toEqual([{ endTime: null, endReason: null, assetId: now }])
  expect((await db.admin.query('select "assetId" from geo.stop where "deviceId" = $1', [device.deviceId])).rows).toEqual([{ assetId: before }])
})

it('takes a long stretch in pieces and comes to the same', async () => {
  const points = [0, 20, 45].flatMap(days => drive({ phases, start: start - (50 - days) * 86_400_000, everyStanding: 60 }).points)
  const device = await makeDevice(db.admin)
  await limited(device)
  const writer = createWriter({ pool: pools.ingest, log, lingerMs: 1 })
  await writer.write(device, points.slice(900).map(fixOf))
  await keepDevice(pools.geo, device)
  await writer.write(device, points.slice(0, 900).map(fixOf))
  await writer.write(device, points.slice(-1).map(fixOf))
  await writer.close()
  await keepDevice(pools.geo, device)
  expect(await storedOf(device)).toEqual(expectedOf(points))
  expect(piecesOf({ from: 0, to: 20 * 86_400_000 }, 40 * 86_400_000).map(({ until }) => Math.ceil(until / 86_400_000))).toEqual([14, 28, 40])
})

it('finds what is dirty by itself, and two processes do not do it twice', async () => {
  const { points } = drive({ phases: phases.slice(0, 3), start })
  const devices = await Promise.all(Array.from({ length: 4 }, () => makeDevice(db.admin)))
  const writer = createWriter({ pool: pools.ingest, log, lingerMs: 1 })
  await Promise.all(devices.map(device => writer.write(device, points.map(fixOf))))
  await writer.close()
  const done = await Promise.all([keepMotion(pools, { everyMs: 0, log }), keepMotion(pools, { everyMs: 0, log })])
  expect(done[0] + done[1]).toBe(4)
  for (const device of devices) expect((await storedOf(device)).trips).toHaveLength(1)
  const again = await makeDevice(db.admin)
  const motion = startMotion({ pools, log, everyMs: 0 })
  const later = createWriter({ pool: pools.ingest, log, lingerMs: 1 })
  await later.write(again, points.map(fixOf))
  await later.close()
  await expect.poll(async () => (await storedOf(again)).trips.length, { timeout: 10_000 }).toBe(1)
  await motion.stop()
})
