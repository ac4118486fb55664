import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chunk } from 'es-toolkit/array/chunk'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { createLog } from '@outpost/platform/log'
import type { Fix } from '../../apps/geo/src/positions/fix.ts'
import type { KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import type { Phase } from '../../apps/geo/src/motion/testing/drive.ts'
import { sweep } from '../../apps/geo/src/positions/housekeeping.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { fixAt, makeCompany, makeDevice } from './support/devices.ts'
import { eventsOf, fenceAt, fixesOf, storedRows, takeIn } from './support/process.ts'

let db: TestDatabase
let pools: GeoPools
let companyId: string
beforeAll(async () => {
  db = await testDatabase()
  pools = createGeoPools({ url: db.url, secret: db.secret, log: createLog({ level: 'error' }), patience: 30 })
  companyId = await makeCompany(db.admin)
})
afterAll(async () => {
  await pools.close()
  await db.drop()
})

const minute = 60_000
const makeDriver = async (name: string, { uniqueId = null, userId = null }: { uniqueId?: string | null; userId?: string | null }) =>
  (
    await db.admin.query<{ id: string }>(
      `insert into geo.driver ("companyId", "tenantId", "name", "uniqueId", "userId") values ($1, $1, $2, $3, $4) returning "id"`,
      [companyId, name, uniqueId, userId],
    )
  ).rows[0]!.id
const putOn = (device: KnownDevice, assetId: string, since: number, until: number | null) =>
  db.admin.query(`insert into geo.device_asset ("companyId", "deviceId", "assetId", "since", "until") values ($1, $2, $3, $4, $5)`, [
    companyId,
    device.deviceId,
    assetId,
    new Date(since),
    until === null ? null : new Date(until),
  ])
const link = ({ deviceId }: KnownDevice, fenceId: string) =>
  db.admin.query(
    `insert into geo.geofence_link ("companyId", "deviceId", "geofenceId", "dateCreated") values ($1, $2, $3, now() - interval '1 year')`,
    [companyId, deviceId, fenceId],
  )
const trips = async (device: KnownDevice) =>
  (await storedRows(db.admin, device, 'trip')).map(({ driverId, assetId, startTime }) => ({
    driverId,
    assetId,
    start: Date.parse(startTime as string),
  }))

const start = Date.now() - 5 * 60 * minute
const leg: Phase[] = [{ drive: 3_000, kmh: 50 }, { stand: 900 }]
const fourTrips = [{ stand: 600 }, ...leg, ...leg, ...leg, ...leg]

it('sets the driver of a trip by the key sent in it, holds a key until another is sent, else by phone or vehicle', async () => {
  const [asha, ben] = [await makeDriver('Asha', { uniqueId: 'key-a' }), await makeDriver('Ben', { uniqueId: 'key-b' })]
  const userId = randomUUID()
  const cleo = await makeDriver('Cleo', { userId })
  const plain = fixesOf(fourTrips, start)
  const device = await makeDevice(db.admin, { companyId })
  await takeIn(pools, device, [plain])
  const starts = (await trips(device)).map((trip) => trip.start)
  expect(starts).toHaveLength(4)
  expect((await trips(device)).map(({ driverId }) => driverId)).toEqual([null, null, null, null])
  // Late words: Asha from the first trip on, Ben a minute into the third.
  const tell = (at: number, key: string) =>
    plain
      .filter(({ fixTime }) => fixTime >= at)
      .slice(0, 1)
      .map((fix): Fix => ({ ...fix, attributes: { driverUniqueId: key } }))
  await takeIn(pools, device, [tell(starts[2]! + minute, 'key-b'), tell(starts[0]! + minute, 'key-a')])
  expect((await trips(device)).map(({ driverId }) => driverId)).toEqual([asha, asha, ben, ben])
  expect((await eventsOf(db.admin, device)).filter((what) => what.startsWith('driverChanged'))).toHaveLength(1)
  // A key that nobody has names nobody, rather than the driver before.
  await takeIn(pools, device, [tell(starts[1]! + minute, 'key-unknown')])
  expect((await trips(device)).map(({ driverId }) => driverId)).toEqual([asha, null, ben, ben])
  const late = await makeDriver('Known later', { uniqueId: 'key-unknown' })
  await takeIn(pools, device, [[]])
  expect((await trips(device)).map(({ driverId }) => driverId)).toEqual([asha, late, ben, ben])
  // The key is handed on: who drove before stays who he was, also when that is processed again.
  await db.admin.query(`update geo.driver set "deletedAt" = now() where "id" = $1`, [asha])
  const next = await makeDriver('Next', { uniqueId: 'key-a' })
  await takeIn(pools, device, [[], plain.slice(0, 60)])
  expect((await trips(device)).map(({ driverId }) => driverId)).toEqual([asha, late, ben, ben])
  await db.admin.query(`update geo.driver set "deletedAt" = now() where "id" = $1`, [next])
  await db.admin.query(`update geo.driver set "deletedAt" = null where "id" = $1`, [asha])
  const { rows: keys } = await db.admin.query(
    `select "driverId", "since" = '-infinity' as "isFirst", "until" is null as "isLast" from geo.driver_key where "driverKey" = 'key-a' order by "since"`,
  )
  expect(keys).toEqual([
    { driverId: asha, isFirst: true, isLast: false },
    { driverId: next, isFirst: false, isLast: false },
    { driverId: asha, isFirst: false, isLast: true },
  ])
  await db.admin.query(`update geo.driver_key set "since" = now() - interval '1 day' where "driverKey" = 'key-a' and "until" is null`)
  // It reaches the trips of the hours after, of which nothing is new.
  const hours = fixesOf(
    Array.from({ length: 5 }, (): Phase[] => [{ stand: 3.5 * 3_600 }, { drive: 3_000, kmh: 50 }]).flat(),
    Date.now() - 20 * 60 * minute,
  )
  const long = await makeDevice(db.admin, { companyId })
  await takeIn(pools, long, [hours])
  const first = (await trips(long))[0]!.start
  await takeIn(pools, long, [
    hours
      .filter(({ fixTime }) => fixTime > first)
      .slice(0, 1)
      .map((fix) => ({ ...fix, attributes: { driverUniqueId: 'key-a' } })),
  ])
  expect((await trips(long)).map(({ driverId }) => driverId)).toEqual([asha, asha, asha, asha, asha])
  const [phone, linked] = [await makeDevice(db.admin, { companyId }), await makeDevice(db.admin, { companyId })]
  await db.admin.query(`update geo.device set "userId" = $2 where "id" = $1`, [phone.deviceId, userId])
  await db.admin.query(`update geo.device set "attributes" = '{"driverUniqueId":"key-b"}' where "id" = $1`, [linked.deviceId])
  for (const one of [phone, linked]) await takeIn(pools, one, [plain])
  expect(new Set((await trips(phone)).map(({ driverId }) => driverId))).toEqual(new Set([cleo]))
  expect(new Set((await trips(linked)).map(({ driverId }) => driverId))).toEqual(new Set([ben]))
})

it('keeps a trip at the asset of its time, also when the history is corrected afterwards', async () => {
  const device = await makeDevice(db.admin, { companyId })
  const [van, lorry, other] = [randomUUID(), randomUUID(), randomUUID()]
  const fixes = fixesOf(fourTrips, start)
  const moved = start + 45 * minute
  await putOn(device, van, start - 1_000, moved)
  await takeIn(pools, device, [fixes.filter(({ fixTime }) => fixTime < moved)])
  await putOn(device, lorry, moved, null)
  await takeIn(pools, device, [fixes.filter(({ fixTime }) => fixTime >= moved)])
  const whose = async () => (await trips(device)).map(({ assetId }) => assetId)
  const expected = (await trips(device)).map(({ start: at }) => (at < moved ? van : lorry))
  expect([new Set(expected).size, await whose()]).toEqual([2, expected])
  // What is processed anew stays where it was.
  await takeIn(pools, device, [
    fixes.slice(10, 11).map((fix) => ({ ...fix, fixTime: fix.fixTime + 1, deviceTime: fix.fixTime + 1 })),
    fixes.slice(0, 40),
  ])
  expect(await whose()).toEqual(expected)
  await db.admin.query(`update geo.device_asset set "assetId" = $2 where "deviceId" = $1 and "until" is null`, [device.deviceId, other])
  expect(await whose()).toEqual(expected.map((asset) => (asset === lorry ? other : asset)))
  for (const table of ['stop', 'engine_session'])
    expect(new Set((await storedRows(db.admin, device, table)).map(({ assetId }) => assetId))).toEqual(new Set([van, other]))
  await db.admin.query(`delete from geo.device_asset where "deviceId" = $1 and "until" is null`, [device.deviceId])
  expect(await whose()).toEqual(expected.map((asset) => (asset === lorry ? null : asset)))
})

it('gives the same trips, drivers, assets, visits and events in any order of arrival', async () => {
  const keys = ['order-a', 'order-b', 'order-c']
  for (const key of keys.slice(0, 2)) await makeDriver(key, { uniqueId: key })
  const fixes = fixesOf(fourTrips, start, (_, index): Fix['attributes'] =>
    index % 37 === 5 ? { driverUniqueId: keys[Math.floor(index / 37) % 3]! } : {},
  )
  const [van, lorry] = [randomUUID(), randomUUID()]
  const take = async (batches: readonly Fix[][]) => {
    const device = await makeDevice(db.admin, { companyId })
    await link(device, fenceId)
    await putOn(device, van, start - 1_000, start + 40 * minute)
    await putOn(device, lorry, start + 40 * minute, null)
    await takeIn(pools, device, batches)
    const [tripRows, stops, episodes] = [
      await storedRows(db.admin, device, 'trip'),
      await storedRows(db.admin, device, 'stop'),
      await storedRows(db.admin, device, 'episode'),
    ]
    return {
      trips: tripRows,
      stops,
      episodes,
      visits: await storedRows(db.admin, device, 'visit', '"enterTime"'),
      events: await eventsOf(db.admin, device),
    }
  }
  const fenceId = await fenceAt(
    db.admin,
    fixes.find(({ fixTime }) => fixTime > start + 27 * minute)!,
    { devices: [await makeDevice(db.admin, { companyId })], speedLimit: 30 },
  )
  const truth = await take([fixes])
  for (const rows of [truth.visits, truth.episodes]) expect(rows.length).toBeGreaterThan(0)
  expect(new Set(truth.trips.map(({ driverId }) => driverId)).size).toBeGreaterThan(1)
  expect(truth.events.some((what) => what.startsWith('driverChanged'))).toBe(true)
  const batches = chunk(fixes, 30)
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([...batches.keys()], { minLength: batches.length }), fc.boolean(), async (order, isTwice) => {
      expect(await take((isTwice ? [...order, ...order.slice(0, 2)] : order).map((at) => batches[at]!))).toEqual(truth)
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 8) },
  )
})

