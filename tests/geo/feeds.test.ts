import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { geoKeysOf } from '@outpost/platform/geo-keys'
import { createCounters } from '@outpost/platform/http/counters'
import { createHttp } from '@outpost/platform/http/create'
import { createLog } from '@outpost/platform/log'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { IngestServices } from '../../apps/geo/src/ingest/listen/services.ts'
import { ingestRoutes } from '../../apps/geo/src/ingest/http.ts'
import { tokenHash } from '../../apps/geo/src/ingest/identity.ts'
import { createHttpStore } from '../../apps/geo/src/ingest/http-store.ts'
import { createFeeds, type Feeds } from '../../apps/geo/src/ingest/traccar/feeds.ts'
import { takeLease, type Progress } from '../../apps/geo/src/ingest/traccar/progress.ts'
import type { SignedInClient } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { killServers, startServer } from '../support/process.ts'
import { until } from '../support/until.ts'
import { geoStack, type GeoStack } from './support/stack.ts'
import { fakeTraccar, forwardAll, type FakeTraccar, type TraccarDevice, type TraccarPosition } from './support/traccar.ts'
import { openIngestServices } from './support/ingest-services.ts'

/** Feeds from the first call to the last position: server, geo service, Postgres and a Traccar server of our making. */
const log = createLog({ level: 'silent' })
let stack: GeoStack
let ingestServices: IngestServices
let closeIngestServices: () => Promise<void>
let ingest: FastifyInstance
let traccar: FakeTraccar
let company: MadeTenant
let branch: MadeTenant
let admin: SignedInClient
let local: SignedInClient
let viewer: SignedInClient
let foreign: SignedInClient
const opened: Feeds[] = []

interface FeedRow {
  id: string
  name: string
  token?: string
  url: string | null
  isActive: boolean
  version: number
  state: string | null
}
type Import = Progress & { nextRunAt: string | null; histories: number; wholeUntil: string | null; state: string }

beforeAll(async () => {
  stack = await geoStack()
  const { make, database } = stack.app
  ;({ ingestServices, close: closeIngestServices } = openIngestServices(database))
  const counters = createCounters({ log })
  ingest = await createHttp({ log, counters, health: { checks: [], isOpen: () => true }, perAddress: 0, pressureLagMs: 0 })
  ingest.addHook('onClose', () => counters.close())
  await ingest.register(ingestRoutes, { store: createHttpStore(ingestServices, stack.pools.ingest) })
  company = await make.company()
  branch = await make.tenant({ company })
  const stranger = await make.company()
  const user = async (of: MadeTenant, tenant: MadeTenant, permissions: string[]) =>
    stack.app.as(await make.user({ company: of, tenant, role: await make.role({ company: of, name: randomUUID(), permissions }) }), {
      tenant,
    })
  const all = ['ADMIN/SETTINGS', 'ADMIN/LOCATIONS', 'ADMIN/LOCATIONS/CREATE', 'ADMIN/LOCATIONS/DELETE']
  admin = await user(company, company, all)
  local = await user(company, branch, all)
  viewer = await user(company, company, ['ADMIN/LOCATIONS'])
  foreign = await user(stranger, stranger, all)
})
afterAll(async () => {
  await ingest.close()
  await closeIngestServices()
  await stack.close()
})
beforeEach(async () => {
  traccar = await fakeTraccar()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((feeds) => feeds.stop()))
  await traccar.close()
  // Feeds of one test are none of the next one's business.
  await stack.app.database.admin.query('update geo.feed set "isActive" = false')
})

const db = (text: string, values: unknown[] = []) => stack.app.database.admin.query(text, values)
/** A process of the geo service as far as feeds go. */
function openFeeds(secret = stack.app.database.secret): Feeds {
  const feeds = createFeeds({ ingestServices, pools: stack.pools, keys: geoKeysOf({ secret }), hosts: ['127.0.0.1'], log, retryMs: 1 })
  opened.push(feeds)
  return feeds
}
const make = async (body: object, who = admin) => (await who.post<{ feed: FeedRow }>('/geo/feeds', body)).body.data.feed
const makeBridged = () => make({ name: 'Old Traccar', url: traccar.url, traccarToken: 'a token of theirs' })
const importOf = async (id: string, who = admin) => (await who.get<{ import: Import }>(`/geo/feeds/${id}/import`)).body.data.import
const post = (token: string, body: object) =>
  ingest.inject({ method: 'POST', url: `/ingest/traccar/positions?token=${token}`, payload: JSON.stringify(body) })
