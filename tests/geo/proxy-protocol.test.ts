import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import {
  Command,
  INETProtocol,
  IPv4Address,
  IPv4ProxyAddress,
  Peer,
  TransportProtocol,
  V1ProxyProtocol,
  V2ProxyProtocol,
} from 'proxy-protocol-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { createCounters } from '@outpost/platform/http/counters'
import { createHttp } from '@outpost/platform/http/create'
import { createLog } from '@outpost/platform/log'
import { createHttpStore } from '../../apps/geo/src/ingest/http-store.ts'
import { ingestRoutes } from '../../apps/geo/src/ingest/http.ts'
import { behindProxies } from '../../apps/geo/src/ingest/listen/behind-proxies.ts'
import type { IngestServices } from '../../apps/geo/src/ingest/listen/services.ts'
import { listenTcp, type Listener, type TcpOptions } from '../../apps/geo/src/ingest/listen/tcp.ts'
import { freePort } from '../support/port.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { until } from '../support/until.ts'
import { makeDevice } from './support/devices.ts'
import { dial, openIngestServices } from './support/ingest-services.ts'
import { textCodec } from './support/text-codec.ts'

/** Device ports behind a balancer, over real sockets: this machine is the balancer, trusted or not by setting. */
let db: TestDatabase
let ingestServices: IngestServices
let closeIngestServices: () => Promise<void>
let pools: GeoPools
const listeners: Listener[] = []
const log = createLog({ level: 'silent' })
const minute = Date.UTC(2026, 10, 20, 8)
const open = async (options: Partial<TcpOptions> = {}) => {
  const options_ = { codec: textCodec, proxies: ['10.0.0.0/8', '127.0.0.0/8'], ...options }
  const listener = await listenTcp(ingestServices, { port: 0, host: '127.0.0.1' }, options_)
  listeners.push(listener)
  return listener
}
beforeAll(async () => {
  db = await testDatabase()
  ;({ ingestServices, close: closeIngestServices } = openIngestServices(db))
  pools = createGeoPools({ url: db.url, secret: db.secret, log, patience: 30 })
})
afterAll(async () => {
  await Promise.all(listeners.map((one) => one.close(500)))
  await closeIngestServices()
  await pools.close()
  await db.drop()
})

const headers = (address: string, port = 40_000) => ({
  'version 1': Buffer.from(new V1ProxyProtocol(INETProtocol.TCP4, new Peer(address, port), new Peer('192.0.2.1', 5_027)).build()),
  'version 2': Buffer.from(
    new V2ProxyProtocol(
      Command.PROXY,
      TransportProtocol.STREAM,
      new IPv4ProxyAddress(
        new IPv4Address(address.split('.').map(Number) as [number, number, number, number]),
        port,
        new IPv4Address([192, 0, 2, 1]),
        5_027,
      ),
    ).build(),
  ),
})
/** Where a device was last heard from, as an operator reads it. */
const remoteOf = async (deviceId: string) => {
  await ingestServices.deviceStats.flush()
  const { rows } = await db.admin.query<{ remote: string }>(
    `select "lastRemote" as "remote" from geo.device_health where "deviceId" = $1`,
    [deviceId],
  )
  return rows[0]?.remote
}

it.each(['version 1', 'version 2'] as const)(
  'a tracker behind a balancer has its own address, by %s, however the bytes are cut',
  async (version) => {
    const { port } = await open()
    const header = headers('203.0.113.9', 51_234)[version]
    for (const size of [1, 7, 13, 1_000]) {
      const device = await makeDevice(db.admin)
      const bytes = Buffer.concat([header, Buffer.from(`login ${device.uniqueId}\nfix ${minute} 1\n`)])
      const line = await dial(port)
      for (let start = 0; start < bytes.length; start += size) {
        line.socket.write(bytes.subarray(start, start + size))
        await new Promise((done) => setImmediate(done))
      }
      await line.hear(`ok fix ${minute} 1`)
      expect(line.heard().toString()).toBe(`ok login ${device.uniqueId}\nok fix ${minute} 1\n`)
      expect(await remoteOf(device.deviceId)).toBe('203.0.113.9:51234')
      line.socket.destroy()
    }
  },
)

it('sockets are counted by the address of the tracker, not by that of the balancer', async () => {
  const { port, sockets } = await open({ perAddress: 1 })
  const begin = async (address: string) => {
    const line = await dial(port)
    line.socket.write(headers(address)['version 2'])
    return line
  }
  const first = await begin('203.0.113.1')
  const others = [await begin('203.0.113.2'), await begin('203.0.113.3')]
  await until(() => sockets() === 3)
  await (
    await begin('203.0.113.1')
  ).ended
  expect([first, ...others].map(({ socket }) => socket.closed)).toEqual([false, false, false])
  for (const { socket } of [first, ...others]) socket.destroy()
  await until(() => sockets() === 0)
  // Its place is free again.
  const again = await begin('203.0.113.1')
  await until(() => sockets() === 1)
  again.socket.destroy()
})

