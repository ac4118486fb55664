import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { createCounters } from '@outpost/platform/http/counters'
import { createHttp } from '@outpost/platform/http/create'
import { createLog } from '@outpost/platform/log'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { IngestServices } from '../../apps/geo/src/ingest/listen/services.ts'
import { ingestRoutes } from '../../apps/geo/src/ingest/http.ts'
import { tokenHash, type KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import { createHttpStore } from '../../apps/geo/src/ingest/http-store.ts'
import { createCursors } from '../../apps/geo/src/ingest/traccar/cursors.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { makeCompany, makeDevice } from './support/devices.ts'
import { openIngestServices } from './support/ingest-services.ts'

/** Phones and servers over real HTTP into real Postgres, as apps/geo/src/app.ts puts them together. */
const log = createLog({ level: 'silent' })
let db: TestDatabase
let ingestServices: IngestServices
let pools: GeoPools
let closeIngestServices: () => Promise<void>
let http: FastifyInstance
let url: string

beforeAll(async () => {
  db = await testDatabase()
  ;({ ingestServices, close: closeIngestServices } = openIngestServices(db))
  pools = createGeoPools({ url: db.url, secret: db.secret, log, patience: 30 })
  http = await createHttp({
    log,
    counters: createCounters({ log }),
    health: { isOpen: () => true, checks: [] },
    perAddress: 0,
    pressureLagMs: 0,
  })
  await http.register(ingestRoutes, { store: createHttpStore(ingestServices, pools.ingest) })
  url = await http.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await http.close()
  await closeIngestServices()
  await pools.close()
  await db.drop()
})

const now = Date.now() - 60_000
const rowsOf = async ({ deviceId }: KnownDevice) =>
  (
    await db.admin.query(
      `select "fixTime", "latitude", "longitude", "speed", "isValid", "attributes" from geo.position where "deviceId" = $1 order by 1`,
      [deviceId],
    )
  ).rows
const send = (path: string, { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {}) =>
  fetch(
    `${url}${path}`,
    body === undefined
      ? { headers }
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        },
  )
const strangerOf = async (uniqueId: string) => {
  await ingestServices.deviceStats.flush()
  return (await db.admin.query('select "companyId", "protocol", "words" from geo.unlinked where "uniqueId" = $1', [uniqueId])).rows[0]
}
async function makeFeed(companyId: string): Promise<string> {
  const token = randomUUID()
  await db.admin.query(`insert into geo.feed ("companyId", "tenantId", "name", "tokenHash") values ($1, $1, 'Traccar', $2)`, [
    companyId,
    tokenHash(token),
  ])
  return token
}
const position = (at: number, more: object = {}) => ({
  fixTime: new Date(at).toISOString(),
  valid: true,
  latitude: -1.29,
  longitude: 36.82,
  speed: 10,
  attributes: { ignition: true },
  ...more,
})

it('Traccar Client in both its forms, answered when it is stored; repeated it is stored once', async () => {
  const device = await makeDevice(db.admin)
  const query = `/?id=${device.uniqueId}&lat=-1.29&lon=36.82&timestamp=${now}&speed=10&batt=80`
  for (const answer of [await send(query), await send(query)]) expect([answer.status, await answer.text()]).toEqual([200, ''])
  expect(await rowsOf(device)).toEqual([
    { fixTime: new Date(now), latitude: -1.29, longitude: 36.82, speed: 18.52, isValid: true, attributes: { batteryLevel: 80 } },
  ])
  const json = await send('/', {
    body: {
      device_id: device.uniqueId,
      location: {
        timestamp: new Date(now + 1_000).toISOString(),
        coords: { latitude: -1.3, longitude: 36.8, speed: 10 },
        battery: { level: 0.5 },
      },
    },
  })
  expect([json.status, await json.text()]).toEqual([200, ''])
  expect((await rowsOf(device))[1]).toMatchObject({ latitude: -1.3, speed: 36, attributes: { batteryLevel: 50 } })
})

it('a phone with a token needs it; an unknown one is listed for adoption', async () => {
  const device = await makeDevice(db.admin, { tokenHash: tokenHash('s3cret') })
  const query = `/?id=${device.uniqueId}&lat=-1.29&lon=36.82&timestamp=${now}`
  expect([(await send(query)).status, (await send(`${query}&token=wrong`)).status]).toEqual([401, 401])
  expect(await rowsOf(device)).toEqual([])
  expect([
    (await send(`${query}&token=s3cret`)).status,
    (await send(query, { headers: { authorization: 'Bearer s3cret' } })).status,
  ]).toEqual([200, 200])
  expect(await rowsOf(device)).toHaveLength(1)
  const stranger = randomUUID()
  expect((await send(`/?id=${stranger}&lat=1&lon=2`)).status).toBe(400)
  expect((await send('/', { body: { device_id: stranger, location: {} } })).status).toBe(404)
  expect(await strangerOf(stranger)).toEqual({ companyId: null, protocol: 'osmand', words: {} })
})

it('0/0 is refused with 101 and counted, its alarm is stored; invalid attributes do not stop the row', async () => {
  const device = await makeDevice(db.admin)
  const answer = await send(`/?id=${device.uniqueId}&lat=0&lon=0&timestamp=${now}&alarm=sos`)
  expect([answer.status, answer.headers.get('x-refused')]).toEqual([200, '101 No position available'])
  expect(await rowsOf(device)).toEqual([
    { fixTime: new Date(now), latitude: null, longitude: null, speed: null, isValid: false, attributes: { alarm: 'sos' } },
  ])
  await ingestServices.deviceStats.flush()
  expect((await db.admin.query('select "refused"::int from geo.device_health where "deviceId" = $1', [device.deviceId])).rows).toEqual([
    { refused: 1 },
  ])
  expect(
    (
      await send(
        `/?id=${device.uniqueId}&lat=1&lon=2&timestamp=${now + 1_000}&note=a%00b&speed=1e39&altitude=1e-300&notificationToken=x%00y`,
      )
    ).status,
  ).toBe(200)
  expect((await rowsOf(device))[1]).toMatchObject({ speed: null, attributes: { note: 'ab' } })
  expect((await db.admin.query('select "pushToken" from geo.device where "id" = $1', [device.deviceId])).rows).toEqual([
    { pushToken: 'xy' },
  ])
})

it('the pending command is sent in the reply of the query form, and only there', async () => {
  const device = await makeDevice(db.admin)
  await db.admin.query(
    `insert into geo.command ("companyId", "deviceId", "type", "parameters", "createdUserId", "approvedUserId") values ($1, $2, 'custom', '{"data":"ring"}', uuidv7(), uuidv7())`,
    [device.companyId, device.deviceId],
  )
  const json = await send('/', {
    body: { device_id: device.uniqueId, location: { timestamp: now, coords: { latitude: 1, longitude: 2 } } },
  })
  expect(await json.text()).toBe('')
  expect(await (await send(`/?id=${device.uniqueId}&lat=1&lon=2&timestamp=${now}`)).text()).toBe('ring')
  expect(await (await send(`/?id=${device.uniqueId}&lat=1&lon=2&timestamp=${now}`)).text()).toBe('')
})

it('with many simultaneous reports each device gets its own oldest command once', async () => {
  const [none, one, two, expired] = (await Promise.all(Array.from({ length: 4 }, () => makeDevice(db.admin)))) as [
    KnownDevice,
    KnownDevice,
    KnownDevice,
    KnownDevice,
  ]
  for (const { companyId, deviceId } of [one, two, expired]) {
    for (const data of ['first', 'second'])
      await db.admin.query(
        `insert into geo.command ("companyId", "deviceId", "type", "parameters", "createdUserId", "approvedUserId") values ($1, $2, 'custom', $3, uuidv7(), uuidv7())`,
        [companyId, deviceId, { data }],
      )
  }
  await db.admin.query(`update geo.command set "expiresAt" = now() - interval '1 s' where "deviceId" = $1`, [expired.deviceId])
  const { take } = ingestServices.commands
  expect(await Promise.all([none, one, one, two, expired].map(take))).toEqual([undefined, 'first', undefined, 'first', undefined])
  expect(await Promise.all([one, two, two].map(take))).toEqual(['second', 'second', undefined])
  expect(await take(one)).toBeUndefined()
})

it('a batch of a thousand of several devices, each item with its result', async () => {
  const devices = await Promise.all(Array.from({ length: 4 }, () => makeDevice(db.admin)))
  const items = Array.from({ length: 1_000 }, (_, index) => ({
    uniqueId: devices[index % 4]?.uniqueId,
    fixTime: now - index * 1_000,
    latitude: index === 500 ? 999 : -1.29,
    longitude: 36.82,
  }))
  const answer = await send('/ingest/positions', { body: items })
  const { data } = (await answer.json()) as { data: { accepted: number; results: { status: string; code?: number }[] } }
  expect([answer.status, data.accepted, data.results[500]?.code]).toEqual([200, 999, 101])
  expect((await Promise.all(devices.map(rowsOf))).map((rows) => rows.length)).toEqual([249, 250, 250, 250])
})

it("a Traccar server reports for its company's devices and for no other's", async () => {
  const [own, foreign] = [await makeDevice(db.admin), await makeDevice(db.admin)]
  const headers = { authorization: `Bearer ${await makeFeed(own.companyId)}` }
  const stranger = randomUUID()
  const message = (uniqueId: string) => ({ position: position(now), device: { uniqueId, name: 'KDA 123X' } })
  expect((await send('/ingest/traccar/positions', { body: message(own.uniqueId) })).status).toBe(401)
  expect((await send('/ingest/traccar/positions', { body: message(own.uniqueId), headers: { authorization: 'Bearer x' } })).status).toBe(
    401,
  )
  expect((await send('/ingest/traccar/positions', { body: message(own.uniqueId), headers })).status).toBe(200)
  expect((await send('/ingest/traccar/positions', { body: message(foreign.uniqueId), headers })).status).toBe(202)
  expect((await send('/ingest/traccar/positions', { body: message(stranger), headers })).status).toBe(202)
  expect([(await rowsOf(own)).length, (await rowsOf(foreign)).length]).toEqual([1, 0])
  expect(await strangerOf(stranger)).toEqual({ companyId: own.companyId, protocol: 'traccar', words: { name: 'KDA 123X' } })
  expect(await strangerOf(foreign.uniqueId)).toBeUndefined()
})

it('its events are stored once, however often they are sent', async () => {
  const device = await makeDevice(db.admin)
  const headers = { 'x-api-key': await makeFeed(device.companyId) }
  const body = {
    event: { id: 7, type: 'deviceOverspeed', eventTime: new Date(now).toISOString(), attributes: { speed: 54, speedLimit: 27 } },
    position: position(now),
    device: { uniqueId: device.uniqueId },
  }
  for (const answer of [await send('/ingest/traccar/events', { body, headers }), await send('/ingest/traccar/events', { body, headers })])
    expect(answer.status).toBe(200)
  expect(
    (await db.admin.query('select "type", "eventTime", "attributes" from geo.event where "deviceId" = $1', [device.deviceId])).rows,
  ).toEqual([{ type: 'deviceOverspeed', eventTime: new Date(now), attributes: { speed: 100.008, speedLimit: 50.004, traccarEventId: 7 } }])
  expect(await rowsOf(device)).toHaveLength(1)
})

it('OwnTracks by topic', async () => {
  const device = await makeDevice(db.admin, { uniqueId: `owntracks/jane/${randomUUID()}` })
  const answer = await send('/', {
    body: { _type: 'location', topic: device.uniqueId, tst: Math.trunc(now / 1_000), lat: -1.29, lon: 36.82, vel: 42 },
  })
  expect([answer.status, await answer.json()]).toEqual([200, []])
  expect(await rowsOf(device)).toMatchObject([{ speed: 42 }])
})

it("cursors of the Traccar bridge are the company's own and never go back", async () => {
  const [a, b] = [await makeCompany(db.admin), await makeCompany(db.admin)]
  const [of, ofOther] = [createCursors(pools.geo, async () => a), createCursors(pools.geo, async () => b)]
  await of.keep('car:1', now)
  await of.keep('car:1', now - 1)
  await of.keep('car:2', now + 5)
  expect(await of.read()).toEqual(
    new Map([
      ['car:1', now],
      ['car:2', now + 5],
    ]),
  )
  expect(await ofOther.read()).toEqual(new Map())
})

it('a body of another content type is parsed by its beginning', async () => {
  const device = await makeDevice(db.admin)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream']) {
    expect(
      (await send('/', { body: `id=${device.uniqueId}&lat=1&lon=2&timestamp=${now}`, headers: { 'content-type': type } })).status,
    ).toBe(200)
    expect(
      (
        await send('/', {
          body: { device_id: device.uniqueId, location: { timestamp: now, coords: { latitude: 1, longitude: 2 } } },
          headers: { 'content-type': type },
        })
      ).status,
    ).toBe(200)
  }
  expect(await rowsOf(device)).toHaveLength(1)
})