it('applies the limit of a fence: lower inside than outside, and none where the device has none', async () => {
  const fixes = fixesOf([{ stand: 120 }, { drive: 8_000, kmh: 70 }, { stand: 300 }], start)
  const middle = fixes.find(({ fixTime }) => fixTime > start + 300_000)!
  const device = await makeDevice(db.admin, { companyId })
  const fenceId = await fenceAt(db.admin, middle, { devices: [device], speedLimit: 50 })
  // Of two the lower one holds.
  await fenceAt(db.admin, middle, { devices: [device], speedLimit: 65 })
  await takeIn(pools, device, chunk(fixes, 20))
  const spans = async () =>
    (
      await db.admin.query<{ limit: number; seconds: number; fence: string }>(
        `select "speedLimit" as "limit", extract(epoch from "endTime" - "startTime")::float8 as seconds, "attributes" ->> 'geofenceId' as fence
    from geo.episode where "deviceId" = $1 and "kind" = 'overspeed' order by "startTime"`,
        [device.deviceId],
      )
    ).rows
  // 1,000 m at 70 km/h take 51 s.
  const [span, ...more] = await spans()
  expect([span, more]).toMatchObject([{ limit: 50, fence: fenceId }, []])
  expect(Math.abs(span!.seconds - 50)).toBeLessThanOrEqual(10)
  const told = (
    await db.admin.query(
      `select "geofenceId", ("attributes" ->> 'speedLimit')::int as "limit" from geo.event where "deviceId" = $1 and "type" = 'deviceOverspeed'`,
      [device.deviceId],
    )
  ).rows
  expect(told).toEqual([{ geofenceId: fenceId, limit: 50 }])
  // With 60 for the device too fast begins earlier; the fence's limit still tells inside.
  const fast = await makeDevice(db.admin, { companyId })
  await db.admin.query(`update geo.device set "attributes" = '{"speedLimit": 60}' where "id" = $1`, [fast.deviceId])
  await link(fast, fenceId)
  await takeIn(pools, fast, [fixes])
  const { rows } = await db.admin.query<{ speedLimit: number }>(
    `select "speedLimit" from geo.episode where "deviceId" = $1 and "kind" = 'overspeed'`,
    [fast.deviceId],
  )
  expect(rows).toEqual([{ speedLimit: 60 }])
  // A fence that allows more than the device does rules inside it all the same.
  await db.admin.query(`update geo.geofence set "speedLimit" = 90 where "id" = $1`, [fenceId])
  const slow = await makeDevice(db.admin, { companyId })
  await db.admin.query(`update geo.device set "attributes" = '{"speedLimit": 60}' where "id" = $1`, [slow.deviceId])
  await link(slow, fenceId)
  await takeIn(pools, slow, [fixes])
  expect((await db.admin.query(`select from geo.episode where "deviceId" = $1 and "kind" = 'overspeed'`, [slow.deviceId])).rowCount).toBe(2)
})

