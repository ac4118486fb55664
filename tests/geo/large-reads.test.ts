import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { geoCalls, type GeoCallDefinition } from '@outpost/contract/geo/calls'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { geoArea } from '../../apps/server/src/areas/geo/index.ts'
import { createGeoClient } from '../../apps/server/src/kernel/geo-client/client.ts'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { until } from '../support/until.ts'

/** Of the client, after five failures. */
const pauseSeconds = 10
let app: TestApp
let upstream: Server
let url: string
let answerer: (request: IncomingMessage, response: ServerResponse) => void
let seen: { url: string; headers: IncomingMessage['headers'] }[] = []
let company: MadeTenant
let admin: SignedInClient

beforeAll(async () => {
  upstream = createServer((asked, response) => {
    seen.push({ url: asked.url ?? '', headers: asked.headers })
    answerer(asked, response)
  })
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done))
  const { port } = upstream.address() as { port: number }
  app = await testApp({
    areas: (machine) => [
      authArea(machine),
      geoArea(machine, createGeoClient({ url: `http://127.0.0.1:${port}/v1/`, maxBytes: 4_000_000, clock: machine.services.clock })),
    ],
  })
  url = await app.listen()
  company = await app.make.company()
  admin = await app.as(await app.make.user({ company, role: 'admin' }))
})
afterAll(async () => {
  await app.close()
  upstream.closeAllConnections()
  upstream.close()
})
beforeEach(async () => {
  // A good answer closes the breaker that an earlier test has opened, once its pause is over.
  answerer = sending(small)
  app.clock.move(pauseSeconds)
  await until(async () => (await admin.get('/geo/drivers')).status === 200)
  seen = []
})

const rows = (count: number, last: Record<string, unknown> = {}) =>
  JSON.stringify({
    success: true,
    position: [...Array.from({ length: count }, (_, id) => ({ id, companyId: company.id, place: 'Güterstraße' })), last],
  })
/** Without data, so that any call may answer it. */
const small = '{"ok":true}'
const large = () => rows(20_000)
const sending =
  (text: string, headers: Record<string, string> = {}): typeof answerer =>
  (_asked, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text), ...headers })
      .end(text)

interface Got {
  status: number
  headers: IncomingMessage['headers']
  bytes: Buffer
  isWhole: boolean
}
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<Got>((done, refuse) => {
    const asked = request(`${url}${path}`, { method, headers: { authorization: `Bearer ${admin.token}`, ...headers } }, (answer) => {
      const chunks: Buffer[] = []
      const end = () =>
        done({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks), isWhole: answer.complete })
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('error', end).once('end', end)
    })
    asked.once('error', refuse)
    asked.end()
  })

test('each read that may be large is one the service filters alone: no body, no parts of the caller’s, nothing added', () => {
  const large = (Object.entries(geoCalls) as [string, GeoCallDefinition][]).filter(([, call]) => call.isLarge === true)
  expect(large.map(([name]) => name).toSorted()).toEqual([
    'commands.sent',
    'deviceTrips',
    'devices.hardware',
    'devices.list',
    'devices.search',
    'devices.unlinked',
    'events.changes',
    'events.list',
    'geofences.list',
    'permissions.list',
    'positions.changes',
    'positions.list',
    'positions.page',
  ])
  for (const [, call] of large) expect([call.method, call.path.includes(':'), call.isTagged]).toEqual(['GET', false, undefined])
  // The server adds the person's work to it, for those in reach.
  expect((geoCalls.userTrips as GeoCallDefinition).isLarge).toBeUndefined()
})

test('an answer to somebody who has left is dropped, and the program goes on', async () => {
  const unheard: unknown[] = []
  const note = (error: unknown) => void unheard.push(error)
  process.on('uncaughtException', note)
  try {
    let isDropped = false
    answerer = (asked, response) => {
      response.once('close', () => (isDropped = true))
      // Once the caller has left.
      setTimeout(() => sending(large())(asked, response), 150)
    }
    const leaving = request(`${url}/geo/positions?deviceId=d-1`, { headers: { authorization: `Bearer ${admin.token}` } })
    leaving.once('error', () => undefined)
    leaving.end()
    await until(() => seen.length > 0)
    leaving.destroy()
    await until(() => isDropped)
    answerer = sending(small)
    expect((await get('/geo/drivers')).status).toBe(200)
    expect(unheard).toEqual([])
  } finally {
    process.off('uncaughtException', note)
  }
})

test('a large answer comes byte by byte as it was sent, with our headers and none of the service’s', async () => {
  const text = large()
  answerer = sending(text, { 'set-cookie': 'geo=1', 'x-powered-by': 'geo', location: '/elsewhere', 'cache-control': 'public' })
  const { status, headers, bytes, isWhole } = await get('/geo/positions?deviceId=d-1&_dc=5', {
    cookie: 'x=1',
    'x-evil': '1',
    range: 'bytes=0-1',
  })
  expect([status, isWhole, bytes.equals(Buffer.from(text))]).toEqual([200, true, true])
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text))
  expect([headers['set-cookie'], headers['x-powered-by'], headers.location, headers['cache-control']]).toEqual([
    undefined,
    undefined,
    undefined,
    'no-store',
  ])
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(seen.map((one) => one.url)).toEqual(['/v1/positions?deviceId=d-1'])
  expect(Object.keys(seen[0]?.headers ?? {}).toSorted()).toEqual(['accept', 'authorization', 'connection', 'host', 'x-request-id'])
})