it('a person’s phone is stored at work and with their consent alone; it is told that all is well, so that it does not send again', async () => {
  const company = await makeCompany(db.admin)
  const sent = async (text: string, values: unknown[]) => (await db.admin.query<{ id: string }>(text, values)).rows
  const [person] = await sent(
    `insert into app_user ("companyId", "id", "userName", "emailAddress", "firstName", "lastName", "tenantId") values ($1, $2, $3, $4, 'Asha', 'Phone', $1) returning "id"`,
    [company, randomUUID(), randomUUID(), `${randomUUID()}@outpost.test`],
  )
  const phone = await makeDevice(db.admin, { companyId: company, uniqueId: randomUUID() })
  await db.admin.query('update geo.device set "userId" = $2 where "id" = $1', [phone.deviceId, person!.id])
  const begin = (action: number, at: number) =>
    sent(
      `insert into agent_action ("companyId", "id", "tenantId", "performedByUserId", "action", "deviceTime", "dateCreated", "source") values ($1, $2, $1, $3, $4, $5, $5, 'none') returning "id"`,
      [company, randomUUID(), person!.id, action, new Date(at)],
    )
  const hour = 3_600_000
  const [start, end] = [now - 3 * hour, now - hour]
  const report = async (at: number) =>
    (await fetch(`${url}/ingest/osmand?id=${phone.uniqueId}&lat=-1.29&lon=36.82&timestamp=${Math.round(at / 1_000)}`)).status
  const times = async () => (await rowsOf(phone)).map(({ fixTime }) => (fixTime as Date).getTime())
  await begin(1, start)
  await begin(0, end)
  const during = Math.round((start + hour) / 1_000) * 1_000
  expect(await report(during)).toBe(200)
  expect(await times()).toEqual([])
  await sent(
    `insert into tracking_consent ("companyId", "id", "userId", "tenantId", "status", "givenAt") values ($1, $2, $3, $1, 'Given', $4) returning "id"`,
    [company, randomUUID(), person!.id, new Date(start + hour / 2)],
  )
  // The calendar has no hours: only the day that they began is work.
  const [calendar] = await sent(`insert into working_calendar ("companyId", "id", "tenantId") values ($1, $2, $1) returning "id"`, [
    company,
    randomUUID(),
  ])
  expect(calendar).toBeDefined()
  for (const at of [during, start + hour / 4, end + hour / 2]) expect(await report(at)).toBe(200)
  expect(await times()).toEqual([during])
  await sent(`update tracking_consent set "status" = 'Withdrawn', "givenAt" = null where "userId" = $1 returning "id"`, [person!.id])
  expect(await report(during + 60_000)).toBe(200)
  expect(await times()).toEqual([during])
  // A phone of the company needs no consent, from when it is marked; working time holds, and only on that phone and with that person.
  const markOf = (deviceId: string, userId: string, since: number) =>
    sent(
      `insert into company_phone ("companyId", "id", "deviceId", "kind", "name", "userId", "tenantId", "reason", "markedByUserId", "since") values ($1, $2, $3, 'Tracker', 'Phone', $4, $1, 'Ours', $4, $5) returning "id"`,
      [company, randomUUID(), deviceId, userId, new Date(since)],
    )
  await markOf(randomUUID(), person!.id, start)
  await markOf(phone.deviceId, randomUUID(), start).catch(() => undefined)
  expect(await report(during + 60_000)).toBe(200)
  expect(await times()).toEqual([during])
  await markOf(phone.deviceId, person!.id, during + 30_000)
  for (const at of [during + 10_000, during + 60_000, end + hour / 2]) expect(await report(at)).toBe(200)
  expect(await times()).toEqual([during, during + 60_000])
  await sent(`update company_phone set "endedAt" = now(), "endReason" = 'Sold' where "deviceId" = $1 returning "id"`, [phone.deviceId])
  expect(await report(during + 120_000)).toBe(200)
  expect(await times()).toEqual([during, during + 60_000])
})
