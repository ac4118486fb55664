import { randomUUID } from 'node:crypto'
import type { GeoReportName } from '@outpost/contract/geo/reports'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readGeoReport, type GeoRow } from '../../apps/server/src/kernel/geo-client/report-stream.ts'
import { at, day, makeReportWorld, readAll, type ReportWorld } from './support/report-world.ts'

let world: ReportWorld
let van: string
let lorry: string
let driverId: string
const assetId = randomUUID()

const ask = async (name: GeoReportName, query: Record<string, string | undefined> = {}): Promise<GeoRow[]> =>
  readAll((await readGeoReport(world.ticket(name, query))).rows)
const trip = (
  deviceId: string,
  start: number,
  more: { metres: number; asset?: string | null; driver?: string | null; fuel?: number | null },
) =>
  world.sent(
    `insert into geo.trip ("companyId", "deviceId", "startTime", "endTime", "startLatitude", "startLongitude", "metres", "movingSeconds", "idleSeconds", "maxSpeed", "assetId", "driverId", "fuelUsed")
    values ($1, $2, $3, $4, -1.3, 36.8, $5, 3000, 600, 80, $6, $7, $8) returning "deviceId" as "id"`,
    [
      world.company.id,
      deviceId,
      new Date(start),
      new Date(start + 3_600_000),
      more.metres,
      more.asset ?? null,
      more.driver ?? null,
      more.fuel ?? null,
    ],
  )
const event = (deviceId: string, time: number, type: string, key = '', driver: string | null = null) =>
  world.sent(
    `insert into geo.event ("companyId", "deviceId", "type", "key", "eventTime", "severity", "driverId") values ($1, $2, $3, $4, $5, 'warning', $6) returning "id"`,
    [world.company.id, deviceId, type, key, new Date(time), driver],
  )

beforeAll(async () => {
  world = await makeReportWorld()
  van = await world.makeDevice('VAN')
  lorry = await world.makeDevice('LORRY')
  await world.sent(`insert into geo.device_asset ("companyId", "deviceId", "assetId", "since") values ($1, $2, $3, $4) returning "id"`, [
    world.company.id,
    van,
    assetId,
    new Date(at(30, 0)),
  ])
  const [driver] = await world.sent(
    `insert into geo.driver ("companyId", "tenantId", "name", "uniqueId") values ($1, $1, 'Asha', 'K1') returning "id"`,
    [world.company.id],
  )
  driverId = driver!.id
  await trip(van, at(2, 8), { metres: 100_000, asset: assetId, driver: driverId, fuel: 8 })
  await trip(van, at(2, 12), { metres: 50_000, asset: assetId, fuel: 5 })
  await trip(van, at(1, 8), { metres: 50_000, asset: assetId, driver: driverId })
  await event(van, at(2, 8.2), 'alarm', 'hardBraking', driverId)
  await event(van, at(2, 8.3), 'deviceOverspeed', '', driverId)
  await event(van, at(2, 8.4), 'alarm', 'overspeed', driverId)
  await event(van, at(2, 12.2), 'alarm', 'hardCornering')
  await event(van, at(2, 13), 'deviceFuelIncrease')
})
afterAll(() => world.stack.close())

test('a driver has a score with its sum; where nobody is known the vehicle counts as its driver', async () => {
  const rows = await ask('driver-behaviour')
  expect(rows).toMatchObject([
    {
      driver: 'Asha',
      driverId,
      assetId: null,
      device: 'VAN',
      trips: 2,
      km: 150,
      hardBraking: 1,
      speeding: 2,
      hardCornering: 0,
      score: 83.3,
      words: '100 − (1 hard braking × 5 + 2 too fast × 10) ÷ 150 km × 100 = 83.3',
    },
    { driver: null, driverId: null, assetId, trips: 1, km: 50, hardCornering: 1, score: 90 },
  ])
})

test('each number of a driver is as many rows of the report it opens', async () => {
  const [known, unknown] = await ask('driver-behaviour')
  expect((await ask('trips', { driverIds: driverId, zeros: 'true' })).length).toBe(known!.trips)
  expect((await ask('events', { driverIds: driverId, types: 'deviceOverspeed,overspeed' })).length).toBe(known!.speeding)
  expect((await ask('trips', { assetIds: assetId, driverIds: 'none' })).length).toBe(unknown!.trips)
  expect((await ask('events', { assetIds: assetId, driverIds: 'none', types: 'hardCornering' })).length).toBe(unknown!.hardCornering)
  expect(await ask('trips', { driverIds: randomUUID() })).toEqual([])
})

test('utilisation shows vehicles that stood all along, the least used first', async () => {
  const rows = await ask('utilisation')
  expect(rows).toMatchObject([
    { device: 'LORRY', deviceId: lorry, assetId: null, days: 4, daysUsed: 0, used: 0, trips: 0, km: 0, kmPerDay: null, idleShare: null },
    { device: 'VAN', assetId, daysUsed: 2, used: 0.5, lastUsed: day(1), trips: 3, km: 200, kmPerDay: 100, idleShare: 0.167 },
  ])
  expect((await ask('utilisation', { assetIds: assetId })).map(({ device }) => device)).toEqual(['VAN'])
  expect((await ask('utilisation', { assetIds: 'none' })).map(({ device }) => device)).toEqual(['LORRY'])
})

test('fuel is told where it was measured, by day, on the kilometres of the measured trips', async () => {
  const rows = await ask('fuel')
  expect(rows).toMatchObject([{ device: 'VAN', assetId, day: day(2), trips: 2, km: 150, litres: 13, per100: 8.67, fills: 1, drops: 0 }])
  expect((await ask('trips', { assetIds: assetId, isMeasured: 'true', from: day(2), to: day(2) })).length).toBe(2)
})

test('visits of fences have their times; one that lasts goes on until now', async () => {
  const [fence] = await world.sent(
    `insert into geo.geofence ("companyId", "tenantId", "shape", "name", "area", "radius") values ($1, $1, 'circle', 'Yard', '{"type":"Point","coordinates":[36.8,-1.3]}', 100) returning "id"`,
    [world.company.id],
  )
  const visit = (enter: number, exit: number | null, kind = 'visit') =>
    world.sent(
      `insert into geo.visit ("companyId", "deviceId", "geofenceId", "enterTime", "exitTime", "kind") values ($1, $2, $3, $4, $5, $6) returning "deviceId" as "id"`,
      [world.company.id, van, fence!.id, new Date(enter), exit === null ? null : new Date(exit), kind],
    )
  await visit(at(2, 9), at(2, 9.5))
  await visit(at(2, 10), at(2, 10), 'crossed')
  await visit(at(1, 20), null)
  const rows = await ask('fence-stays', { geofenceIds: fence!.id })
  expect(rows.map(({ geofence, kind, duration }) => [geofence, kind, duration])).toEqual([
    ['Yard', 'visit', 1_800],
    ['Yard', 'passed through', 0],
    ['Yard', 'visit', expect.any(Number)],
  ])
  expect(Number(rows[2]!.duration)).toBeGreaterThan(3_600)
  expect(await ask('fence-stays', { geofenceIds: randomUUID() })).toEqual([])
})

test('a wrong trip or driver is named', async () => {
  const refused = (name: GeoReportName, query: Record<string, string>) =>
    ask(name, query).then(
      () => 'none',
      (error: { more?: { fields?: { field: string }[] } }) => error.more?.fields?.[0]?.field,
    )
  expect([await refused('events', { tripId: 'x' }), await refused('trips', { driverIds: 'somebody' })]).toEqual(['tripId', 'driverIds.0'])
})
