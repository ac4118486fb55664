import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createVerifier } from 'fast-jwt'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { geoArea } from '../../apps/server/src/areas/geo/index.ts'
import { createGeoClient } from '../../apps/server/src/kernel/geo-client/client.ts'
import { deriveTokenKeys } from '@outpost/platform/keys'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { getRaw } from '../support/raw.ts'

type Answerer = (request: IncomingMessage, response: ServerResponse) => void
const sendJson =
  (value: unknown, status = 200): Answerer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }

let app: TestApp
let upstream: Server
let base: string
let url: string
let answerer: Answerer
let seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []
let company: MadeTenant
let admin: SignedInClient

/** `limitMs`: how long a call waits for the service; without it as long as in production, for a busy machine takes its time. */
const openApp = (limits: { limitMs?: number } = {}): Promise<TestApp> =>
  testApp({
    areas: (machine) => [
      authArea(machine),
      geoArea(machine, createGeoClient({ ...limits, url: base, maxBytes: 100_000, clock: machine.services.clock })),
    ],
  })

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let body = ''
    request.on('data', (data: Buffer) => {
      body += data.toString()
    })
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      answerer(request, response)
    })
  })
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done))
  const { port } = upstream.address() as { port: number }
  base = `http://127.0.0.1:${port}/v1`
  app = await openApp()
  url = await app.listen()
  company = await app.make.company()
  admin = await app.as(await app.make.user({ company, role: 'admin' }))
})
afterAll(async () => {
  await app.close()
  upstream.closeAllConnections()
  upstream.close()
})
beforeEach(() => {
  seen = []
  answerer = sendJson({ ok: true })
})
/** The client's default: how long it sends nothing to a service that failed too often. */
const pauseSeconds = 10
/** Lets the breaker close again between tests that open it. */
const rest = async () => {
  app.clock.move(pauseSeconds)
  answerer = sendJson({ ok: true })
  await admin.get('/geo/positions')
  seen = []
}

test('a call is forwarded with our own token and nothing of the client', async () => {
  answerer = sendJson([{ id: 5, name: 'Depot', companyId: company.id }])
  const { status, body } = await admin.get('/geo/geofences?_dc=123&deviceId=d-1', {
    cookie: 'x=1',
    'x-evil': '1',
    connection: 'authorization',
    'x-forwarded-host': 'evil.test',
    'user-agent': 'evil',
  })
  expect([status, body]).toEqual([200, [{ id: 5, name: 'Depot', companyId: company.id }]])
  expect(seen).toHaveLength(1)
  expect(seen[0]?.url).toBe('/v1/geofences?deviceId=d-1')
  expect(Object.keys(seen[0]?.headers ?? {}).sort()).toEqual(['accept', 'authorization', 'connection', 'host', 'x-request-id'])
  const token = String(seen[0]?.headers.authorization).replace('Bearer ', '')
  expect(token).not.toBe(admin.token)
  const key = deriveTokenKeys(app.database.secret, 1).current.publicKey.export({ format: 'pem', type: 'spki' })
  const claims = createVerifier({ key, algorithms: ['EdDSA'], allowedAud: 'outpost-geo' })(token) as Record<string, unknown>
  expect(claims).toMatchObject({ sub: admin.user.id, cid: company.id, scope: '*', typ: 'service' })
  expect(Number(claims.exp) - Number(claims.iat)).toBeLessThanOrEqual(60)
  expect((await admin.get('/api/auth/sessions', { authorization: `Bearer ${token}` })).status).toBe(401)
})

