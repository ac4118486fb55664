import { createSocket } from 'node:dgram'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createGeoPools } from '@outpost/platform/db/pool'
import { createLog } from '@outpost/platform/log'
import type { IngestServices } from '../../apps/geo/src/ingest/listen/services.ts'
import type { KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import { listenTcp, type Listener, type TcpOptions } from '../../apps/geo/src/ingest/listen/tcp.ts'
import { encodeLogin, encodePacket } from '../../apps/geo/src/ingest/teltonika/encode.ts'
import { teltonika } from '../../apps/geo/src/ingest/teltonika/codec.ts'
import { createDeviceStats } from '../../apps/geo/src/ingest/listen/device-stats.ts'
import { listenUdp } from '../../apps/geo/src/ingest/listen/udp.ts'
import type { Written } from '../../apps/geo/src/ingest/write/writer.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { until } from '../support/until.ts'
import { fixAt, makeCompany, makeDevice } from './support/devices.ts'
import { textCodec } from './support/text-codec.ts'
import { dial, openIngestServices } from './support/ingest-services.ts'

let db: TestDatabase
let ingestServices: IngestServices
let closeIngestServices: () => Promise<void>
let text: Listener
const listeners: Listener[] = []
const at = { port: 0, host: '127.0.0.1' }
const open = async (options: TcpOptions) => {
  const listener = await listenTcp(ingestServices, at, options)
  listeners.push(listener)
  return listener
}
beforeAll(async () => {
  db = await testDatabase()
  ;({ ingestServices, close: closeIngestServices } = openIngestServices(db))
  text = await open({ codec: textCodec })
})
afterAll(async () => {
  await Promise.all(listeners.map((one) => one.close(500)))
  await closeIngestServices()
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
const healthOf = async ({ deviceId }: KnownDevice) => {
  await ingestServices.deviceStats.flush()
  return (
    await db.admin.query(
      `select h.*, d."status", d."protocol" from geo.device d left join geo.device_health h on h."companyId" = d."companyId" and h."deviceId" = d."id" where d."id" = $1`,
      [deviceId],
    )
  ).rows[0]
}
const imei = () => `35${String(Math.trunc(Math.random() * 1e13)).padStart(13, '0')}`

it('acknowledges a packet after its commit, however the bytes are split', async () => {
  const tracker = await open({ codec: teltonika })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 12 }), async (cuts) => {
      const device = await makeDevice(db.admin, { uniqueId: imei() })
      const packets = [0, 1, 2].map((packet) => encodePacket([0, 1].map((n) => fixAt(minute + (packet * 2 + n) * 1_000, {}))))
      const bytes = Buffer.concat([encodeLogin(device.uniqueId), ...packets])
      const line = await dial(tracker.port)
      let start = 0
      for (const cut of [...cuts, bytes.length]) {
        line.socket.write(bytes.subarray(start, start + cut))
        start += cut
        await new Promise((done) => setImmediate(done))
      }
      const heard = await line.hear(13)
      const stored = await timesOf(device)
      expect([...heard]).toEqual([1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2])
      expect(stored).toEqual([0, 1, 2, 3, 4, 5].map((n) => minute + n * 1_000))
      line.socket.destroy()
    }),
    { numRuns: 12 },
  )
})

it('sends nothing before the commit, and answers in order', async () => {
  const device = await makeDevice(db.admin)
  const line = await dial(text.port)
  const held = Promise.withResolvers<Written>()
  const write = vi.spyOn(ingestServices.writer, 'write').mockReturnValueOnce(held.promise)
  line.socket.write(`login ${device.uniqueId}\nfix ${minute} 1\nfix ${minute + 1_000} 2\n`)
  await until(async () => (await timesOf(device)).length === 1)
  await line.hear('ok login')
  expect(line.heard().toString()).not.toContain('ok fix')
  held.resolve('stored')
  await line.hear(`ok fix ${minute + 1_000}`)
  expect(line.heard().toString().split('\n').slice(1, 3)).toEqual([`ok fix ${minute} 1`, `ok fix ${minute + 1_000} 2`])
  write.mockRestore()
  line.socket.destroy()
})

it('refuses and lists an unknown device, and accepts it seconds after its adoption', async () => {
  const companyId = await makeCompany(db.admin)
  const uniqueId = randomUUID()
  const line = await dial(text.port)
  line.socket.write(`login ${uniqueId}\nfix ${minute} 1\n`)
  await line.ended
  expect(line.heard().toString()).toBe('no\n')
  await ingestServices.deviceStats.flush()
  const { rows } = await db.admin.query(`select "protocol", "attempts", "companyId" from geo.unlinked where "uniqueId" = $1`, [uniqueId])
  expect(rows).toEqual([{ protocol: 'text', attempts: '1', companyId: null }])
  const device = await makeDevice(db.admin, { companyId, uniqueId })
  await until(async () => {
    const again = await dial(text.port)
    again.socket.write(`login ${uniqueId}\nfix ${minute} 1\n`)
    await Promise.race([again.ended, again.hear('ok fix').catch(() => undefined)])
    again.socket.destroy()
    return again.heard().includes('ok fix')
  })
  expect(await timesOf(device)).toEqual([minute])
})