const iso = (time: number) => new Date(time).toISOString()
const positionOf = (deviceId: number, time: number, more: Partial<TraccarPosition> = {}): TraccarPosition => ({
  deviceId,
  fixTime: iso(time),
  valid: true,
  latitude: -1.29,
  longitude: 36.82,
  speed: 10,
  attributes: { n: time % 1_000_000 },
  ...more,
})
const stored = async (uniqueId: string) =>
  (
    await db(
      `select p."fixTime", p."attributes" from geo.position p join geo.device d on d."id" = p."deviceId" where d."uniqueId" = $1 order by 1`,
      [uniqueId],
    )
  ).rows as { fixTime: Date; attributes: Record<string, unknown> }[]

describe('a feed', () => {
  it('is created by a call; its token is shown once, stored as SHA-256, and admits positions until the feed is deleted', async () => {
    const { token = '', ...feed } = await make({ name: 'Forwarder' })
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(feed).toMatchObject({ name: 'Forwarder', url: null, isActive: true, version: 1, state: null })
    expect((await db('select "tokenHash" from geo.feed where "id" = $1', [feed.id])).rows).toEqual([{ tokenHash: tokenHash(token) }])
    for (const path of [`/geo/feeds/${feed.id}`, '/geo/feeds?search=forwarder']) expect((await admin.get(path)).text).not.toMatch(/token/i)
    expect(JSON.stringify((await db(`select "before", "after" from audit_log where "objectId" = $1`, [feed.id])).rows)).not.toContain(token)
    const imei = randomUUID()
    await admin.post('/geo/devices', { uniqueId: imei, name: 'Car' })
    const message = { position: positionOf(1, Date.now() - 60_000), device: { id: 1, uniqueId: imei } }
    expect((await post(token, message)).statusCode).toBe(200)
    expect(await stored(imei)).toHaveLength(1)
    const removed = await make({ name: 'Removed at once' })
    expect((await admin.del(`/geo/feeds/${removed.id}`)).status).toBe(200)
    expect((await post(removed.token ?? '', message)).statusCode).toBe(401)
    expect((await admin.get(`/geo/feeds/${removed.id}`)).status).toBe(404)
  })

  it('of the company is neither visible to its branches nor to other companies', async () => {
    const { id } = await make({ name: 'Company' })
    for (const who of [local, foreign]) {
      expect((await who.get('/geo/feeds')).text).not.toContain(id)
      for (const answer of [
        await who.get(`/geo/feeds/${id}`),
        await who.put(`/geo/feeds/${id}`, { name: 'x' }),
        await who.del(`/geo/feeds/${id}`),
        await who.post(`/geo/feeds/${id}/import`, {}),
        await who.get(`/geo/feeds/${id}/import`),
      ])
        expect(answer.status).toBe(404)
    }
    for (const answer of [
      await viewer.get('/geo/feeds'),
      await viewer.post('/geo/feeds', { name: 'x' }),
      await viewer.post(`/geo/feeds/${id}/import`, {}),
    ])
      expect(answer.status).toBe(403)
    expect((await make({ name: 'Branch' }, local)).id).not.toBe(id)
  })

  it('encrypts the token of its Traccar server, for one address; wrong input is named', async () => {
    const { id } = await makeBridged()
    const {
      rows: [row],
    } = await db('select "sealedToken", "url" from geo.feed where "id" = $1', [id])
    expect([String(row.sealedToken).includes('a token of theirs'), row.url]).toEqual([false, traccar.url])
    for (const path of [`/geo/feeds/${id}`, '/geo/feeds', `/geo/feeds/${id}/import`])
      expect((await admin.get(path)).text).not.toContain('a token of theirs')
    const refused: [object, string][] = [
      [{ url: 'https://elsewhere.example' }, 'traccarToken'],
      [{ url: 'ftp://x', traccarToken: 'T' }, 'url'],
      [{ url: 'http://10.0.0.5:8082', traccarToken: 'T' }, 'url'],
      [{ url: null, traccarToken: 'T' }, 'traccarToken'],
      [{ historyDays: -1 }, 'historyDays'],
      [{ tokenHash: 'x' }, 'tokenHash'],
      [{ token: 'mine' }, 'token'],
    ]
    for (const [body, field] of refused)
      expect([body, (await admin.put(`/geo/feeds/${id}`, body)).body.fields?.[0]?.field]).toEqual([body, field])
    expect((await admin.post('/geo/feeds', { name: 'x', traccarToken: 'T' })).body.fields?.[0]?.field).toBe('url')
    expect((await admin.put(`/geo/feeds/${id}`, { url: null })).status).toBe(200)
    expect((await admin.post(`/geo/feeds/${id}/import`, {})).body).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('no Traccar server'),
    })
    expect((await db('select "sealedToken", "nextRunAt" from geo.feed where "id" = $1', [id])).rows).toEqual([
      { sealedToken: null, nextRunAt: null },
    ])
  })
})

