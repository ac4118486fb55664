import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gt06Location, gt06Login } from '../../apps/geo/src/ingest/gt06/encode.ts'
import { h02Sentence } from '../../apps/geo/src/ingest/h02/encode.ts'
import { encodeLogin, encodePacket } from '../../apps/geo/src/ingest/teltonika/encode.ts'
import { startOwnPostgres, type OwnPostgres } from '../support/process-postgres.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { freePort } from '../support/port.ts'
import { killServers, startServer, type ServerProcess } from '../support/process.ts'
import { isNightly } from '../support/size.ts'
import { until } from '../support/until.ts'
import { fixAt, makeCompany, makeDevice } from './support/devices.ts'
import { startResender } from './support/resender.ts'
import { dial } from './support/ingest-services.ts'

interface OpenPort {
  protocol: string
  transport: string
  port: number
}

let db: TestDatabase
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'outpost-geo-'))
  db = await testDatabase()
})
afterAll(async () => {
  await killServers()
  await db.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const startGeo = (database: { url: string; secret: string }, ports: string, env: Record<string, string> = {}) =>
  startServer({
    app: 'geo',
    database,
    dataDir,
    env: { DEVICE_PORTS: ports, DEVICE_HOST: '127.0.0.1', PRESSURE_LAG: '0', DATABASE_PATIENCE: '30', ...env },
  })
const portsOf = ({ ready }: ServerProcess) => (ready as { ports: OpenPort[] }).ports
const portOf = (geo: ServerProcess, protocol: string) => portsOf(geo).find((one) => one.protocol === protocol)?.port ?? 0

const start = Date.UTC(2026, 10, 20, 8)
const size = 10
const packetsOf = (count: number) =>
  Array.from({ length: count }, (_, packet) =>
    Array.from({ length: size }, (_fix, n) => fixAt(start + (packet * size + n) * 1_000, { attributes: { ignition: true, sat: 9 } })),
  )

/** Trackers of one company, each with its packets. */
async function fleet(admin: pg.Pool, { port, trackers, packets }: { port: number; trackers: number; packets: number }) {
  const first = await makeDevice(admin, { uniqueId: `352000000${String(port).padStart(5, '0')}0` })
  const others = await Promise.all(
    Array.from({ length: trackers - 1 }, (_, n) =>
      makeDevice(admin, { companyId: first.companyId, uniqueId: `35300000${String(port).padStart(5, '0')}${String(n).padStart(2, '0')}` }),
    ),
  )
  return [first, ...others].map((device) => ({
    device,
    tracker: startResender({ port, uniqueId: device.uniqueId, packets: packetsOf(packets) }),
  }))
}
const countOf = async (admin: pg.Pool, deviceId: string) =>
  Number((await admin.query(`select count(*) as n from geo.position where "deviceId" = $1`, [deviceId])).rows[0].n)

describe('the service as a process', () => {
  it('announces its address; a taken port is only skipped', async () => {
    const taken = createServer()
    const port = await new Promise<number>((done) => taken.listen(0, '127.0.0.1', () => done((taken.address() as { port: number }).port)))
    const geo = await startGeo(db, `teltonika:${port},teltonika:0,osmand:0`, { LOG_LEVEL: 'warn' })
    expect(
      portsOf(geo)
        .map(({ protocol, transport }) => `${protocol} ${transport}`)
        .toSorted(),
    ).toEqual(['osmand http', 'teltonika tcp', 'teltonika udp', 'teltonika udp'])
    expect(geo.output()).toContain('no devices over teltonika (tcp)')
    expect((await fetch(`${geo.url}/readyz`)).status).toBe(200)
    expect(await geo.kill('SIGTERM')).toEqual({ code: 0 })
    taken.close()
  })

  it('reports all invalid settings at once', async () => {
    await expect(startGeo(db, 'morse:5000,teltonika:99999,osmand:1:mirror', { KEEP_DAYS: '-1' })).rejects.toThrow(
      /morse:5000: the protocol must be one of[^]*teltonika:99999: needs a port[^]*osmand:1:mirror[^]*KEEP_DAYS/,
    )
  })

  it('a phone reports over HTTP, and reaches nothing else there', async () => {
    const geo = await startGeo(db, 'osmand:0')
    const device = await makeDevice(db.admin, { uniqueId: 'phone-1' })
    const url = `http://127.0.0.1:${portOf(geo, 'osmand')}`
    expect((await fetch(`${url}/?id=phone-1&lat=-1.28&lon=36.82&timestamp=${start / 1_000}&batt=80`, { method: 'POST' })).status).toBe(200)
    expect(await countOf(db.admin, device.deviceId)).toBe(1)
    expect((await fetch(`${url}/?id=phone-2&lat=-1.28&lon=36.82`)).status).toBeGreaterThanOrEqual(400)
    expect((await fetch(`${url}/devices`)).status).toBe(404)
    await geo.kill()
  })
})

describe('every protocol by its port', () => {
  it('a fix arrives, is answered and has its position', async () => {
    const geo = await startGeo(db, 'teltonika:0,gt06:0,h02:0')
    const companyId = await makeCompany(db.admin)
    const fix = fixAt(start, { attributes: { ignition: true } })
    const spoken: Record<string, { uniqueId: string; words: Uint8Array[] }> = {
      teltonika: { uniqueId: '352000000000011', words: [encodeLogin('352000000000011'), encodePacket([fix])] },
      gt06: {
        uniqueId: '352000000000012',
        words: [gt06Login({ uniqueId: '352000000000012', serial: 1 }), gt06Location(fix, { serial: 2 })],
      },
      h02: { uniqueId: '4209951296', words: [h02Sentence('4209951296', fix)] },
    }
    for (const [protocol, { uniqueId, words }] of Object.entries(spoken)) {
      const device = await makeDevice(db.admin, { companyId, uniqueId })
      const line = await dial(portOf(geo, protocol))
      for (const word of words) {
        const before = line.heard().length
        line.socket.write(word)
        await line.hear(before + 1)
      }
      const { rows } = await db.admin.query(
        `select "fixTime", round("latitude"::numeric, 3)::float8 as latitude, round("longitude"::numeric, 3)::float8 as longitude, round("speed") as speed, "attributes" -> 'ignition' as ignition
        from geo.position where "deviceId" = $1`,
        [device.deviceId],
      )
      expect(rows, protocol).toEqual([{ fixTime: new Date(start), latitude: -1.28, longitude: 36.82, speed: 40, ignition: true }])
      line.socket.destroy()
    }
    expect(await geo.kill('SIGTERM')).toEqual({ code: 0 })
    const { rows } = await db.admin.query(`select "protocol", "status" from geo.device where "companyId" = $1 order by 1`, [companyId])
    expect(rows).toEqual(['gt06', 'h02', 'teltonika'].map((protocol) => ({ protocol, status: 'offline' })))
  })
})

describe('nothing is lost or duplicated', () => {
  it('the service is killed repeatedly while devices send', async () => {
    const port = await freePort()
    let geo = await startGeo(db, `teltonika:${port}`)
    const sending = await fleet(db.admin, { port, trackers: 20, packets: 40 })
    const total = () => sending.reduce((sum, { tracker }) => sum + tracker.acknowledged(), 0)
    for (const goal of isNightly ? [80, 200, 350, 550] : [80, 350]) {
      await until(() => total() >= goal, 30_000)
      await geo.kill('SIGKILL')
      const acknowledged = sending.map(({ tracker }) => tracker.acknowledged())
      const stored = await Promise.all(sending.map(({ device }) => countOf(db.admin, device.deviceId)))
      expect(stored.filter((count, index) => count < (acknowledged[index] ?? 0) * size)).toEqual([])
      geo = await startGeo(db, `teltonika:${port}`)
    }
    await Promise.all(sending.map(({ tracker }) => tracker.done))
    expect(await Promise.all(sending.map(({ device }) => countOf(db.admin, device.deviceId)))).toEqual(sending.map(() => 40 * size))
    expect(await geo.kill('SIGTERM')).toEqual({ code: 0 })
  })

  it('Postgres crashes while devices send: they wait, and continue when it is back', async () => {
    const postgres: OwnPostgres = await startOwnPostgres()
    try {
      const geo = await startGeo(postgres, 'teltonika:0')
      const sending = await fleet(postgres.admin, { port: portOf(geo, 'teltonika'), trackers: 10, packets: 60 })
      const total = () => sending.reduce((sum, { tracker }) => sum + tracker.acknowledged(), 0)
      for (const goal of isNightly ? [60, 200, 400] : [60, 300]) {
        await until(() => total() >= goal, 30_000)
        const before = sending.map(({ tracker }) => tracker.acknowledged())
        await postgres.crash()
        const stored = await Promise.all(sending.map(({ device }) => countOf(postgres.admin, device.deviceId)))
        expect(stored.filter((count, index) => count < (before[index] ?? 0) * size)).toEqual([])
      }
      await Promise.all(sending.map(({ tracker }) => tracker.done))
      expect(await Promise.all(sending.map(({ device }) => countOf(postgres.admin, device.deviceId)))).toEqual(sending.map(() => 60 * size))
      expect(geo.isRunning()).toBe(true)
      await geo.kill()
    } finally {
      await postgres.close()
    }
  }, 180_000)
})
