import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { createLog } from '@outpost/platform/log'
import type { IngestServices } from '../../apps/geo/src/ingest/listen/services.ts'
import { gt06 } from '../../apps/geo/src/ingest/gt06/codec.ts'
import { gt06Location, gt06Login } from '../../apps/geo/src/ingest/gt06/encode.ts'
import { buildFrame } from '../../apps/geo/src/ingest/gt06/frame.ts'
import type { KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import { createHttpStore } from '../../apps/geo/src/ingest/http-store.ts'
import { deliver } from '../../apps/geo/src/ingest/deliver.ts'
import { listenTcp, type Listener } from '../../apps/geo/src/ingest/listen/tcp.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { until } from '../support/until.ts'
import { fixAt, makeDevice } from './support/devices.ts'
import { textCodec } from './support/text-codec.ts'
import { dial, openIngestServices } from './support/ingest-services.ts'

let db: TestDatabase
let ingestServices: IngestServices
let closeIngestServices: () => Promise<void>
let pools: GeoPools
const now = Date.UTC(2026, 10, 22, 12)
const listeners: Listener[] = []
const open = async (options: Parameters<typeof listenTcp>[2]) => {
  const listener = await listenTcp(ingestServices, { port: 0, host: '127.0.0.1' }, options)
  listeners.push(listener)
  return listener.port
}
beforeAll(async () => {
  db = await testDatabase()
  ;({ ingestServices, close: closeIngestServices } = openIngestServices(db, () => now))
  pools = createGeoPools({ url: db.url, secret: db.secret, log: createLog({ level: 'silent' }), patience: 30 })
})
afterAll(async () => {
  await Promise.all(listeners.map((one) => one.close(500)))
  await closeIngestServices()
  await pools.close()
  await db.drop()
})

const keptOf = async ({ deviceId }: KnownDevice) => {
  await ingestServices.deviceStats.flush()
  return (
    await db.admin.query<{ reason: string; detail: string; bytes: Buffer }>(
      `select "reason", "detail", "bytes" from geo.quarantine where "deviceId" = $1 order by "id"`,
      [deviceId],
    )
  ).rows
}
const badOf = async ({ deviceId }: KnownDevice) =>
  (await db.admin.query<{ bad: object }>(`select "bad" from geo.device_health where "deviceId" = $1`, [deviceId])).rows[0]?.bad
const positionsOf = async ({ deviceId }: KnownDevice) =>
  (await db.admin.query(`select "latitude", "attributes" from geo.position where "deviceId" = $1 order by "fixTime"`, [deviceId])).rows

it('what is acknowledged and not stored is in quarantine, with its reason: impossible clocks, impossible places, unknown types', async () => {
  const device = await makeDevice(db.admin, { uniqueId: '867530900000017' })
  const line = await dial(await open({ codec: gt06 }))
  const frames = [
    gt06Login({ uniqueId: device.uniqueId, serial: 1 }),
    gt06Location(fixAt(now + 90_000_000, {}), { serial: 3 }),
    buildFrame({ type: 0xc7, serial: 4, content: Uint8Array.of(1, 2, 3) }),
    buildFrame({ type: 0xc8, serial: 5, isExtended: true, content: Uint8Array.of(1, 2, 3) }),
    gt06Location(fixAt(now - 60_000, {}), { serial: 6 }),
  ]
  line.socket.write(Buffer.concat(frames))
  await until(async () => (await positionsOf(device)).length > 0)
  // Of all but the extended one, each as long as an empty frame.
  await line.hear(4 * 10)
  const kept = await keptOf(device)
  expect(kept.map(({ reason, detail }) => `${reason}: ${detail}`)).toEqual([
    'clock: fixTime lies more than 24 hours in the future',
    'unknownType: type 0xc7',
    'unknownType: type 0xc8',
  ])
  expect(kept[1]?.bytes.equals(frames[2]!)).toBe(true)
  expect(await badOf(device)).toEqual({ clock: 1, unknownType: 2 })
  line.socket.destroy()
})

it('a clock that was never set and an impossible place are in quarantine', async () => {
  const device = await makeDevice(db.admin)
  const line = await dial(await open({ codec: textCodec }))
  line.socket.write(`login ${device.uniqueId}\nfix ${Date.UTC(1999, 0, 1)} 1\nfix ${now} 999\n`)
  await line.hear(`ok fix ${now} 999`)
  expect((await keptOf(device)).map(({ reason }) => reason)).toEqual(['clock', 'place'])
  expect(await positionsOf(device)).toEqual([])
  line.socket.destroy()
})

it('over HTTP too: the report as received', async () => {
  const store = createHttpStore(ingestServices, pools.ingest)
  const device = await makeDevice(db.admin)
  const fixes = [
    fixAt(now, {}),
    fixAt(Date.UTC(1999, 0, 1), {}),
    fixAt(now + 1_000, { latitude: 999, longitude: 999 }),
    fixAt(now + 2_000, { latitude: 0, longitude: 0, attributes: { alarm: 'sos' } }),
  ]
  const sender = { protocol: 'osmand', remote: '127.0.0.1', token: null, isFeed: false, takesCommand: false }
  const { refused } = await deliver({ uniqueId: device.uniqueId, fixes }, sender, { store, now: () => now })
  expect(refused.map(({ index, code, field }) => [index, code, field])).toEqual([
    [1, 101, 'fixTime'],
    [2, 101, 'position'],
    [3, 101, 'position'],
  ])
  const kept = await keptOf(device)
  expect(kept.map(({ reason }) => reason)).toEqual(['clock', 'place'])
  expect(JSON.parse(kept[0]!.bytes.toString())).toMatchObject({ fixTime: Date.UTC(1999, 0, 1), latitude: -1.28 })
  expect(await positionsOf(device)).toMatchObject([{ latitude: -1.28 }, { latitude: null, attributes: { alarm: 'sos' } }])
})

it('a text answer is stored even without a pending command', async () => {
  const device = await makeDevice(db.admin)
  const line = await dial(await open({ codec: textCodec }))
  line.socket.write(`login ${device.uniqueId}\nanswer 7 Battery 4.1 V\n`)
  await until(async () => (await positionsOf(device)).length === 1)
  expect(await positionsOf(device)).toEqual([{ latitude: null, attributes: { result: 'Battery 4.1 V' } }])
  line.socket.destroy()
})

it('a connection without identity is closed in time, however much it sends', async () => {
  const port = await open({ codec: gt06, unknownDeviceMs: 300 })
  const began = performance.now()
  const line = await dial(port)
  line.socket.write(Buffer.from('79790ff0', 'hex'))
  const drip = setInterval(() => {
    line.socket.write(Buffer.from('78', 'hex'))
  }, 20)
  await line.ended
  clearInterval(drip)
  expect(performance.now() - began).toBeGreaterThan(250)
})
