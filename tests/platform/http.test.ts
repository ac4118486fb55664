import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Failure } from '@outpost/contract/errors'
import { createCounters } from '@outpost/platform/http/counters'
import { createHttp } from '@outpost/platform/http/create'
import { createLog } from '@outpost/platform/log'
import type { FastifyInstance } from 'fastify'
import { startRedis } from '../support/redis.ts'
import { until } from '../support/until.ts'

let app: FastifyInstance
let port: number
let isOpen = true
let isDatabaseWell = true
const lines: string[] = []
const log = createLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } })

beforeAll(async () => {
  app = await createHttp({
    log,
    counters: createCounters({ log }),
    isHttps: true,
    perAddress: 0,
    pressureLagMs: 0,
    bodyTimeoutMs: 300,
    health: {
      isOpen: () => isOpen,
      checks: [
        { name: 'postgres', isRequired: true, check: () => (isDatabaseWell ? Promise.resolve() : new Promise(() => undefined)) },
        { name: 'redis', isRequired: false, check: () => Promise.reject(new Error('down')) },
      ],
    },
  })
  app.post('/echo', async (request) => ({ body: request.body ?? null }))
  app.delete('/echo', async (request) => ({ body: request.body ?? null }))
  app.get('/secret/:token', async () => ({ ok: true }))
  app.get('/named', async () => {
    throw new Failure('CONFLICT')
  })
  app.get('/broken', async () => {
    throw new Error('select * from secret_table')
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = Number(new URL(app.listeningOrigin).port)
})
afterAll(() => app.close())

test('every answer carries the headers of an API, errors and misses too', async () => {
  for (const url of ['/echo', '/named', '/broken', '/nowhere']) {
    const { headers } = await app.inject({ method: 'GET', url })
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('errors have one shape and reveal no internals', async () => {
  expect((await app.inject('/named')).json()).toMatchObject({ success: false, code: 'CONFLICT', status: 409 })
  const broken = await app.inject('/broken')
  expect(broken.json()).toMatchObject({ success: false, code: 'UNKNOWN', status: 500, message: 'Unkown Error.' })
  expect(broken.body).not.toContain('secret_table')
})

test('JSON only: 13 other content types are refused, a DELETE may have a body, an empty body counts as none', async () => {
  const types = [
    'text/plain',
    'application/xml',
    'text/html',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/json-patch+json',
    'application /json',
    'text/json',
    ' ',
    'application/vnd.api+json',
    'application/javascript',
  ]
  for (const type of types) {
    const answer = await app.inject({ method: 'POST', url: '/echo', headers: { 'content-type': type }, payload: '{"a":1}' })
    expect([type, answer.statusCode >= 400 && answer.statusCode < 500]).toEqual([type, true])
  }
  expect((await app.inject({ method: 'DELETE', url: '/echo', payload: { a: 1 } })).json()).toEqual({ body: { a: 1 } })
  expect((await app.inject({ method: 'POST', url: '/echo', headers: { 'content-type': 'application/json' }, payload: '' })).json()).toEqual(
    { body: null },
  )
  for (const payload of ['{', '{"__proto__":{}}', '{"constructor":{"prototype":{}}}', '{"a":1}}', 'NaN']) {
    const answer = await app.inject({ method: 'POST', url: '/echo', headers: { 'content-type': 'application/json' }, payload })
    expect([payload, answer.statusCode]).toEqual([payload, 400])
  }
  const large = await app.inject({ method: 'POST', url: '/echo', payload: { a: 'x'.repeat(1_100_000) } })
  expect(large.json()).toMatchObject({ code: 'TOO_LARGE', status: 413 })
})

test('/readyz: degraded without an optional dependency, unavailable soon without a required one, off when ending; /healthz stays', async () => {
  const ready = async () => app.inject('/readyz')
  expect((await ready()).json()).toEqual({ status: 'degraded', checks: { postgres: 'ok', redis: 'failing' } })
  isDatabaseWell = false
  const started = performance.now()
  expect((await ready()).statusCode).toBe(503)
  // What it asks of the database is never answered here.
  expect(performance.now() - started).toBeLessThan(5_000)
  isDatabaseWell = true
  isOpen = false
  expect((await ready()).json()).toMatchObject({ status: 'unavailable' })
  isOpen = true
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' })
})

test('/metrics is for private neighbours, and not through a proxy that is not trusted', async () => {
  expect((await app.inject('/metrics')).body).toContain('http_request_seconds')
  expect((await app.inject({ url: '/metrics', remoteAddress: '8.8.8.8' })).statusCode).toBe(404)
  expect((await app.inject({ url: '/metrics', remoteAddress: '10.0.0.2', headers: { 'x-forwarded-for': '8.8.8.8' } })).statusCode).toBe(404)
})

test('/metrics with a token is for whoever sends it, from anywhere, and for nobody else', async () => {
  const metricsToken = 'a token of sixteen letters or more'
  const own = await createHttp({
    log,
    counters: createCounters({ log }),
    pressureLagMs: 0,
    health: { isOpen: () => true, checks: [], metricsToken },
  })
  const status = async (authorization?: string) =>
    (await own.inject({ url: '/metrics', remoteAddress: '8.8.8.8', ...(authorization ? { headers: { authorization } } : {}) })).statusCode
  expect([await status(`Bearer ${metricsToken}`), await status('Bearer another'), await status(metricsToken), await status()]).toEqual([
    200, 404, 404, 404,
  ])
  expect((await own.inject('/metrics')).statusCode).toBe(404)
  await own.close()
})

test('addresses with secrets are logged by their pattern only', async () => {
  await app.inject('/secret/abcdef123456?token=verysecret')
  const text = lines.join('')
  expect(text).toContain('/secret/:token')
  expect(text).not.toMatch(/abcdef123456|verysecret/)
})

test('a body that trickles in ends with 408', async () => {
  const slowBody = connect(port, '127.0.0.1')
  let answer = ''
  slowBody.on('data', (data) => {
    answer += String(data)
  })
  slowBody.on('error', () => undefined)
  slowBody.write('POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a')
  const drip = setInterval(() => slowBody.write(' '), 50)
  await until(() => answer.includes('408'))
  clearInterval(drip)
  slowBody.destroy()
})

test('rate counters: shared through Redis, local without it, and neither open nor broken when it dies', async () => {
  const redis = await startRedis()
  const [one, two] = [createCounters({ redisUrl: redis.url, log }), createCounters({ redisUrl: redis.url, log })]
  await until(async () => {
    await one.hit('probe', 60_000)
    return (await two.peek('probe')) > 0
  })
  // Who has no answer of Redis in time counts for itself.
  let turn = 0
  await until(async () => {
    const key = `shared ${(turn += 1)}`
    await one.hit(key, 60_000)
    return (await two.hit(key, 60_000)).count === 2
  })
  const taken = async () => Promise.all(Array.from({ length: 20 }, () => one.take('attack', 10, 60_000)))
  expect((await taken()).filter(Boolean)).toHaveLength(10)
  await redis.kill()
  expect((await taken()).filter(Boolean)).toHaveLength(0)
  expect(await one.take('other', 1, 60_000)).toBe(true)
  expect(await one.take('other', 1, 60_000)).toBe(false)
  await Promise.all([one.close(), two.close()])
})

test('the general limit answers 429 in our shape, and an untrusted proxy header does not affect it', async () => {
  const limited = await createHttp({
    log,
    counters: createCounters({ log }),
    perAddress: 3,
    pressureLagMs: 0,
    health: { checks: [], isOpen: () => true },
  })
  limited.get('/x', async () => ({}))
  limited.get('/hooks', { config: { rateLimit: false } }, async () => ({}))
  const codes = []
  for (let n = 0; n < 5; n += 1) codes.push((await limited.inject({ url: '/x', headers: { 'x-forwarded-for': `1.2.3.${n}` } })).statusCode)
  expect(codes).toEqual([200, 200, 200, 429, 429])
  expect((await limited.inject('/x')).json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect((await limited.inject('/healthz')).statusCode).toBe(200)
  expect((await limited.inject('/hooks')).statusCode).toBe(200)
  await limited.close()
})