it('forgets a deleted fence, and marks an outdated state at one', async () => {
  const fixes = fixesOf([{ stand: 300 }, { drive: 4_000, kmh: 60 }, { stand: 300 }], Date.now() - 14 * minute)
  const device = await makeDevice(db.admin, { companyId })
  const fenceId = await fenceAt(db.admin, fixes.at(-1)!, { devices: [device] })
  const states = async () =>
    (
      await db.admin.query<{ state: string; isStale: boolean }>(`select "state", "isStale" from geo.fence_state where "deviceId" = $1`, [
        device.deviceId,
      ])
    ).rows
  const half = fixes.length >> 1
  await takeIn(pools, device, [fixes.slice(0, half), fixes.slice(half, -1)])
  await sweep(pools.ingest)
  expect(await states()).toEqual([{ state: 'inside', isStale: false }])
  await db.admin.query(`update geo.fence_state set "asOf" = now() - interval '15 minutes 1 second' where "deviceId" = $1`, [
    device.deviceId,
  ])
  await sweep(pools.ingest)
  expect(await states()).toEqual([{ state: 'inside', isStale: true }])
  await takeIn(pools, device, [fixes.slice(-1)])
  expect(await states()).toEqual([{ state: 'inside', isStale: false }])
  await db.admin.query(`update geo.geofence set "deletedAt" = now() where "id" = $1`, [fenceId])
  const away = { ...fixes[0]!, fixTime: Date.now() - 1_000, deviceTime: Date.now() - 1_000, attributes: {} }
  await takeIn(pools, device, [[{ ...away, fixTime: away.fixTime - 5_000 }], [away]])
  expect(await states()).toEqual([])
  expect((await eventsOf(db.admin, device)).filter((what) => what.startsWith('geofenceExit'))).toEqual([])
})