test('all 40 calls of the specification reach their own path with their own method', async () => {
  const expected: [method: 'get' | 'post' | 'put' | 'del', path: string][] = [
    ...['geofences', 'devices', 'commands', 'eventIos', 'eventActions'].flatMap((name): ['get' | 'post' | 'put' | 'del', string][] => [
      ['get', name],
      ['post', name],
      ['get', `${name}/7`],
      ['put', `${name}/7`],
      ['del', `${name}/7`],
    ]),
    ['get', 'drivers'],
    ['post', 'drivers'],
    ['put', 'drivers/7'],
    ['del', 'drivers/7'],
    ['get', 'devices/search?search=KAA'],
    ['post', 'devices/sendCommand/7/engineStop'],
    ['get', 'positions'],
    ['get', 'positions/7'],
    ['get', 'mapzoom/zoom/15/0/0?forceNoSum=0'],
    ['get', 'permissions/'],
    ['post', 'permissions/'],
    ['del', 'permissions/'],
    ['get', 'deviceTrips/trip?deviceid=7&fromdate=2026-01-01&todate=2026-01-02'],
    ['get', `usertraking/trip?userId=${admin.user.id}&fromdate=2026-01-01&todate=2026-01-02`],
    ['get', 'geocoding/position/-1.286389,36.817223'],
  ]
  const totals = { trips: 0, stops: 0, metres: 0, gapMetres: 0, movingSeconds: 0, idleSeconds: 0, maxSpeed: null }
  for (const [method, path] of expected) {
    // What the server adds to is read.
    const trips = { user: { id: admin.user.id, deviceIds: [] }, trips: [], stops: [], totals }
    answerer = sendJson(path.startsWith('usertraking') ? { success: true, data: trips } : { ok: true })
    const { status } = method === 'get' ? await admin.get(`/geo/${path}`) : await admin[method](`/geo/${path}`, { name: 'x' })
    // A command is taken, not yet carried out.
    expect([method, path, status]).toEqual([method, path, path.includes('sendCommand') ? 202 : 200])
    const { method: sent, url } = seen.at(-1) ?? {}
    expect([sent, decodeURIComponent(url ?? '')]).toEqual([
      { get: 'GET', post: 'POST', put: 'PUT', del: 'DELETE' }[method],
      `/v1/${path.replace(/\/$/, '')}`,
    ])
  }
  expect(expected).toHaveLength(40)
})

test('bodies are forwarded as JSON, with the kind of entity set by us', async () => {
  await admin.post('/geo/eventIos', { name: 'Speed', type: 'evil', attributes: { limit: 80 } })
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ name: 'Speed', type: 'event', attributes: { limit: 80 } })
})

test('60 hostile paths never reach the service beyond the list', async () => {
  const hostile = [
    '/geo//evil.com/x',
    '/geo/../api/auth/sessions',
    '/geo/%2e%2e/admin',
    '/geo/geofences/../../admin',
    '/geo/geofences/..%2f..%2fadmin',
    '/geo/geofences/%2e%2e%2fadmin',
    '/geo/geofences/%252e%252e%252fadmin',
    '/geo/geofences/..;/admin',
    '/geo/geofences/.%00./x',
    '/geo/geofences/%00',
    '/geo/geofences/a%0d%0aHost:evil',
    '/geo/geofences/..\\admin',
    '/geo/geofences/..%5cadmin',
    '/geo/geofences/%c0%ae%c0%ae',
    '/geo/geofences/..',
    '/geo/geofences/.',
    '/geo/geofences/a%2fb',
    '/geo/geofences/a/b',
    '/geo/geofences/a%3fx=1',
    '/geo/geofences/a%23x',
    '/geo/geofences/a;b',
    '/geo/geofences/a:b',
    '/geo/geofences/@evil.com',
    '/geo/geofences/http:%2f%2fevil.com',
    '/geo/users',
    '/geo/session',
    '/geo/server',
    '/geo/admin',
    '/geo/',
    '/geo',
    '/geo/geofences?admin=1',
    '/geo/geofences?deviceId=1&x=1',
    '/geo/geofences?deviceId=1&deviceId=2',
    `/geo/geofences?deviceId=${'a'.repeat(300)}`,
    `/geo/geofences/${'a'.repeat(65)}`,
    '/geo/positions?userId=1',
    '/geo/mapzoom/zoom/15/0',
    '/geo/mapzoom/zoom/a/0/0',
    '/geo/mapzoom/zoom/15/0/..',
    '/geo/mapzoom/zoom/150/0/0',
    '/geo/mapzoom/zoom/15/0/0/0',
    '/geo/mapzoom/..',
    '/geo/geocoding/position/..',
    '/geo/geocoding/position/1',
    '/geo/geocoding/position/1,2,3',
    '/geo/geocoding/position/a,b',
    '/geo/geocoding/position/1%2f2',
    '/geo/geocoding/..',
    '/geo/devices/search/x',
    '/geo/devices/sendCommand/7',
    '/geo/deviceTrips',
    '/geo/deviceTrips/..',
    '/geo/deviceTrips/trip/x',
    '/geo/usertracking/trip',
    '/geo/permissions/7',
    '/geo/permissions/..',
    '/geo/drivers/..%2fadmin',
    '/geo/eventIos/..%2f',
    '/geo/GEOFENCES',
    '/geo/geoFences',
  ]
  expect(hostile).toHaveLength(60)
  for (const path of hostile) {
    const { status } = await getRaw(url, path, admin.token)
    expect([path, [400, 404, 422].includes(status)]).toEqual([path, true])
  }
  expect(seen).toEqual([])
  for (const path of ['/geo/devices/sendCommand/7/..%2fx', '/geo/devices/sendCommand/7/engine-stop', '/geo/devices/sendCommand/../x']) {
    expect([400, 404, 422]).toContain((await admin.post(path, {})).status)
  }
  expect(seen).toEqual([])
})

