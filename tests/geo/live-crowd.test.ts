import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LivePosition } from '@outpost/contract/geo/calls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { geoArea } from '../../apps/server/src/areas/geo/index.ts'
import { createGeoClient } from '../../apps/server/src/kernel/geo-client/client.ts'
import { testApp, type TestApp } from '../support/app.ts'
import { killServers, startServer, type ServerProcess } from '../support/process.ts'
import { openSocket, type TestSocket } from '../support/socket.ts'
import { until } from '../support/until.ts'
import { fixAt } from './support/devices.ts'
import { startResender } from './support/resender.ts'

// The small form of tests/bench/geo-live.bench.ts: what it measures, here only that nobody misses anything.
const devices = 120
const moves = 5
const people = 4
const socketsEach = 5

let app: TestApp
let geo: ServerProcess
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'outpost-crowd-'))
  // Nobody calls the service here; that there is one lets people follow it.
  app = await testApp({
    isRelayShared: true,
    areas: (machine) => [
      authArea(machine),
      geoArea(machine, { ...createGeoClient({ url: undefined }), call: () => Promise.reject(new Error('no call is expected')) }),
    ],
  })
  geo = await startServer({
    app: 'geo',
    database: app.database,
    dataDir,
    env: { DEVICE_PORTS: 'teltonika:0', DEVICE_HOST: '127.0.0.1', PRESSURE_LAG: '0', DATABASE_PATIENCE: '30' },
  })
})
afterAll(async () => {
  await killServers()
  await app.close()
  await rm(dataDir, { recursive: true, force: true })
})

const imeiOf = (n: number) => `357${String(n).padStart(12, '0')}`
/** The greatest number of a place counts. */
function newestOf({ heard }: TestSocket): Map<string, LivePosition> {
  const newest = new Map<string, LivePosition>()
  for (const one of heard.filter(({ event }) => event === 'positions').flatMap(({ data }) => data.positions as LivePosition[])) {
    if ((newest.get(one.deviceId)?.seq ?? -1) < one.seq) newest.set(one.deviceId, one)
  }
  return newest
}

it('a moving fleet and many sockets: each ends with the newest position of each vehicle', async () => {
  const { make, database } = app
  const url = await app.listen()
  const company = await make.company()
  await database.admin.query(
    `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") select $1, $1, '357' || lpad(n::text, 12, '0'), 'Tracker ' || n from generate_series(0, $2::int - 1) n`,
    [company.id, devices],
  )
  const sockets: TestSocket[] = []
  for (let person = 0; person < people; person += 1) {
    const client = await app.as(
      await make.user({ company, role: await make.role({ company, name: randomUUID(), permissions: ['SALES/AGENT/POSITION'] }) }),
      { tenant: company },
    )
    for (let n = 0; n < socketsEach; n += 1) sockets.push(await openSocket(url, client))
  }
  await Promise.all(sockets.map((one) => one.next('session')))
  for (const one of sockets) one.send('followPositions')
  const port =
    (geo.ready as unknown as { ports: { transport: string; port: number }[] }).ports.find(({ transport }) => transport === 'tcp')?.port ?? 0
  const start = Date.now() - moves * 1_000
  const latitudeOf = (n: number, move: number) => -1 - n / 1_000 - move / 100_000
  const packets = (n: number) =>
    Array.from({ length: moves }, (_, move) => [fixAt(start + move * 1_000, { latitude: latitudeOf(n, move) })])
  await Promise.all(
    Array.from({ length: devices }, (_, n) => startResender({ port, uniqueId: imeiOf(n), packets: packets(n), pauseMs: 200 }).done),
  )
  const expected = Array.from({ length: devices }, (_, n) => latitudeOf(n, moves - 1).toFixed(5)).toSorted()
  const seenBy = (one: TestSocket) => [...newestOf(one).values()].map(({ latitude }) => latitude.toFixed(5)).toSorted()
  await until(() => sockets.every((one) => seenBy(one).join() === expected.join()), 20_000).catch(() => undefined)
  for (const one of sockets) {
    expect(seenBy(one)).toEqual(expected)
    one.socket.close()
  }
})