it('reports another driver and the ignition in any order, though late messages matter days afterwards', async () => {
  const [first, second] = [await makeDevice(db.admin, { companyId }), await makeDevice(db.admin, { companyId })]
  const told: [days: number, attributes: Fix['attributes']][] = [
    [0, { driverUniqueId: 'late-a', ignition: true }],
    [1, { driverUniqueId: 'late-b', ignition: false }],
    ...Array.from({ length: 40 }, (_, at): [number, Fix['attributes']] => [2 + at, { sat: 9 }]),
    [45, { driverUniqueId: 'late-a', ignition: true }],
    [46, { driverUniqueId: 'late-a' }],
  ]
  const fixes = told.map(([days, attributes]) => fixAt(Math.trunc(Date.now() / 1_000) * 1_000 - (50 - days) * 86_400_000, { attributes }))
  await takeIn(pools, first, [fixes])
  await takeIn(pools, second, [fixes.filter((_, at) => at !== 1), fixes.slice(1, 2)])
  const events = (await eventsOf(db.admin, first)).filter((what) => !what.startsWith('device'))
  expect(events.map((what) => what.split(' ')[0])).toEqual(['driverChanged', 'ignitionOff', 'driverChanged', 'ignitionOn'])
  expect((await eventsOf(db.admin, second)).filter((what) => !what.startsWith('device'))).toEqual(events)
})

it('processes weeks at once as if they had arrived day by day', async () => {
  const keys = ['weeks-a', 'weeks-b']
  for (const key of keys) await makeDriver(key, { uniqueId: key })
  const daily: Phase[] = [
    { stand: 8 * 3_600 },
    { drive: 15_000, kmh: 60 },
    { stand: 1_200, ignition: true },
    { drive: 15_000, kmh: 60, course: 270 },
    { stand: 15 * 3_600 },
  ]
  const fixes = fixesOf(
    Array.from({ length: 40 }, () => daily).flat(),
    Date.now() - 41 * 86_400_000,
    (_, index) => (index % 606 === 0 ? { driverUniqueId: keys[(index / 606) % 2]! } : {}) as Fix['attributes'],
  )
    // Every third minute will do, and on every tenth day nothing was heard.
    .filter(({ fixTime }, index) => index % 6 === 0 && Math.floor(fixTime / 86_400_000) % 10 !== 0)
  const [byDay, atOnce] = [await makeDevice(db.admin, { companyId }), await makeDevice(db.admin, { companyId })]
  await fenceAt(
    db.admin,
    fixes.find(({ speed }) => speed! > 40)!,
    { devices: [byDay, atOnce], speedLimit: 50 },
  )
  await takeIn(pools, byDay, [...Map.groupBy(fixes, ({ fixTime }) => Math.floor(fixTime / 86_400_000)).values()])
  await takeIn(pools, atOnce, [fixes])
  for (const table of ['trip', 'stop', 'engine_session', 'episode', 'visit']) {
    const rows = await storedRows(db.admin, byDay, table, table === 'visit' ? '"enterTime"' : '"startTime"')
    expect([table, rows.length > 10]).toEqual([table, true])
    expect([table, await storedRows(db.admin, atOnce, table, table === 'visit' ? '"enterTime"' : '"startTime"')]).toEqual([table, rows])
  }
  expect(await eventsOf(db.admin, atOnce)).toEqual(await eventsOf(db.admin, byDay))
})