test('each call requires its permission', async () => {
  const officer = await app.as(
    await app.make.user({ company, role: await app.make.role({ company, name: 'Viewer', permissions: ['SALES/AGENT/POSITION'] }) }),
  )
  const nothing = await app.as(
    await app.make.user({ company, role: await app.make.role({ company, name: 'None', permissions: ['CRM/REPORTS'] }) }),
  )
  expect((await officer.get('/geo/positions')).status).toBe(200)
  expect((await officer.post('/geo/geofences', {})).status).toBe(403)
  expect((await officer.post('/geo/devices/sendCommand/7/engineStop', {})).status).toBe(403)
  expect((await nothing.get('/geo/positions')).status).toBe(403)
  expect((await app.nobody.get('/geo/positions')).status).toBe(401)
})

test('refusals of the service are returned in our shape; its own failures are GEO_UNAVAILABLE', async () => {
  answerer = sendJson({ message: 'no such fence', stack: 'at secret' }, 404)
  expect((await admin.get('/geo/geofences/9')).body).toMatchObject({ code: 'NOT_FOUND', message: 'no such fence' })
  answerer = sendJson({ message: 'wrong', fields: [{ field: 'name', message: 'is required' }] }, 422)
  expect((await admin.post('/geo/geofences', {})).body).toMatchObject({
    code: 'INVALID',
    fields: [{ field: 'name', message: 'is required' }],
  })
  const troubles: [string, Answerer][] = [
    ['500', sendJson({ stack: 'secret' }, 500)],
    ['401', sendJson({}, 401)],
    ['html', (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    ['html that says JSON', (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('<html>')],
  ]
  for (const [name, trouble] of troubles) {
    answerer = trouble
    const { status, body, text } = await admin.get('/geo/positions')
    expect([name, status, body.code]).toEqual([name, 503, 'GEO_UNAVAILABLE'])
    expect(text).not.toContain('secret')
  }
  await rest()
})

test('rows of another company are blocked', async () => {
  answerer = sendJson({ data: { positions: [{ companyId: company.id }, { device: { companyId: crypto.randomUUID(), name: 'ZZB' } }] } })
  const { status, text } = await admin.get('/geo/positions')
  expect(status).toBe(503)
  expect(text).not.toContain('ZZB')
  await rest()
})

test('slow drips, silence, endless answers and redirects end in time', async () => {
  const endings: [string, Answerer][] = [
    ['silence', () => undefined],
    [
      'slow drip',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const timer = setInterval(() => response.write(' '), 50)
        response.on('close', () => clearInterval(timer))
      },
    ],
    [
      'too large',
      (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(200_000)}"`),
    ],
    ['redirect', (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ]
  const impatient = await openApp({ limitMs: 400 })
  const client = await impatient.as(await impatient.make.user({ role: 'admin' }))
  for (const [name, ending] of endings) {
    answerer = ending
    const started = performance.now()
    expect([name, (await client.get('/geo/positions')).status]).toEqual([name, 503])
    expect([name, performance.now() - started < 5_000]).toEqual([name, true])
  }
  await impatient.close()
})

test('after five consecutive failures the service is not called for a while, then one call tries', async () => {
  answerer = sendJson({}, 500)
  for (let n = 0; n < 8; n += 1) expect((await admin.get('/geo/positions')).status).toBe(503)
  expect(seen).toHaveLength(5)
  answerer = sendJson({ ok: true })
  expect((await admin.get('/geo/positions')).status).toBe(503)
  app.clock.move(pauseSeconds)
  expect((await admin.get('/geo/positions')).status).toBe(200)
  expect((await admin.get('/geo/positions')).status).toBe(200)
})

test('without a service every call is refused as such', async () => {
  const bare = await testApp({ areas: (machine) => [authArea(machine), geoArea(machine)] })
  const client = await bare.as(await bare.make.user({ role: 'admin' }))
  expect((await client.get('/geo/positions')).body).toMatchObject({ code: 'GEO_UNAVAILABLE', status: 503 })
  await bare.close()
})