describe('an import', () => {
  it('imports devices into the branches of their groups, fences, drivers and history; repeating changes nothing', async () => {
    const north = await stack.app.make.tenant({ company, name: 'North fleet' })
    const [car, truck, gone, taken] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    const at = Date.now() - 3_600_000
    const removed = await admin.post<{ geoDevice: { id: string } }>('/geo/devices', { uniqueId: gone, name: 'Sold' })
    await admin.del(`/geo/devices/${removed.body.data.geoDevice.id}`)
    await foreign.post('/geo/devices', { uniqueId: taken, name: 'Theirs' })
    traccar.groups = [
      { id: 5, name: 'Trucks', groupId: 6 },
      { id: 6, name: 'north fleet', groupId: 5 },
    ]
    traccar.devices = [
      {
        id: 1,
        uniqueId: car,
        name: 'KDA 123X',
        phone: '+254700000001',
        model: 'FMB920',
        category: 'car',
        contact: 'Jane',
        lastUpdate: iso(at),
        attributes: { speedLimit: 50 },
      },
      { id: 2, uniqueId: truck, name: 'KDB 456Y', groupId: 5, disabled: true, lastUpdate: null },
      { id: 3, uniqueId: gone, name: 'Sold' },
      { id: 4, uniqueId: taken, name: 'Theirs' },
      { id: 9, uniqueId: 'has spaces in it', name: 'odd' },
      { id: 10, name: 'no identity' } as TraccarDevice,
    ]
    traccar.geofences = [1, 2, 3].map((fence) => ({ id: fence, name: `Depot ${fence}`, area: 'CIRCLE (-1.29 36.82, 200)', attributes: {} }))
    traccar.links = { 'device 1': [1], 'device 2': [1], 'group 6': [2, 1] }
    traccar.drivers = [{ id: 1, name: 'Jane', uniqueId: 'A1B2', attributes: {} }]
    traccar.history = [positionOf(1, at), positionOf(1, at + 10_000)]
    // Somebody who is not known yet has been asked for a moment ago.
    expect(await ingestServices.identities.find(car)).toBeNull()
    const { id } = await makeBridged()
    const asked = await admin.post<{ import: Import }>(`/geo/feeds/${id}/import`, {})
    expect([asked.status, asked.body.data.import.state]).toEqual([202, 'waiting'])
    expect((await admin.post<{ import: Import }>(`/geo/feeds/${id}/import`, {})).body.data.import.state).toBe('waiting')
    expect((await importOf(id)).state).toBe('waiting')
    await openFeeds().pass()
    const done = await importOf(id)
    expect(done).toMatchObject({
      state: 'done',
      kind: 'import',
      made: { devices: 2, fences: 3, drivers: 1, links: 3 },
      positions: 2,
      failed: 0,
      histories: 1,
      message: null,
    })
    expect(Date.parse(done.wholeUntil ?? '')).toBeGreaterThan(at)
    expect(done.skipped.map(({ kind, traccarId }) => `${kind} ${traccarId}`).sort()).toEqual([
      'device 10',
      'device 3',
      'device 4',
      'device 9',
    ])
    expect(new Set(traccar.seen.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer a token of theirs']))
    const { rows } = await db(
      `select "tenantId", "name", "model", "phone", "contact", "disabled", "attributes" from geo.device where "uniqueId" = any($1) and "deletedAt" is null order by "name"`,
      [[car, truck]],
    )
    const host = new URL(traccar.url).host
    expect(rows).toEqual([
      // 50 knots
      {
        tenantId: company.id,
        name: 'KDA 123X',
        model: 'FMB920',
        phone: '+254700000001',
        contact: 'Jane',
        disabled: false,
        attributes: { speedLimit: 92.6, traccarId: `${host}/1` },
      },
      {
        tenantId: north.id,
        name: 'KDB 456Y',
        model: null,
        phone: null,
        contact: null,
        disabled: true,
        attributes: { group: 'north fleet / Trucks', traccarId: `${host}/2` },
      },
    ])
    const links = await db(
      `select d."name" || ': ' || g."name" as link from geo.geofence_link k join geo.device d on d."id" = k."deviceId" join geo.geofence g on g."id" = k."geofenceId" where d."uniqueId" = any($1) order by 1`,
      [[car, truck]],
    )
    expect(links.rows.map(({ link }) => link)).toEqual(['KDA 123X: Depot 1', 'KDB 456Y: Depot 1', 'KDB 456Y: Depot 2'])
    expect((await stored(car)).map(({ fixTime }) => fixTime.getTime())).toEqual([at, at + 10_000])
    await admin.post(`/geo/feeds/${id}/import`, {})
    await openFeeds().pass()
    expect(await importOf(id)).toMatchObject({ state: 'done', made: { devices: 0, fences: 0, drivers: 0, links: 0 } })
    expect(await stored(car)).toHaveLength(2)
  })

  it('a repair fills gaps and registers nobody; unknown devices are listed for adoption', async () => {
    const stranger = randomUUID()
    traccar.devices = [{ id: 1, uniqueId: stranger, name: 'KDC 789Z', lastUpdate: iso(Date.now() - 60_000) }]
    traccar.history = [positionOf(1, Date.now() - 600_000)]
    const { id } = await makeBridged()
    await openFeeds().pass()
    expect(await importOf(id)).toMatchObject({ state: 'done', kind: 'repair', devices: 1, unknown: 1, made: { devices: 0 } })
    await ingestServices.deviceStats.flush()
    expect((await db('select "companyId", "words" from geo.unlinked where "uniqueId" = $1', [stranger])).rows).toEqual([
      { companyId: company.id, words: { name: 'KDC 789Z' } },
    ])
  })

  it('continues where it was stopped', async () => {
    traccar.devices = [{ id: 1, uniqueId: randomUUID(), name: 'A', lastUpdate: iso(Date.now()) }]
    const { id } = await makeBridged()
    await admin.post(`/geo/feeds/${id}/import`, {})
    const feeds = openFeeds()
    const isAsked = new Promise<void>((done) => {
      traccar.interrupt = ({ url }) => {
        if (url?.includes('/reports/')) done()
        return url?.includes('/reports/') ?? false
      }
    })
    const pass = feeds.pass()
    await isAsked
    await feeds.stop()
    await pass
    expect(await importOf(id)).toMatchObject({ kind: 'import', state: 'interrupted' })
    traccar.interrupt = () => false
    await openFeeds().pass()
    expect(await importOf(id)).toMatchObject({ kind: 'import', state: 'done', failed: 0 })
  })
})

describe('the reading of servers', () => {
  it('happens every 15 min, at once when a process starts, and by one process at a time', async () => {
    const { id } = await makeBridged()
    const [first, second] = [openFeeds(), openFeeds()]
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const isAsked = new Promise<void>((done) => {
      traccar.interrupt = (_request, response) => {
        done()
        void isOver.then(() => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'))
        return true
      }
    })
    const pass = first.pass()
    await isAsked
    expect(await second.pass()).toBe(0)
    end()
    await pass
    traccar.interrupt = () => false
    expect(traccar.seen.filter(({ path }) => path === '/api/devices')).toHaveLength(1)
    const next = Date.parse((await importOf(id)).nextRunAt ?? '')
    expect(Math.abs(next - Date.now() - 900_000)).toBeLessThan(60_000)
    expect(await first.pass()).toBe(0)
    // Our absence was an outage for who forwarded.
    expect(await openFeeds().pass()).toBe(1)
    expect(traccar.seen.filter(({ path }) => path === '/api/devices')).toHaveLength(2)
    await db('update geo.feed set "nextRunAt" = now() - interval \'1 second\' where "id" = $1', [id])
    const feed = { companyId: company.id, feedId: id }
    const leases = await Promise.all(Array.from({ length: 4 }, () => takeLease(stack.pools.geo, feed)))
    expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1)
    expect(await openFeeds().pass()).toBe(0)
    await admin.put(`/geo/feeds/${id}`, { isActive: false })
    await db('update geo.feed set "leaseUntil" = null where "id" = $1', [id])
    expect(await openFeeds().pass()).toBe(0)
  })

  it('happens at once after the database was away, because messages were refused in the meantime', async () => {
    await makeBridged()
    let [isAway, refused] = [false, 0]
    const { ingest: pool } = stack.pools
    const query = (...given: Parameters<typeof pool.query>) => {
      if (!isAway) return pool.query(...given)
      refused += 1
      return Promise.reject(new Error('Postgres is away'))
    }
    const feeds = createFeeds({
      ingestServices,
      pools: { ...stack.pools, ingest: Object.assign(Object.create(pool) as typeof pool, { query }) },
      keys: geoKeysOf(stack.app.database),
      hosts: ['127.0.0.1'],
      log,
      retryMs: 1,
      everyMs: 5,
    })
    opened.push(feeds)
    feeds.start()
    const runs = () => traccar.seen.filter(({ path }) => path === '/api/devices').length
    await until(() => runs() === 1)
    await new Promise((done) => setTimeout(done, 100))
    expect(runs()).toBe(1)
    isAway = true
    await until(() => refused > 0)
    isAway = false
    await until(() => runs() === 2)
  })

  it('reports the error and retries sooner, then with growing pauses', async () => {
    const { id } = await makeBridged()
    traccar.interrupt = (_request, response) => {
      response.writeHead(401).end()
      return true
    }
    await openFeeds().pass()
    const failed = await importOf(id)
    expect(failed).toMatchObject({ state: 'failed', failures: 1, message: expect.stringContaining('refused the token') })
    expect(Date.parse(failed.nextRunAt ?? '') - Date.now()).toBeLessThan(31_000)
    await openFeeds().pass()
    expect(await importOf(id)).toMatchObject({ failures: 2 })
    traccar.interrupt = () => false
    await openFeeds('another master secret of 32 characters').pass()
    expect(await importOf(id)).toMatchObject({ state: 'failed', failures: 3, message: expect.stringContaining('enter it again') })
    await openFeeds().pass()
    expect(await importOf(id)).toMatchObject({ state: 'done', failures: 0, message: null })
  })
})

it('the program itself does so: a requested import is done some seconds later', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'outpost-feeds-'))
  const imei = randomUUID()
  Object.assign(traccar, {
    devices: [{ id: 1, uniqueId: imei, name: 'Car', lastUpdate: iso(Date.now()) }],
    history: [positionOf(1, Date.now() - 600_000)],
  })
  await startServer({ app: 'geo', database: stack.app.database, dataDir, env: { FEED_HOSTS: '127.0.0.1', PRESSURE_LAG: '0' } })
  try {
    const { id } = await makeBridged()
    await admin.post(`/geo/feeds/${id}/import`, {})
    await until(async () => (await importOf(id)).state === 'done', 30_000)
    expect(await importOf(id)).toMatchObject({ kind: 'import', made: { devices: 1 }, positions: 1 })
    expect(await stored(imei)).toHaveLength(1)
  } finally {
    // It would go on reading the feeds of the tests after this one.
    await killServers()
    await rm(dataDir, { recursive: true, force: true })
  }
})

