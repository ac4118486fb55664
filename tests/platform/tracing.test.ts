import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCounters } from '@outpost/platform/http/counters'
import { createHttp } from '@outpost/platform/http/create'
import { createLog } from '@outpost/platform/log'
import { inSpan, traceparent } from '@outpost/platform/trace'
import { readServerEnv } from '../../apps/server/src/env.ts'
import { startCollector, told, type Collector } from '../support/collector.ts'
import { until } from '../support/until.ts'

let collector: Collector
let endpoint = ''
let received: string[] = []
beforeAll(async () => {
  collector = await startCollector()
  ;({ endpoint, received } = collector)
})
afterAll(() => collector.close())
const spans = () => collector.spans()

async function served(to: string | undefined) {
  const log = createLog({ level: 'silent' })
  const health = { checks: [], isOpen: () => true }
  const http = await createHttp({
    log,
    counters: createCounters({ log }),
    health,
    pressureLagMs: 0,
    traces: { endpoint: to, service: 'outpost-test' },
  })
  http.get('/links/:secret', () => ({ data: {} }))
  http.get('/broken/:secret', () => {
    throw new Error('somebody’s name')
  })
  await http.ready()
  return http
}

it('each request is a span of its route, with its request id and status and nothing of its address or of an error’s words', async () => {
  const http = await served(endpoint)
  const { headers } = await http.inject('/links/a-secret-of-a-link?also=secret')
  await http.inject('/broken/a-secret-of-a-link')
  await http.inject('/nowhere/a-secret-of-a-link')
  await http.close()
  await until(() => Promise.resolve(spans().some((span) => told(span).get('http.response.status_code') === 404)), 10_000)
  expect(received.every((one) => one.startsWith('/v1/traces ') && one.includes('outpost-test'))).toBe(true)
  const requests = spans()
    .map(told)
    .filter((one) => one.has('request.id'))
  expect(requests.map((one) => [one.get('url.path'), one.get('http.response.status_code')])).toEqual([
    ['/links/:secret', 200],
    ['/broken/:secret', 500],
    ['(unknown)', 404],
  ])
  expect(requests[0]?.get('request.id')).toBe(headers['x-request-id'])
  for (const secret of ['a-secret-of-a-link', 'also=secret', 'somebody’s name']) expect(received.join('\n')).not.toContain(secret)
})

it('a collector that is away holds up neither answers nor the end', async () => {
  const http = await served('http://127.0.0.1:1')
  expect((await http.inject('/links/x')).statusCode).toBe(200)
  await http.close()
})

it('when it is closed, what else runs in the process is not traced any more, and another one can begin', async () => {
  const running = () => inSpan('test', {}, () => Promise.resolve(traceparent()))
  for (const turn of [1, 2]) {
    const http = await served(endpoint)
    expect(await running(), `turn ${turn}`).toMatch(/^00-/)
    const second = await served(endpoint)
    await second.close()
    expect(await running(), `turn ${turn}`).toMatch(/^00-/)
    await http.close()
    expect(await running(), `turn ${turn}`).toBeUndefined()
  }
})

it('without the setting nothing is loaded, nothing is sent', async () => {
  const before = received.length
  const http = await served(undefined)
  expect(http.hasRequestDecorator('opentelemetry')).toBe(false)
  await http.inject('/links/x')
  await http.close()
  expect(received.length).toBe(before)
  // prom-client brings the empty API; what measures and sends is loaded by the setting alone.
  const script = `await import('@outpost/platform/http/create')
    const loaded = Object.keys(process.getBuiltinModule('node:module')._cache)
    console.log(loaded.length > 100, loaded.filter((one) => /@opentelemetry.(sdk|exporter|instrumentation)|@fastify.otel/.test(one)).length)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: resolve(import.meta.dirname, '../../apps/server'),
  })
  expect(stdout.trim()).toBe('true 0')
})

it('the setting is an address', async () => {
  const settings = { DATABASE_URL: 'postgres://127.0.0.1/none', SECRET: 'x'.repeat(32), DATA_DIR: '/tmp/none' }
  expect((await readServerEnv({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).OTEL_EXPORTER_OTLP_ENDPOINT).toBe(endpoint)
  await expect(readServerEnv({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).rejects.toThrow(
    'OTEL_EXPORTER_OTLP_ENDPOINT: must be',
  )
})