it('whoever is no balancer names no address: what it says first is what a tracker says', async () => {
  const { port } = await open({ proxies: ['10.0.0.0/8'] })
  const plain = await makeDevice(db.admin)
  const line = await dial(port)
  line.socket.write(`login ${plain.uniqueId}\n`)
  await line.hear('ok login')
  expect(ingestServices.connections.of(plain.deviceId)?.remote).toMatch(/^127\.0\.0\.1:/)
  line.socket.destroy()
  for (const header of Object.values(headers('203.0.113.66'))) {
    const device = await makeDevice(db.admin)
    const spoofed = await dial(port)
    spoofed.socket.write(Buffer.concat([header, Buffer.from(`\nlogin ${device.uniqueId}\nfix ${minute} 1\n`)]))
    await Promise.race([spoofed.ended, spoofed.hear('ok fix').catch(() => undefined)])
    expect(String(await remoteOf(device.deviceId))).not.toContain('203.0.113')
    spoofed.socket.destroy()
  }
  const { rows } = await db.admin.query(
    `select 1 from geo.device_health where "lastRemote" like '203.0.113.66%' union all select 1 from geo.unlinked where "remote" like '203.0.113.66%'`,
  )
  expect(rows).toEqual([])
})

it('from a balancer a correct header must come: nothing else, half of one and silence end the connection', async () => {
  const { port, sockets } = await open({ headerMs: 150 })
  const device = await makeDevice(db.admin)
  const { 'version 1': first, 'version 2': second } = headers('203.0.113.9')
  const wrong = Buffer.from(second)
  wrong[12] = 0x31
  for (const bytes of [
    Buffer.from(`login ${device.uniqueId}\n`),
    Buffer.from('PROXY TCP4 nobody 1.2.3.4 1 1\r\n'),
    wrong,
    first.subarray(0, 20),
    second.subarray(0, 20),
    Buffer.alloc(0),
  ]) {
    const line = await dial(port)
    line.socket.write(bytes)
    await line.ended
    expect(line.heard()).toHaveLength(0)
  }
  expect(sockets()).toBe(0)
  expect(await remoteOf(device.deviceId)).toBeUndefined()
  // A check that only connects.
  const check = await dial(port)
  check.socket.end()
  await check.ended
})

it('a connection that waits for its header does not hold up the end of the service', async () => {
  const listener = await listenTcp(
    ingestServices,
    { port: 0, host: '127.0.0.1' },
    { codec: textCodec, proxies: ['127.0.0.1'], headerMs: 60_000 },
  )
  const line = await dial(listener.port)
  line.socket.write('PROXY ')
  await until(async () => line.socket.bytesWritten === 6)
  await listener.close(100)
  await line.ended
})

async function openHttp(proxies: string[]): Promise<{ http: FastifyInstance; port: number }> {
  const http = await createHttp({
    log,
    counters: createCounters({ log }),
    health: { isOpen: () => true, checks: [] },
    perAddress: 0,
    pressureLagMs: 0,
  })
  await http.register(ingestRoutes, { store: createHttpStore(ingestServices, pools.ingest), now: () => minute })
  behindProxies(http.server, { proxies, log })
  await http.listen({ port: 0, host: '127.0.0.1' })
  const address = http.server.address()
  return { http, port: typeof address === 'object' && address ? address.port : 0 }
}

it('phones over HTTP too: header and request in one packet or byte by byte, two requests on one line', async () => {
  const { http, port } = await openHttp(['127.0.0.1'])
  for (const [version, header] of Object.entries(headers('203.0.113.77', 5))) {
    const device = await makeDevice(db.admin)
    const request = (second: number) =>
      `GET /?id=${device.uniqueId}&lat=-1.28&lon=36.82&timestamp=${minute / 1_000 + second} HTTP/1.1\r\nhost: x\r\n\r\n`
    const line = await dial(port)
    if (version === 'version 1') line.socket.write(Buffer.concat([header, Buffer.from(request(0))]))
    else
      for (const byte of Buffer.concat([header, Buffer.from(request(0))])) {
        line.socket.write(Buffer.from([byte]))
        await new Promise((done) => setImmediate(done))
      }
    await line.hear('HTTP/1.1 200')
    line.socket.write(request(1))
    await until(() => line.heard().toString().split('HTTP/1.1 200').length === 3)
    expect(await remoteOf(device.deviceId)).toBe('203.0.113.77')
    line.socket.destroy()
  }
  const without = await dial(port)
  without.socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await without.ended
  expect(without.heard()).toHaveLength(0)
  await http.close()
})

const answers = (port: number) =>
  new Promise<boolean>((done) => {
    const probe = connect(port, '127.0.0.1', () => {
      probe.destroy()
      done(true)
    }).on('error', () => done(false))
  })
const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0

it.skipIf(!hasHaproxy).each(['send-proxy', 'send-proxy-v2'])(
  'HAProxy itself, where there is one, is understood with %s',
  async (option) => {
    const { port } = await open()
    const dir = await mkdtemp(join(tmpdir(), 'outpost-haproxy-'))
    const front = await freePort()
    await writeFile(
      join(dir, 'haproxy.cfg'),
      `defaults\n  mode tcp\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s\nlisten trackers\n  bind 127.0.0.1:${front}\n  server geo 127.0.0.1:${port} ${option}\n`,
    )
    const haproxy: ChildProcess = spawn('haproxy', ['-db', '-f', join(dir, 'haproxy.cfg')], { stdio: 'ignore' })
    try {
      const device = await makeDevice(db.admin)
      await until(() => answers(front))
      const line = await dial(front)
      const own = (line.socket.address() as { port: number }).port
      line.socket.write(`login ${device.uniqueId}\nfix ${minute} 1\n`)
      await line.hear('ok fix')
      expect(await remoteOf(device.deviceId)).toBe(`127.0.0.1:${own}`)
      line.socket.destroy()
    } finally {
      const ended = new Promise((done) => haproxy.once('exit', done))
      haproxy.kill('SIGKILL')
      await ended
      await rm(dir, { recursive: true, force: true })
    }
  },
)