it('closes a connection that sends data before its login, or garbage', async () => {
  for (const bytes of [`fix ${minute} 1\n`, 'GET / HTTP/1.1\nHost: x\n\n\n']) {
    const line = await dial(text.port)
    line.socket.write(bytes)
    await line.ended
    expect(line.heard().toString()).toBe('')
  }
})

it('one identity on two connections: the newer one stays, and the conflict is recorded', async () => {
  const device = await makeDevice(db.admin)
  const first = await dial(text.port)
  first.socket.write(`login ${device.uniqueId}\n`)
  await first.hear('ok login')
  const second = await dial(text.port)
  second.socket.write(`login ${device.uniqueId}\nfix ${minute} 1\n`)
  await second.hear('ok fix')
  await first.ended
  expect(await healthOf(device)).toMatchObject({ conflicts: '1', logins: '2', status: 'online', protocol: 'text' })
  second.socket.destroy()
  await until(() => ingestServices.connections.of(device.deviceId) === undefined)
  expect(await healthOf(device)).toMatchObject({ status: 'offline' })
})

it('stores unreadable frames, the newest fifty, and acknowledges none of them', async () => {
  const device = await makeDevice(db.admin)
  const line = await dial(text.port)
  line.socket.write(`login ${device.uniqueId}\n${Array.from({ length: 70 }, (_, n) => `rubbish ${n}\n`).join('')}beat 4\n`)
  await line.hear('ok beat')
  expect(line.heard().toString()).not.toContain('rubbish')
  expect(await healthOf(device)).toMatchObject({ bad: { shape: 70 }, frames: '2' })
  const { rows } = await db.admin.query<{ bytes: Buffer }>(`select "bytes" from geo.quarantine where "deviceId" = $1 order by "id"`, [
    device.deviceId,
  ])
  expect(rows).toHaveLength(50)
  expect(rows.at(-1)?.bytes.toString()).toBe('rubbish 69\n')
  line.socket.destroy()
})

it('does not store an impossible place, but acknowledges and counts it', async () => {
  const device = await makeDevice(db.admin)
  const line = await dial(text.port)
  line.socket.write(`login ${device.uniqueId}\nfix ${minute} 999\nfix ${Date.now() + 90_000_000} 1\nfix ${minute} 999 sos\n`)
  await line.hear(`ok fix ${minute} 999 sos`)
  const { rows } = await db.admin.query(`select "latitude", "attributes" from geo.position where "deviceId" = $1`, [device.deviceId])
  expect(rows).toEqual([{ latitude: null, attributes: { alarm: 'sos' } }])
  expect(await healthOf(device)).toMatchObject({ refused: '3' })
  line.socket.destroy()
})

it('heartbeats are stored when they change', async () => {
  const device = await makeDevice(db.admin)
  const line = await dial(text.port)
  line.socket.write(`login ${device.uniqueId}\nbeat 4\nbeat 4\nbeat 4\n`)
  await until(() => line.heard().toString().split('ok beat').length === 4)
  expect(await timesOf(device)).toHaveLength(1)
  const {
    rows: [latest],
  } = await db.admin.query(`select "state", "fixTime" from geo.latest where "deviceId" = $1`, [device.deviceId])
  expect(latest).toEqual({ state: { battery: 4 }, fixTime: null })
  line.socket.destroy()
})

it('a mirror receives, answers nobody and refuses nobody', async () => {
  const mirror = await open({ codec: textCodec, isMirror: true })
  const device = await makeDevice(db.admin)
  const line = await dial(mirror.port)
  line.socket.write(`fix ${minute} 1\nlogin ${randomUUID()}\nfix ${minute} 2\nlogin ${device.uniqueId}\nfix ${minute + 1_000} 3\n`)
  await until(async () => (await timesOf(device)).length === 1)
  expect(await timesOf(device)).toEqual([minute + 1_000])
  expect(line.heard()).toHaveLength(0)
  expect(ingestServices.connections.of(device.deviceId)).toBeUndefined()
  line.socket.destroy()
})

it('enforces its limits: sockets per address, unknown devices, silence', async () => {
  const narrow = await open({ codec: textCodec, perAddress: 2, unknownDeviceMs: 1_500 })
  const device = await makeDevice(db.admin)
  const known = await dial(narrow.port)
  known.socket.write(`login ${device.uniqueId}\n`)
  await known.hear('ok login')
  const stranger = await dial(narrow.port)
  await (
    await dial(narrow.port)
  ).ended
  await stranger.ended
  expect(known.socket.closed).toBe(false)
  known.socket.destroy()
  const hasty = await open({ codec: textCodec, idleMs: 1_500 })
  const silent = await dial(hasty.port)
  silent.socket.write(`login ${device.uniqueId}\n`)
  await silent.hear('ok login')
  await silent.ended
})