test('it is compressed for who accepts that, and a question for its head sends no body', async () => {
  const text = large()
  answerer = sending(text)
  const { headers, bytes } = await get('/geo/positions', { 'accept-encoding': 'br' })
  expect(headers['content-encoding']).toBe('br')
  expect(bytes.length).toBeLessThan(text.length / 4)
  expect(brotliDecompressSync(bytes).equals(Buffer.from(text))).toBe(true)
  const head = await get('/geo/positions', {}, 'HEAD')
  expect([head.status, head.bytes.length]).toEqual([200, 0])
})

test('a row of another company far inside is never sent: the connection breaks before it', async () => {
  answerer = sending(rows(20_000, { companyId: crypto.randomUUID(), name: 'ZZB' }))
  const { bytes, isWhole } = await get('/geo/positions')
  expect([isWhole, bytes.includes('ZZB')]).toEqual([false, false])
  // A large answer whose very first row is foreign sends nothing of it either.
  answerer = sending(JSON.stringify({ data: [{ companyId: crypto.randomUUID(), name: 'ZZB' }, large()] }))
  const first = await get('/geo/positions')
  expect([first.status, first.bytes.includes('ZZB')]).toEqual([503, false])
})

test('an answer that breaks off is never taken for a whole one, compressed or not', async () => {
  const text = large()
  answerer = (_asked, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.write(text.slice(0, 600_000), () => response.destroy())
  }
  for (const encoding of ['identity', 'br']) {
    const got = await get('/geo/positions', { 'accept-encoding': encoding }).catch(() => undefined)
    expect(got?.status === 200 && got.isWhole).toBe(false)
  }
})

test('more than the limit, or without a length, is not streamed', async () => {
  answerer = sending(`"${'x'.repeat(4_100_000)}"`)
  expect((await get('/geo/positions')).status).toBe(503)
  answerer = (_asked, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"ok":')
    response.end(JSON.stringify('y'.repeat(100_000)).concat('}'))
  }
  const { status, bytes } = await get('/geo/positions')
  expect([status, bytes.length]).toEqual([200, 100_009])
})

test('who may not is refused before anything is asked, and the path says nothing more than the route', async () => {
  answerer = sending(large())
  const nobody = await app.as(
    await app.make.user({ company, role: await app.make.role({ company, name: 'None', permissions: ['CRM/REPORTS'] }) }),
  )
  expect((await nobody.get('/geo/positions')).status).toBe(403)
  expect((await app.nobody.get('/geo/positions')).status).toBe(401)
  expect((await admin.get('/geo/positions?userId=1')).status).toBe(422)
  expect((await admin.post('/geo/positions', {})).status).toBe(404)
  expect(seen).toEqual([])
  for (const spelled of ['/geo/%70ositions', '/geo/positions/', '/geo/positions?x=', '/geo/positions?deviceId=..%2f..%2fadmin'])
    expect([spelled, (await get(spelled)).status]).toEqual([spelled, 200])
  expect(new Set(seen.map((one) => one.url.split('?')[0]))).toEqual(new Set(['/v1/positions']))
})

test('a reader who goes away ends the work on the other side; one who is slow keeps no other call waiting', async () => {
  // Said nothing more when they left, which is no failure of the service: five in a row would close it to everybody.
  for (let n = 0; n < 5; n += 1) {
    const ended = Promise.withResolvers<void>()
    answerer = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 3_000_000 })
      response.write('x'.repeat(200_000))
      response.once('close', () => ended.resolve())
    }
    const asked = request(`${url}/geo/positions`, { headers: { authorization: `Bearer ${admin.token}` } }, (answer) => {
      answer.once('data', () => answer.destroy())
    })
    asked.once('error', () => undefined)
    asked.end()
    await ended.promise
  }
  // Nine readers that take nothing: six are streamed, three are read whole as before; a small call passes by all of them.
  const text = large()
  answerer = sending(text)
  const stopped = await Promise.all(
    Array.from(
      { length: 9 },
      () =>
        new Promise<IncomingMessage>((done) =>
          request(`${url}/geo/positions`, { agent: false, headers: { authorization: `Bearer ${admin.token}` } }, (answer) =>
            done(answer.pause()),
          ).end(),
        ),
    ),
  )
  answerer = sending(small)
  expect((await get('/geo/events')).status).toBe(200)
  for (const answer of stopped) {
    let length = 0
    for await (const chunk of answer) length += (chunk as Buffer).length
    expect(length).toBe(Buffer.byteLength(text))
  }
})

test('after five failures the service is left in peace by large reads and small calls alike', async () => {
  answerer = (_asked, response) => void response.writeHead(500).end()
  for (let n = 0; n < 4; n += 1) expect((await get('/geo/positions')).status).toBe(503)
  expect((await admin.get('/geo/drivers')).status).toBe(503)
  expect(seen).toHaveLength(5)
  expect((await get('/geo/positions')).status).toBe(503)
  expect(seen).toHaveLength(5)
  answerer = sending(small)
  app.clock.move(pauseSeconds)
  await until(async () => (await get('/geo/positions')).status === 200)
})
