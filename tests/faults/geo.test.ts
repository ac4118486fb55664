import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { geoArea } from '../../apps/server/src/areas/geo/index.ts'
import { createGeoClient } from '../../apps/server/src/kernel/geo-client/client.ts'
import { startChaos, type Chaos, type Toxic } from '../support/chaos.ts'
import { salesAreas } from '../support/sales-areas.ts'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'
import { until } from '../support/until.ts'

// What single answers of the service do is tested in tests/geo; here: what its line does, and what everybody else feels of it.
let upstream: Server
let chaos: Chaos
let app: TestApp
let admin: SignedInClient

beforeAll(async () => {
  upstream = createServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ big: 'x'.repeat(50_000) })),
  ).listen(0, '127.0.0.1')
  await new Promise((done) => upstream.once('listening', done))
  const base = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  chaos = await startChaos(base)
  app = await testApp({
    areas: (machine) => [
      ...salesAreas(machine),
      geoArea(machine, createGeoClient({ url: chaos.through(base), limitMs: 800, pauseMs: 200 })),
    ],
  })
  admin = await app.as(await app.make.user({ role: 'admin' }))
})
afterAll(async () => {
  await chaos.close()
  await app.close()
  upstream.closeAllConnections()
  upstream.close()
})

async function p95Of(calls: number): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < calls; n += 1) {
    const started = performance.now()
    expect((await admin.get('/api/leads?size=5')).status).toBe(200)
    times.push(performance.now() - started)
  }
  return times.sort((a, b) => a - b)[Math.floor(calls * 0.95)] ?? 0
}

it.each<Toxic>([
  { kind: 'refuse' },
  { kind: 'reset' },
  { kind: 'black-hole' },
  { kind: 'cut', afterBytes: 20_000 },
  { kind: 'throttle', bytesPerSecond: 5_000 },
])(
  'the line to the geo service ($kind): its calls end in time as GEO_UNAVAILABLE, others do not feel it, and it comes back (F15)',
  async (toxic) => {
    expect((await admin.get('/geo/positions')).status).toBe(200)
    const alone = await p95Of(60)
    await chaos.set(toxic)
    const started = performance.now()
    const calls = Promise.all(Array.from({ length: 20 }, () => admin.get('/geo/positions')))
    const ended = calls.then(() => performance.now())
    const meanwhile = await p95Of(60)
    expect(new Set((await calls).map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['503 GEO_UNAVAILABLE']))
    expect((await ended) - started).toBeLessThan(6_000)
    expect(meanwhile).toBeLessThan(Math.max(100, alone * 3))
    await chaos.set({ kind: 'pass' })
    // The first call after the pause decides for those behind it.
    await until(async () => (await admin.get('/geo/positions')).status === 200)
  },
)