it('a sender above the rate waits, and loses nothing', async () => {
  const slow = await open({ codec: textCodec, perSecond: 20 })
  const device = await makeDevice(db.admin)
  const line = await dial(slow.port)
  const take = vi.spyOn(ingestServices.writer, 'write')
  line.socket.write(`login ${device.uniqueId}\n`)
  await line.hear('ok login')
  for (const first of [0, 20, 40]) {
    line.socket.write(Array.from({ length: 20 }, (_, n) => `fix ${minute + (first + n) * 1_000} 1\n`).join(''))
    await new Promise((done) => setTimeout(done, 10))
  }
  expect(take.mock.calls.length).toBeLessThan(60)
  await line.hear(`ok fix ${minute + 59_000}`)
  expect(await timesOf(device)).toHaveLength(60)
  take.mockRestore()
  line.socket.destroy()
})

it('datagrams are answered at the sender’s address, after the commit', async () => {
  const udp = await listenUdp(ingestServices, at, { codec: textCodec })
  listeners.push(udp)
  const device = await makeDevice(db.admin)
  const socket = createSocket('udp4')
  const answers: string[] = []
  socket.on('message', (bytes) => answers.push(bytes.toString()))
  for (const line of [
    `${device.uniqueId} fix ${minute} 1`,
    `${randomUUID()} fix ${minute} 1`,
    `${device.uniqueId} fix ${minute + 1_000} 2`,
  ])
    socket.send(line, udp.port, '127.0.0.1')
  await until(() => answers.length === 2)
  expect(answers.toSorted()).toEqual([`ok fix ${minute} 1\n`, `ok fix ${minute + 1_000} 2\n`])
  expect(await timesOf(device)).toEqual([minute, minute + 1_000])
  socket.close()
})

it('sends a command to the device and records its answer; unsupported ones fail, unfetched ones expire', async () => {
  const device = await makeDevice(db.admin)
  const add = async (type: string, more = '') =>
    (
      await db.admin.query<{ id: string; correlation: string }>(
        `insert into geo.command ("companyId", "deviceId", "type", "parameters"${more ? ', "expiresAt"' : ''}) values ($1, $2, $3, '{"data": "getver"}'${more}) returning "id", "correlation"`,
        [device.companyId, device.deviceId, type],
      )
    ).rows[0]
  const states = async () =>
    (
      await db.admin.query(`select "type", "state", "answer", "reason" from geo.command where "deviceId" = $1 order by "id"`, [
        device.deviceId,
      ])
    ).rows
  const custom = await add('custom')
  await add('engineStop')
  await add('late', `, now() - interval '1 s'`)
  await ingestServices.commands.deliver()
  expect((await states()).map((row) => row.state)).toEqual(['queued', 'queued', 'expired'])
  const line = await dial(text.port)
  line.socket.write(`login ${device.uniqueId}\n`)
  await line.hear('ok login')
  await Promise.all([ingestServices.commands.deliver(), ingestServices.commands.deliver()])
  await line.hear(`command ${custom?.correlation} custom getver\n`)
  line.socket.write(`answer ${custom?.correlation} Ver:03.25\n`)
  await until(async () => (await states())[0].state === 'done')
  expect(await states()).toEqual([
    { type: 'custom', state: 'done', answer: 'Ver:03.25', reason: null },
    { type: 'engineStop', state: 'failed', answer: null, reason: 'text has no command engineStop' },
    { type: 'late', state: 'expired', answer: null, reason: 'The device did not come in time' },
  ])
  expect(line.heard().toString().split('command ')).toHaveLength(2)
  line.socket.destroy()
})

it('reports a device as online once, however many frames arrive', async () => {
  const log = createLog({ level: 'silent' })
  const pools = createGeoPools({ url: db.url, secret: db.secret, log, patience: 30 })
  const told: string[][] = []
  const watch = createDeviceStats({
    pool: pools.ingest,
    log,
    everyMs: 3_600_000,
    onStatus: (devices) => told.push(devices.map(({ uniqueId }) => uniqueId)),
  })
  const [first, second] = [await makeDevice(db.admin, { uniqueId: 'there-1' }), await makeDevice(db.admin, { uniqueId: 'there-2' })]
  watch.setOnline(first, true, 'text')
  await watch.flush()
  watch.setOnline(first, true, 'text')
  watch.setOnline(second, true, 'text')
  await watch.flush()
  watch.setOnline(second, true, 'text')
  await watch.flush()
  watch.setOnline(first, false, 'text')
  await watch.flush()
  expect(told).toEqual([['there-1'], ['there-2'], ['there-1']])
  await watch.close()
  await pools.close()
})
