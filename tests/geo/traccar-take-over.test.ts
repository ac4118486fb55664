import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { createLog } from '@outpost/platform/log'
import type { IngestServices } from '../../apps/geo/src/ingest/listen/services.ts'
import { tokenHash } from '../../apps/geo/src/ingest/identity.ts'
import { traccarClient } from '../../apps/geo/src/ingest/traccar/rest.ts'
import { startTraccar } from '../../apps/geo/src/ingest/traccar/start.ts'
import { importRecords } from '../../apps/geo/src/ingest/traccar/import-records.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { until } from '../support/until.ts'
import { makeCompany, makeDevice } from './support/devices.ts'
import { openIngestServices } from './support/ingest-services.ts'

/** A Traccar server moves in: what it has is stored in our tables, each once, behind the wall of its feed's company. */
let db: TestDatabase
let pools: GeoPools
let ingestServices: IngestServices
let closeIngestServices: () => Promise<void>
let traccar: Server
let url: string
let lists: Record<string, unknown[]>

beforeAll(async () => {
  db = await testDatabase()
  pools = createGeoPools({ url: db.url, secret: db.secret, log: createLog({ level: 'silent' }), patience: 30 })
  ;({ ingestServices, close: closeIngestServices } = openIngestServices(db))
  traccar = createServer((request, response) => {
    const list = lists[new URL(request.url ?? '/', 'http://traccar').pathname]
    response.writeHead(list ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(list ?? ''))
  })
  await new Promise<void>((done) => traccar.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(traccar.address() as { port: number }).port}`
})
afterAll(async () => {
  await new Promise((done) => traccar.close(done))
  await closeIngestServices()
  await pools.close()
  await db.drop()
})
beforeEach(() => {
  lists = {
    '/api/geofences': [
      {
        id: 1,
        name: 'Depot',
        description: 'x\0y',
        area: 'CIRCLE (-1.29 36.82, 200)',
        attributes: { speedLimit: 27, color: '#1677ff', floor: 2 },
      },
      { id: 2, name: 'Thika Road', area: 'LINESTRING (-1.29 36.82, -1.03 37.07)', attributes: { polylineDistance: 40, speedLimit: 9_999 } },
      { id: 3, name: 'Broken', area: 'POLYGON ((-1 36, -1 37))', attributes: {} },
      { id: 4, name: 'Nowhere', area: null },
    ],
    '/api/drivers': [
      { id: 1, name: 'Jane', uniqueId: 'A1B2', attributes: {} },
      { id: 2, name: 'John', uniqueId: 'C3D4', attributes: {} },
    ],
  }
})

async function makeFeed(companyId: string) {
  const token = randomUUID()
  const { rows } = await db.admin.query<{ id: string }>(
    `insert into geo.feed ("companyId", "tenantId", "name", "tokenHash") values ($1, $1, 'Traccar', $2) returning "id"`,
    [companyId, tokenHash(token)],
  )
  return { token, feed: { companyId, feedId: rows[0]?.id ?? '' } }
}
const rowsOf = async (table: 'geofence' | 'driver', companyId: string) =>
  (await db.admin.query(`select * from geo.${table} where "companyId" = $1 order by "name"`, [companyId])).rows

it('fences in GeoJSON with their speed limit, drivers with their key; what cannot be imported is reported', async () => {
  const { feed } = await makeFeed(await makeCompany(db.admin))
  const client = traccarClient({ url, login: { token: 'T' } })
  const taken = await importRecords(client, { pool: pools.geo, feed, server: 'traccar.test' })
  expect(taken).toMatchObject({
    fences: 2,
    drivers: 2,
    skipped: [
      { kind: 'fence', traccarId: 4 },
      { kind: 'fence', traccarId: 3, message: expect.stringContaining('three different points') },
    ],
  })
  expect(await rowsOf('geofence', feed.companyId)).toMatchObject([
    {
      name: 'Depot',
      type: 'geofence',
      shape: 'circle',
      area: { type: 'Point', coordinates: [36.82, -1.29] },
      radius: 200,
      speedLimit: 50.004,
      colour: '#1677ff',
      description: 'xy',
      attributes: { floor: 2, traccarId: 'traccar.test/1' },
    },
    {
      name: 'Thika Road',
      shape: 'route',
      area: {
        type: 'LineString',
        coordinates: [
          [36.82, -1.29],
          [37.07, -1.03],
        ],
      },
      radius: 40,
      speedLimit: null,
    },
  ])
  expect(await rowsOf('driver', feed.companyId)).toMatchObject([
    { name: 'Jane', uniqueId: 'A1B2', tenantId: feed.companyId },
    { name: 'John' },
  ])
  await client.close()
})

it('repeating changes nothing: what was changed or deleted here stays so; two servers do not mix', async () => {
  const { feed } = await makeFeed(await makeCompany(db.admin))
  const client = traccarClient({ url, login: { token: 'T' } })
  const run = (server: string) => importRecords(client, { pool: pools.geo, feed, server })
  await run('one')
  await db.admin.query(`update geo.geofence set "name" = 'Yard' where "companyId" = $1 and "name" = 'Depot'`, [feed.companyId])
  await db.admin.query(`update geo.driver set "deletedAt" = now() where "companyId" = $1 and "name" = 'Jane'`, [feed.companyId])
  expect(await run('one')).toMatchObject({ fences: 0, drivers: 0 })
  expect((await rowsOf('geofence', feed.companyId)).map(({ name }) => name)).toEqual(['Thika Road', 'Yard'])
  // John's key is taken, Jane's is free again.
  expect(await run('two')).toMatchObject({ fences: 2, drivers: 1 })
  await client.close()
})

it('waits for another process that imports, and does not repeat its imports', async () => {
  const { feed } = await makeFeed(await makeCompany(db.admin))
  const client = traccarClient({ url, login: { token: 'T' } })
  const other = await db.admin.connect()
  await other.query('begin')
  await other.query(`select pg_advisory_xact_lock(hashtext('traccar take-over'))`)
  await other.query(
    `insert into geo.geofence ("companyId", "tenantId", "shape", "name", "area", "attributes") values ($1, $1, 'circle', 'Depot', '{}', '{"traccarId":"one/1"}')`,
    [feed.companyId],
  )
  const taken = importRecords(client, { pool: pools.geo, feed, server: 'one' })
  await until(
    async () =>
      (
        await db.admin.query(
          `select 1 from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
        )
      ).rowCount === 1,
  )
  await other.query('commit')
  other.release()
  expect(await taken).toMatchObject({ fences: 1, drivers: 2 })
  await client.close()
})

