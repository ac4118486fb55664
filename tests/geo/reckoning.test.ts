import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { createLog } from '@outpost/platform/log'
import type { Fix } from '../../apps/geo/src/ingest/codec.ts'
import type { KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import { createWriter } from '../../apps/geo/src/ingest/writer.ts'
import { motionOf } from '../../apps/geo/src/motion/motion.ts'
import { drive, type Phase } from '../../apps/geo/src/motion/testing/drive.ts'
import { createReckoner } from '../../apps/geo/src/reckoning/reckoner.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { fixAt, makeCompany, makeDevice } from './support/devices.ts'

const log = createLog({ level: 'error' })
let db: TestDatabase
let pools: GeoPools
let companyId: string
beforeAll(async () => {
  db = await testDatabase()
  pools = createGeoPools({ url: db.url, secret: db.secret, log })
  companyId = await makeCompany(db.admin)
})
afterAll(async () => {
  await pools.close()
  await db.drop()
})

const phases: Phase[] = [{ stand: 600 }, { drive: 4_000, kmh: 50 }, { stand: 300, ignition: true }, { drive: 6_000, kmh: 80, course: 20 }, { stand: 900 }, { drive: 3_000, kmh: 40, course: 200 }, { stand: 400 }]
const { points } = drive({ phases, every: 10, everyStanding: 30, start: Date.now() - 3 * 3_600_000 })
const fixes = points.map(({ time, latitude, longitude, speed, ignition }): Fix => fixAt(time, { latitude, longitude, speed, altitude: null, course: null, attributes: { ignition: ignition === true } }))

/** Writes fixes in batches as they would come and reckons after each. */
async function takeIn(device: KnownDevice, batches: readonly Fix[][]): Promise<void> {
  const writer = createWriter({ pool: pools.ingest, log, lingerMs: 1 })
  const reckoner = createReckoner({ pools, log, lingerMs: 0 })
  for (const batch of batches) {
    await writer.write(device, batch)
    await reckoner.pass()
  }
  await writer.close()
}

const parts = (list: readonly Fix[], size: number): Fix[][] => Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size))
const stored = async ({ deviceId }: KnownDevice, table: string, order = '"startTime"') =>
  (await db.admin.query(`select (to_jsonb(t) - 'deviceId' - 'id' - 'serverTime' - 'isLate') as row from geo.${table} t where "deviceId" = $1 order by ${order}`, [deviceId])).rows.map(({ row }) => row as Record<string, unknown>)

it('has the trips, stops and engine sessions that all messages in order give, whatever order they came in', async () => {
  const [inOrder, backwards, mixed] = [await makeDevice(db.admin, { companyId }), await makeDevice(db.admin, { companyId }), await makeDevice(db.admin, { companyId })]
  await takeIn(inOrder, parts(fixes, 25))
  await takeIn(backwards, parts(fixes, 25).toReversed())
  await takeIn(mixed, [fixes.filter((_, at) => at % 2 === 0), ...parts(fixes.filter((_, at) => at % 2 === 1), 40).toReversed(), fixes.slice(30, 60)])
  const truth = motionOf(points)
  const trips = await stored(inOrder, 'trip')
  expect(trips.map(({ startTime, metres, path }) => [Date.parse(startTime as string), metres, path])).toEqual(truth.trips.map(({ startTime, metres, path }) => [startTime, metres, path]))
  expect(trips.length).toBeGreaterThan(1)
  for (const table of ['trip', 'stop', 'engine_session', 'episode']) {
    const rows = await stored(inOrder, table)
    expect([table, rows.length > 0]).toEqual([table, true])
    expect([table, await stored(backwards, table)]).toEqual([table, rows])
    expect([table, await stored(mixed, table)]).toEqual([table, rows])
  }
  expect((await db.admin.query('select from geo.dirty')).rowCount).toBe(0)
})
