import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { chunk } from 'es-toolkit/array/chunk'
import { motionOf } from '../../apps/geo/src/motion/motion.ts'
import type { KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import type { Client } from '../support/app.ts'
import { makeDevice } from './support/devices.ts'
import { fixesOf, takeIn } from './support/process.ts'
import { geoStack, type GeoStack } from './support/stack.ts'

const minute = 60_000
let stack: GeoStack
let client: Client
let stranger: Client
let device: KnownDevice
beforeAll(async () => {
  stack = await geoStack()
})
beforeEach(async () => {
  const { make } = stack.app
  const person = async (permissions: string[]) => {
    const company = await make.company()
    const user = await make.user({ company, tenant: company, role: await make.role({ company, name: randomUUID(), permissions }) })
    return { client: await stack.app.as(user, { tenant: company }), companyId: user.companyId }
  }
  const editor = await person(['ADMIN/LOCATIONS', 'ADMIN/LOCATIONS/EDIT'])
  client = editor.client
  stranger = (await person(['ADMIN/LOCATIONS', 'ADMIN/LOCATIONS/EDIT'])).client
  device = await makeDevice(admin(), { companyId: editor.companyId })
})
afterAll(() => stack.close())

const admin = () => stack.app.database.admin
interface Readings {
  odometer: { metres: number; source: string; since: string | null }
  engineHours: { hours: number; since: string | null }
}
const readings = async () => {
  const { odometer, engineHours } = (await client.get<{ geoDevice: Readings }>(`/geo/devices/${device.deviceId}`)).body.data.geoDevice
  return { odometer, engineHours }
}
const start = Date.now() - 180 * minute
const drive = { drive: 10_000, kmh: 60 }
const fixes = fixesOf([{ stand: 600 }, drive, { stand: 1_200 }, drive, { stand: 1_200 }, drive, { stand: 600 }], start)
const motion = motionOf(
  fixes.map(({ fixTime, latitude, longitude, isValid, speed, accuracy, attributes }) => ({
    time: fixTime,
    latitude,
    longitude,
    isValid,
    speed,
    accuracy,
    ignition: attributes.ignition as boolean,
  })),
)
const trips = motion.trips

it('counts distance and hours from what was set, whatever arrives late and is processed again', async () => {
  const metres = (from: number) => trips.slice(from).reduce((sum, trip) => sum + trip.metres, 0)
  const hours = (from: number) =>
    motion.sessions.slice(from).reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0) / 3_600_000
  expect([trips.length, motion.sessions.length]).toEqual([3, 3])
  await takeIn(stack.pools, device, [fixes.filter(({ fixTime }) => fixTime < trips[1]!.startTime + minute)])
  const at = new Date(trips[1]!.startTime - 5 * minute).toISOString()
  const set = await client.put(`/geo/devices/${device.deviceId}/odometer`, { metres: 120_000_000, reason: 'Read at the service', at })
  expect([set.status, set.body]).toMatchObject([200, { data: { odometer: { source: 'gps', since: at } } }])
  expect(
    (await client.put(`/geo/devices/${device.deviceId}/engine-hours`, { hours: 4_000, reason: 'Read at the service', at })).status,
  ).toBe(200)
  // The middle comes last, and all of it once more.
  const rest = fixes.filter(({ fixTime }) => fixTime >= trips[1]!.startTime + minute)
  await takeIn(stack.pools, device, [...chunk(rest, 60).toReversed(), fixes.slice(0, 50)])
  const expected = {
    odometer: { metres: Math.round(120_000_000 + metres(1)), source: 'gps', since: at },
    engineHours: { hours: Math.round(400_000 + hours(1) * 100) / 100, since: at },
  }
  expect(await readings()).toEqual(expected)
  // What was driven before the reading, and is learnt of only now, is in the reading already.
  await takeIn(stack.pools, device, [fixesOf([{ stand: 600 }, drive, { stand: 600 }], start - 300 * minute)])
  expect(await readings()).toEqual(expected)
  // Set in the middle of the last trip and its session.
  const within = trips[2]!.startTime + (trips[2]!.end.time - trips[2]!.startTime) / 2
  for (const [name, value] of [
    ['odometer', { metres: 0 }],
    ['engine-hours', { hours: 0 }],
  ] as const) {
    expect(
      (
        await client.put(`/geo/devices/${device.deviceId}/${name}`, {
          ...value,
          reason: 'In the middle',
          at: new Date(within).toISOString(),
        })
      ).status,
    ).toBe(200)
  }
  const half = await readings()
  expect(Math.abs(half.odometer.metres - trips[2]!.metres / 2)).toBeLessThan(200)
  expect(half.engineHours.hours).toBeCloseTo((motion.sessions[2]!.endTime - within) / 3_600_000, 2)
  const { rows } = await admin().query<{ action: string; after: { set: object } }>(
    `select "action", "after" from audit_log where "objectId" = $1 order by "seq"`,
    [device.deviceId],
  )
  expect(rows.map(({ action }) => action)).toEqual(
    ['setOdometer', 'setEngineHours', 'setOdometer', 'setEngineHours'].map((act) => `geo.geoDevice.${act}`),
  )
  expect(rows[0]!.after.set).toEqual({ metres: 120_000_000, at, reason: 'Read at the service' })
})

