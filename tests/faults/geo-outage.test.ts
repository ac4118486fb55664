import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHttpStore } from '../../apps/geo/src/ingest/http-store.ts'
import { h02 } from '../../apps/geo/src/ingest/h02/codec.ts'
import { h02Sentence } from '../../apps/geo/src/ingest/h02/encode.ts'
import { listenTcp } from '../../apps/geo/src/ingest/listen/tcp.ts'
import { teltonika } from '../../apps/geo/src/ingest/teltonika/codec.ts'
import { createGeoPools } from '@outpost/platform/db/pool'
import { dial } from '../bench/support/trackers.ts'
import { fixAt, makeCompany, makeDevice } from '../geo/support/devices.ts'
import { startResender } from '../geo/support/resender.ts'
import { openIngestServices } from '../geo/support/ingest-services.ts'
import { startChaos, type Chaos, type Toxic } from '../support/chaos.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { killServers, startServer, type ServerProcess } from '../support/process.ts'
import { until } from '../support/until.ts'
import { isNightly } from '../support/size.ts'

const awayMs = isNightly ? 300_000 : 6_000
const trackers = isNightly ? 400 : 60
const packets = isNightly ? 60 : 25
const idle = isNightly ? 10_000 : 300
/** How long a tracker waits for an answer before it dials again. */
const patienceMs = isNightly ? 20_000 : 600
const size = 10
const start = Date.UTC(2026, 10, 20, 8)

let db: TestDatabase
let chaos: Chaos
let dataDir: string
beforeAll(async () => {
  db = await testDatabase()
  chaos = await startChaos(db.url)
  dataDir = await mkdtemp(join(tmpdir(), 'outpost-outage-'))
})
afterAll(async () => {
  await killServers()
  await chaos.close()
  await db.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const packetsOf = (count: number) =>
  Array.from({ length: count }, (_, packet) =>
    Array.from({ length: size }, (_fix, n) => fixAt(start + (packet * size + n) * 1_000, { attributes: { ignition: true, sat: 9 } })),
  )
const counted = async (companyId: string, deviceId: string | null = null) =>
  Number(
    (
      await db.admin.query<{ n: string }>(
        `select count(*) as n from geo.position where "companyId" = $1 and ($2::uuid is null or "deviceId" = $2)`,
        [companyId, deviceId],
      )
    ).rows[0]?.n,
  )
const memoryOf = async ({ pid }: ServerProcess) => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

it('trackers that reconnect repeatedly while the database is away fill no buffer, and are answered once it is back', async () => {
  const maxRows = 4 * size
  const { ingestServices, close } = openIngestServices({ url: chaos.through(db.url), secret: db.secret }, Date.now, { maxRows })
  const pools = createGeoPools({ url: chaos.through(db.url), secret: db.secret })
  const listener = await listenTcp(ingestServices, { port: 0, host: '127.0.0.1' }, { codec: teltonika })
  const wordless = await listenTcp(ingestServices, { port: 0, host: '127.0.0.1' }, { codec: h02 })
  const companyId = await makeCompany(db.admin)
  const devices = await Promise.all(['352099000000001', '4209900001'].map((uniqueId) => makeDevice(db.admin, { companyId, uniqueId })))
  // Known before it happens, as whoever has been on the road for a while.
  for (const { uniqueId } of devices) await ingestServices.identities.find(uniqueId)
  await chaos.set({ kind: 'refuse' })
  const fleet = Array.from({ length: 8 }, () =>
    startResender({ port: listener.port, uniqueId: '352099000000001', packets: packetsOf(3), patienceMs: 200 }),
  )
  let most = 0
  for (let n = 0; n < 120; n += 1) {
    // No login in front: the first bytes of a line are a place.
    const line = connect(wordless.port, '127.0.0.1', () => line.write(h02Sentence('4209900001', fixAt(start + n * 1_000, {}))))
    setTimeout(() => line.destroy(), 100)
    await wait(15)
    most = Math.max(most, ingestServices.writer.waiting())
  }
  expect(ingestServices.writer.isFull()).toBe(true)
  // One packet more than the limit may be under way.
  expect(most).toBeLessThan(maxRows + size)
  const meta = { protocol: 'osmand', remote: null, token: null, isFeed: false, takesCommand: false, refused: [] }
  await expect(createHttpStore(ingestServices, pools.ingest)('4209900001', [fixAt(start, {})], meta)).rejects.toMatchObject({
    failure: 'UNAVAILABLE',
  })
  await chaos.set({ kind: 'pass' })
  await Promise.all(fleet.map((one) => one.done))
  expect(await counted(companyId, devices[0]?.deviceId)).toBe(3 * size)
  await Promise.all([listener.close(500), wordless.close(500)])
  await Promise.all([close(), pools.close()])
})

it.each<Toxic>([{ kind: 'refuse' }, { kind: 'black-hole' }])(
  'the database is away ($kind) while trackers go on: nobody is lost or doubled, memory stays where it was, idle lines stay open',
  async (toxic) => {
    const companyId = await makeCompany(db.admin)
    const prefix = toxic.kind === 'refuse' ? '3521' : '3522'
    const imei = (n: number) => `${prefix}${String(n).padStart(11, '0')}`
    await db.admin.query(
      `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") select $1, $1, $2 || lpad(n::text, 11, '0'), 'Tracker' from generate_series(0, $3::int) n`,
      [companyId, prefix, trackers + idle],
    )
    const geo = await startServer({
      app: 'geo',
      database: { url: chaos.through(db.url), secret: db.secret },
      dataDir,
      env: { DEVICE_PORTS: 'teltonika:0', DEVICE_HOST: '127.0.0.1', PRESSURE_LAG: '0', LOG_LEVEL: 'fatal', DEVICES_PER_ADDRESS: '20000' },
    })
    const port = (geo.ready as { ports: { port: number }[] }).ports[0]?.port ?? 0
    const lines: Socket[] = []
    for (let first = 0; first < idle; first += 200)
      lines.push(
        ...(await Promise.all(Array.from({ length: Math.min(200, idle - first) }, (_, n) => dial(port, imei(trackers + first + n))))),
      )
    const fleet = Array.from({ length: trackers }, (_, n) =>
      startResender({ port, uniqueId: imei(n), packets: packetsOf(packets), patienceMs, pauseMs: 50 }),
    )
    const sum = () => fleet.reduce((all, one) => all + one.acknowledged(), 0)
    await until(() => sum() > trackers * 2, 60_000)
    const before = await memoryOf(geo)
    await chaos.set(toxic)
    await wait(awayMs)
    const during = await memoryOf(geo)
    // What was acknowledged is there: Postgres itself was never away.
    expect(await counted(companyId)).toBeGreaterThanOrEqual(sum() * size)
    expect(sum()).toBeLessThan(trackers * packets)
    await chaos.set({ kind: 'pass' })
    await Promise.all(fleet.map((one) => one.done))
    expect(await counted(companyId)).toBe(trackers * packets * size)
    expect(lines.filter((line) => line.destroyed)).toEqual([])
    console.log(`${toxic.kind}: ${Math.round(before)} MB before, ${Math.round(during)} MB after ${awayMs / 1_000} s without a database`)
    expect(during - before).toBeLessThan(256)
    for (const line of lines) line.destroy()
    expect(geo.isRunning()).toBe(true)
    await geo.kill()
  },
  awayMs + (isNightly ? 900_000 : 180_000),
)