it('a Traccar server that forwards with retries, out of order and over an outage of ten minutes: nothing is lost, nothing twice', async () => {
  const start = Date.now() - 3_600_000
  const devices: TraccarDevice[] = Array.from({ length: 3 }, (_, index) => ({
    id: index + 1,
    uniqueId: randomUUID(),
    name: `Car ${index}`,
    lastUpdate: iso(start + 1_800_000),
  }))
  for (const { uniqueId, name } of devices) await admin.post('/geo/devices', { uniqueId, name })
  // Half an hour, a position every ten seconds.
  const messages = Array.from({ length: 180 }, (_, n) =>
    devices.map((device) => ({
      device,
      position: positionOf(device.id, start + n * 10_000, { latitude: -1.29 + n / 10_000, attributes: { n, ignition: true } }),
    })),
  ).flat()
  Object.assign(traccar, { devices, history: messages.map(({ position }) => position) })
  const { id, token = '' } = await makeBridged()
  const outage = { from: start + 600_000, until: start + 1_200_000 }
  const { given, sent } = await forwardAll(messages, { outage, post: async (body) => (await post(token, body)).statusCode === 200 })
  const before = (await Promise.all(devices.map(({ uniqueId }) => stored(uniqueId)))).map((rows) => rows.length)
  expect(given + sent).toBe(messages.length)
  // Ten minutes are more than its retries last: this is what forwarding alone loses.
  expect(Math.max(...before)).toBeLessThan(180)
  await openFeeds().pass()
  for (const { uniqueId } of devices) {
    expect((await stored(uniqueId)).map(({ fixTime, attributes }) => [fixTime.getTime(), attributes.n])).toEqual(
      Array.from({ length: 180 }, (_, n) => [start + n * 10_000, n]),
    )
  }
  expect(await importOf(id)).toMatchObject({ state: 'done', positions: expect.any(Number), failed: 0, unknown: 0, histories: 3 })
})
