import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { IngestServices } from '../../apps/geo/src/ingest/listen/services.ts'
import type { KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import { createHttpStore } from '../../apps/geo/src/ingest/http-store.ts'
import { listenTcp, type Listener } from '../../apps/geo/src/ingest/listen/tcp.ts'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { createLog } from '@outpost/platform/log'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { until } from '../support/until.ts'
import { fixAt, makeCompany, makeDevice } from './support/devices.ts'
import { textCodec } from './support/text-codec.ts'
import { dial, openIngestServices, type Tracker } from './support/ingest-services.ts'

let db: TestDatabase
let ingestServices: IngestServices
let closeIngestServices: () => Promise<void>
let pools: GeoPools
const listeners: Listener[] = []
const open = async (isMirror = false) => {
  const listener = await listenTcp(ingestServices, { port: 0, host: '127.0.0.1' }, { codec: textCodec, isMirror })
  listeners.push(listener)
  return listener.port
}
beforeAll(async () => {
  db = await testDatabase()
  ;({ ingestServices, close: closeIngestServices } = openIngestServices(db))
  pools = createGeoPools({ url: db.url, secret: db.secret, log: createLog({ level: 'silent' }), patience: 30 })
})
afterAll(async () => {
  await Promise.all(listeners.map((one) => one.close(500)))
  await closeIngestServices()
  await pools.close()
  await db.drop()
})

const minute = Date.UTC(2026, 10, 20, 8)
const timesOf = async ({ deviceId }: KnownDevice) =>
  (
    await db.admin.query<{ t: number }>(
      `select (extract(epoch from "fixTime") * 1000)::float8 as t from geo.position where "deviceId" = $1 order by 1`,
      [deviceId],
    )
  ).rows.map((row) => row.t)
const remove = ({ deviceId }: KnownDevice) => db.admin.query(`update geo.device set "deletedAt" = now() where "id" = $1`, [deviceId])

async function loggedIn(port: number, { uniqueId }: KnownDevice): Promise<Tracker> {
  const line = await dial(port)
  line.socket.write(`login ${uniqueId}\nfix ${minute} 1\n`)
  await line.hear(`ok fix ${minute} 1`)
  return line
}

it('an open connection follows its identity to the company that registers it', async () => {
  const old = await makeDevice(db.admin)
  const line = await loggedIn(await open(), old)
  await remove(old)
  const now = await makeDevice(db.admin, { uniqueId: old.uniqueId })
  line.socket.write(`fix ${minute + 1_000} 2\n`)
  await line.hear(`ok fix ${minute + 1_000} 2`)
  expect([await timesOf(old), await timesOf(now)]).toEqual([[minute], [minute + 1_000]])
  expect(ingestServices.connections.of(old.deviceId)).toBeUndefined()
  expect(ingestServices.connections.of(now.deviceId)).toBeDefined()
  line.socket.destroy()
})

it.each([
  ['deleted', `"deletedAt" = now()`],
  ['switched off', `"disabled" = true`],
  ['given another identity', `"uniqueId" = gen_random_uuid()::text`],
])('a device that is %s reports no more over its connection', async (_, change) => {
  const device = await makeDevice(db.admin)
  const line = await loggedIn(await open(), device)
  await db.admin.query(`update geo.device set ${change} where "id" = $1`, [device.deviceId])
  line.socket.write(`fix ${minute + 1_000} 2\nfix ${minute + 2_000} 2\n`)
  await line.ended
  expect(line.heard().toString()).not.toContain(`ok fix ${minute + 1_000}`)
  expect(await timesOf(device)).toEqual([minute])
  await ingestServices.deviceStats.flush()
  const {
    rows: [row],
  } = await db.admin.query(`select "status" from geo.device where "id" = $1`, [device.deviceId])
  expect(row.status).not.toBe('online')
})

it('a device that is changed otherwise, or disabled and enabled again, keeps its connection', async () => {
  const device = await makeDevice(db.admin)
  const line = await loggedIn(await open(), device)
  await db.admin.query(`update geo.device set "model" = 'FMB920' where "id" = $1`, [device.deviceId])
  await db.admin.query(`update geo.device set "disabled" = true where "id" = $1`, [device.deviceId])
  await db.admin.query(`update geo.device set "disabled" = false, "name" = 'again' where "id" = $1`, [device.deviceId])
  line.socket.write(`fix ${minute + 1_000} 2\n`)
  await line.hear(`ok fix ${minute + 1_000} 2`)
  expect(ingestServices.connections.of(device.deviceId)?.device).toMatchObject({ model: 'FMB920', generation: 4 })
  expect(line.socket.closed).toBe(false)
  line.socket.destroy()
})

it('a mirror, which nobody closes, stores nothing for a deleted device', async () => {
  const device = await makeDevice(db.admin)
  const port = await open(true)
  const line = await dial(port)
  line.socket.write(`login ${device.uniqueId}\nfix ${minute} 1\n`)
  await until(async () => (await timesOf(device)).length === 1)
  await remove(device)
  line.socket.write(`fix ${minute + 1_000} 2\n`)
  await until(async () => (await ingestServices.identities.find(device.uniqueId)) === null)
  expect(await timesOf(device)).toEqual([minute])
  line.socket.destroy()
})

it('HTTP reports check the device and its secret again, too', async () => {
  const store = createHttpStore(ingestServices, pools.ingest)
  const meta = { protocol: 'batch', remote: null, token: null, isFeed: false, takesCommand: false, refused: [] }
  const old = await makeDevice(db.admin)
  expect(await store(old.uniqueId, [fixAt(minute, {})], meta)).toMatchObject({ accepted: 1 })
  await remove(old)
  const now = await makeDevice(db.admin, { uniqueId: old.uniqueId })
  expect(await store(old.uniqueId, [fixAt(minute + 1_000, {})], meta)).toMatchObject({ accepted: 1 })
  expect([await timesOf(old), await timesOf(now)]).toEqual([[minute], [minute + 1_000]])
  await db.admin.query(`update geo.device set "tokenHash" = sha256('secret') where "id" = $1`, [now.deviceId])
  expect(await store(now.uniqueId, [fixAt(minute + 2_000, {})], meta)).toMatchObject({ accepted: 0, badToken: true })
  await remove(now)
  expect(await store(now.uniqueId, [fixAt(minute + 3_000, {})], { ...meta, token: 'secret' })).toMatchObject({
    accepted: 0,
    unknownDevice: true,
  })
  expect(await timesOf(now)).toEqual([minute + 1_000])
})

it('no batch is written for a device’s former owner, whenever the change happens', async () => {
  const companyId = await makeCompany(db.admin)
  const devices = await Promise.all(Array.from({ length: 20 }, () => makeDevice(db.admin, { companyId })))
  const stale = devices.map((device, index) => (index % 2 === 0 ? device : { ...device, generation: device.generation + 1 }))
  const written = await Promise.all(stale.map((device) => ingestServices.writer.write(device, [fixAt(minute, {})])))
  expect(written).toEqual(stale.map((_, index) => (index % 2 === 0 ? 'stored' : 'outdated')))
  expect(await Promise.all(devices.map(timesOf))).toEqual(devices.map((_, index) => (index % 2 === 0 ? [minute] : [])))
  expect(await ingestServices.writer.write({ ...devices[0]!, deviceId: randomUUID() }, [fixAt(minute, {})])).toBe('outdated')
})

it('no command of a deleted device reaches the one on its connection', async () => {
  const device = await makeDevice(db.admin)
  const line = await loggedIn(await open(), device)
  await db.admin.query(
    `insert into geo.command ("companyId", "deviceId", "type", "parameters", "expiresAt") values ($1, $2, 'positionSingle', '{}', now() + interval '10 minutes')`,
    [device.companyId, device.deviceId],
  )
  await remove(device)
  await ingestServices.commands.deliver()
  const {
    rows: [row],
  } = await db.admin.query(`select "state" from geo.command where "deviceId" = $1`, [device.deviceId])
  expect(row.state).toBe('queued')
  expect(line.heard().toString()).not.toContain('command')
  line.socket.destroy()
})