it('counts everything known before a value is set, and trusts the device’s counter once it proved consistent', async () => {
  const long = fixesOf(Array.from({ length: 5 }, () => [{ drive: 26_000, kmh: 90 }, { stand: 600 }]).flat(), Date.now() - 170 * minute)
  const known = motionOf(long.map(({ fixTime: time, ...fix }) => ({ ...fix, time, ignition: fix.attributes.ignition as boolean })))
  const way = (time: number) =>
    known.trips.reduce(
      (sum, { startTime, end, metres }) => sum + metres * Math.min(1, Math.max(0, (time - startTime) / (end.time - startTime))),
      0,
    )
  const counted = long.map((fix) => ({
    ...fix,
    attributes: { ...fix.attributes, odometer: Math.round(5_000_000 + 1.03 * way(fix.fixTime)) },
  }))
  await takeIn(stack.pools, device, [counted.slice(0, 4)])
  const total = known.trips.reduce((sum, { metres }) => sum + metres, 0)
  const set = await client.put<Readings>(`/geo/devices/${device.deviceId}/odometer`, {
    metres: 1_000,
    reason: 'New in the fleet',
    at: new Date(counted[0]!.fixTime).toISOString(),
  })
  expect(set.status).toBe(200)
  await takeIn(stack.pools, device, [counted.slice(4)])
  const { odometer } = await readings()
  expect(odometer.source).toBe('device')
  expect(Math.abs(odometer.metres - (1_000 + 1.03 * total))).toBeLessThan(100)
  const plain = await makeDevice(admin(), { companyId: device.companyId })
  await takeIn(stack.pools, plain, [fixes])
  const { body } = await client.get<{ geoDevice: Readings }>(`/geo/devices/${plain.deviceId}`)
  expect(body.data.geoDevice.odometer).toEqual({
    metres: Math.round(trips.reduce((sum, { metres }) => sum + metres, 0)),
    source: 'gps',
    since: null,
  })
})

it('refuses impossible values, and users without permission', async () => {
  const url = `/geo/devices/${device.deviceId}/odometer`
  const fields = async (path: string, body: object) => {
    const answer = await client.put(path, body)
    return [answer.status, (answer.body as { fields?: { field: string }[] }).fields?.map(({ field }) => field)]
  }
  expect(await fields(url, { metres: -1, reason: 'Because' })).toEqual([422, ['metres']])
  expect(await fields(url, { metres: 1, reason: ' ' })).toEqual([422, ['reason']])
  expect(await fields(url, { metres: 1, reason: 'Because', at: new Date(Date.now() + 3_600_000).toISOString() })).toEqual([422, ['at']])
  expect(await fields(`/geo/devices/${device.deviceId}/engine-hours`, { hours: 'many', reason: 'Because' })).toEqual([422, ['hours']])
  for (const path of [url, `/geo/devices/${device.deviceId}/engine-hours`]) {
    expect((await stranger.put(path, path === url ? { metres: 1, reason: 'Because' } : { hours: 1, reason: 'Because' })).status).toBe(404)
  }
  expect(await readings()).toEqual({ odometer: { metres: 0, source: 'gps', since: null }, engineHours: { hours: 0, since: null } })
})

it('is assigned to a vehicle, moved to another and removed; trips belong to the one of their time, also when entered late', async () => {
  await takeIn(stack.pools, device, [fixes])
  const [first, second] = [randomUUID(), randomUUID()]
  for (const id of [first, second])
    await admin().query('insert into asset ("companyId", "id", "tenantId", "registrationNumber") values ($1, $2, $1, $3)', [
      device.companyId,
      id,
      id.slice(0, 8),
    ])
  const path = `/geo/devices/${device.deviceId}/asset`
  const put = (assetId: string | null, at?: number) =>
    client.put<{ assets: { assetId: string; since: string; until: string | null }[] }>(path, {
      assetId,
      ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
    })
  const owners = async () =>
    (
      await admin().query<{ assetId: string | null }>('select "assetId" from geo.trip where "deviceId" = $1 order by "startTime"', [
        device.deviceId,
      ])
    ).rows.map(({ assetId }) => assetId)
  const [, middle, last] = trips.map(({ startTime }) => startTime) as [number, number, number]
  expect((await put(first, start - minute)).status).toBe(200)
  expect(await owners()).toEqual([first, first, first])
  await put(null, last - minute)
  expect(await owners()).toEqual([first, first, null])
  // In between, reported last: it holds until the device was taken off.
  const { assets } = (await put(second, middle - minute)).body.data
  expect(assets.map(({ assetId, until }) => [assetId, until])).toEqual([
    [second, new Date(last - minute).toISOString()],
    [first, new Date(middle - minute).toISOString()],
  ])
  expect(await owners()).toEqual([first, second, null])
  // The same again changes nothing, the same moment once more replaces.
  expect((await put(second, middle)).body.data.assets).toEqual(assets)
  await put(first, middle - minute)
  expect(await owners()).toEqual([first, first, null])
  expect(
    (await client.get<{ geoDevice: { assets: object[] } }>(`/geo/devices/${device.deviceId}`)).body.data.geoDevice.assets,
  ).toHaveLength(2)
  expect([
    (await stranger.put(path, { assetId: first })).status,
    (await put(randomUUID())).body.fields?.[0]?.field,
    (await put('7' as never)).status,
    (await put(first, Date.now() + 3_600_000)).body.fields?.[0]?.field,
  ]).toEqual([404, 'assetId', 422, 'at'])
  expect(
    (await admin().query(`select from audit_log where "objectId" = $1 and "action" = 'geo.geoDevice.setAsset'`, [device.deviceId]))
      .rowCount,
  ).toBe(5)
})