it('a feed of another company imports nothing', async () => {
  const [own, other] = [await makeCompany(db.admin), await makeFeed(await makeCompany(db.admin))]
  const client = traccarClient({ url, login: { token: 'T' } })
  expect(await importRecords(client, { pool: pools.geo, feed: { companyId: own, feedId: other.feed.feedId }, server: 'x' })).toMatchObject({
    fences: 0,
    drivers: 0,
  })
  await client.close()
})

it('the settings of an installation start everything: history, unknown devices, fences, cursor', async () => {
  const device = await makeDevice(db.admin)
  const { token, feed } = await makeFeed(device.companyId)
  const at = Date.now() - 3_600_000
  const stranger = randomUUID()
  const iso = (time: number) => new Date(time).toISOString()
  lists['/api/devices'] = [
    { id: 1, uniqueId: device.uniqueId, name: 'Car', lastUpdate: iso(at) },
    { id: 2, uniqueId: stranger, name: 'KDA 123X', lastUpdate: null },
  ]
  lists['/api/reports/route'] = [
    { fixTime: iso(at), valid: true, latitude: -1.29, longitude: 36.82, speed: 10, attributes: { ignition: true } },
  ]
  const bridge = startTraccar(
    { ingestServices, pools },
    { TRACCAR_URL: url, TRACCAR_TOKEN: 'T', TRACCAR_FEED_TOKEN: token, TRACCAR_HISTORY_DAYS: 2 },
  )
  const cursors = async () => (await db.admin.query('select "source" from geo.import_cursor where "companyId" = $1', [feed.companyId])).rows
  await until(async () => (await cursors()).length === 1)
  await bridge?.stop()
  await ingestServices.deviceStats.flush()
  expect((await db.admin.query('select "fixTime", "speed" from geo.position where "deviceId" = $1', [device.deviceId])).rows).toEqual([
    { fixTime: new Date(at), speed: 18.52 },
  ])
  expect((await db.admin.query('select "companyId", "words" from geo.unlinked where "uniqueId" = $1', [stranger])).rows).toEqual([
    { companyId: feed.companyId, words: { name: 'KDA 123X' } },
  ])
  expect(await rowsOf('geofence', feed.companyId)).toHaveLength(2)
  // An archive is no sign of life.
  expect((await db.admin.query('select "status" from geo.device where "id" = $1', [device.deviceId])).rows).toEqual([{ status: 'unknown' }])
  expect(await cursors()).toEqual([{ source: `traccar:${device.uniqueId}` }])
  expect(startTraccar({ ingestServices, pools }, { TRACCAR_HISTORY_DAYS: 2 })).toBeNull()
})
