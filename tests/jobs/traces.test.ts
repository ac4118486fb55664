import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createCounters } from '@outpost/platform/http/counters'
import { createHttp } from '@outpost/platform/http/create'
import { createLog } from '@outpost/platform/log'
import { enqueue } from '@outpost/platform/outbox'
import type { FastifyInstance } from 'fastify'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { geoArea } from '../../apps/server/src/areas/geo/index.ts'
import { defineArea, may, route } from '../../apps/server/src/kernel/area.ts'
import { command } from '../../apps/server/src/kernel/resource/operations.ts'
import { createGeoClient } from '../../apps/server/src/kernel/geo-client/client.ts'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import type { JobDefinition } from '../../apps/server/src/kernel/types.ts'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'
import { startCollector, told, type Collector, type Span } from '../support/collector.ts'
import type { MadeTenant } from '../support/make.ts'
import { until } from '../support/until.ts'

let collector: Collector
let app: TestApp
let geo: FastifyInstance
let jobs: ReturnType<typeof startJobs>
let company: MadeTenant
let admin: SignedInClient

const testJobs: JobDefinition[] = [
  { name: 'test.second', run: async () => undefined },
  {
    name: 'test.first',
    run: async (ctx) => void (await enqueue(ctx.sql, { companyId: ctx.company.id, userId: ctx.user.id, type: 'test.second', payload: {} })),
  },
  {
    name: 'test.broken',
    run: async () => {
      throw new Error('Jane Wanjiku')
    },
  },
]
const testArea = defineArea({
  name: 'test',
  jobs: testJobs,
  routes: [
    route(
      'test.begin',
      'POST',
      '/api/test/begin',
      may('ADMIN/SETTINGS'),
      command(z.strictObject({ name: z.string() }), async (ctx) => {
        await enqueue(
          ctx.sql,
          ['test.first', 'test.broken'].map((type) => ({ companyId: ctx.company.id, userId: ctx.user.id, type, payload: {} })),
        )
        return { data: {} }
      }),
    ),
  ],
})

beforeAll(async () => {
  collector = await startCollector()
  const log = createLog({ level: 'silent' })
  geo = await createHttp({
    log,
    counters: createCounters({ log }),
    health: { checks: [], isOpen: () => true },
    perAddress: 0,
    pressureLagMs: 0,
    keepsRequestId: true,
    traces: { endpoint: collector.endpoint, service: 'outpost-geo' },
  })
  for (const path of ['/positions', '/drivers']) geo.get(path, () => ({ ok: true }))
  await geo.listen({ port: 0, host: '127.0.0.1' })
  const client = createGeoClient({ url: `http://127.0.0.1:${(geo.server.address() as AddressInfo).port}` })
  app = await testApp({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint },
    areas: (machine) => [authArea(machine), geoArea(machine, client), testArea],
  })
  company = await app.make.company()
  admin = await app.as(await app.make.user({ company, role: 'admin' }))
  jobs = startJobs({
    areas: app.areas,
    services: app.services,
    store: { databaseUrl: app.database.url, secret: app.database.secret },
    log,
    sweepMs: 100,
  })
})
afterAll(async () => {
  await jobs.close()
  await app.close()
  await geo.close()
  collector.close()
})

const named = (name: string): Span[] => collector.spans().filter((span) => span.name === name)
const requestOf = (path: string, traceId?: string): Span[] =>
  collector
    .spans()
    .filter((span) => span.name === 'request' && told(span).get('url.path') === path && (traceId === undefined || span.traceId === traceId))

test('a job continues the trace of the request that enqueued it, and a job of that job too', async () => {
  expect((await admin.post('/api/test/begin', { name: 'Jane Wanjiku' })).status).toBe(200)
  await until(
    () => Promise.resolve(['job test.first', 'job test.second', 'job test.broken'].every((name) => named(name).length > 0)),
    20_000,
  )
  const [first, second, broken] = ['job test.first', 'job test.second', 'job test.broken'].map((name) => named(name)[0])
  await until(() => Promise.resolve(requestOf('/api/test/begin').length > 0), 10_000)
  const [request] = requestOf('/api/test/begin')
  expect([first?.traceId, second?.traceId, broken?.traceId]).toEqual([request?.traceId, request?.traceId, request?.traceId])
  expect(second?.parentSpanId).toBe(first?.spanId)
  expect(told(first!).get('job.type')).toBe('test.first')
  expect([broken?.status, first?.status.code ?? 0]).toEqual([{ code: 2 }, 0])
  expect(collector.received.join('\n')).not.toContain('Wanjiku')
})

test('a call to the geo service carries the trace, streamed or read whole, and the service continues it', async () => {
  for (const [path, route] of [
    ['/geo/positions', '/positions'],
    ['/geo/drivers', '/drivers'],
  ] as const) {
    expect((await admin.get(path)).status).toBe(200)
    await until(() => Promise.resolve(requestOf(path).length > 0), 10_000)
    const { traceId } = requestOf(path)[0]!
    await until(() => Promise.resolve(requestOf(route, traceId).length > 0), 10_000)
    const call = named('GET geo').find((span) => span.traceId === traceId)
    expect([call?.kind, requestOf(route, traceId)[0]?.parentSpanId]).toEqual([3, call?.spanId])
  }
})

test('who asks from outside decides neither the trace nor whether there is one', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const before = requestOf('/geo/drivers').length
  expect((await admin.get('/geo/drivers', { traceparent: `00-${traceId}-b7ad6b7169203331-00`, tracestate: 'a=b' })).status).toBe(200)
  await until(() => Promise.resolve(requestOf('/geo/drivers').length > before), 10_000)
  expect(collector.spans().some((span) => span.traceId === traceId)).toBe(false)
})

test('what lies in the outbox is no more than ids; nonsense there begins a trace of its own', async () => {
  const { rows } = await app.database.admin.query<{ trace: string | null }>(`select distinct "trace" from outbox where "companyId" = $1`, [
    company.id,
  ])
  for (const { trace } of rows) if (trace !== null) expect(trace).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  const done = named('job test.second').length
  await app.database.admin.query(
    `insert into outbox ("companyId", "id", "type", "payload", "trace", "userId") values ($1, uuidv7(), 'test.second', '{}', 'nonsense', $2)`,
    [company.id, admin.user.id],
  )
  await until(() => Promise.resolve(named('job test.second').length > done), 10_000)
  expect(named('job test.second').at(-1)?.parentSpanId ?? '').toBe('')
})
