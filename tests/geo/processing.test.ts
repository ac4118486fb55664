import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chunk } from 'es-toolkit/array/chunk'
import { transactionIn } from '@outpost/platform/db/context'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { registry } from '@outpost/platform/http/metrics'
import { createLog } from '@outpost/platform/log'
import type { Fix } from '../../apps/geo/src/positions/fix.ts'
import type { KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import { indexFences, fenceDefaults } from '../../apps/geo/src/fences/fence-index.ts'
import { visitsOf } from '../../apps/geo/src/fences/visits.ts'
import { noFenceState, watchFences } from '../../apps/geo/src/fences/watch.ts'
import { createWriter } from '../../apps/geo/src/ingest/write/writer.ts'
import { motionOf } from '../../apps/geo/src/motion/motion.ts'
import { placesOf } from '../../apps/geo/src/motion/quality.ts'
import { defaultSettings } from '../../apps/geo/src/motion/settings.ts'
import { drive, type Phase } from '../../apps/geo/src/motion/testing/drive.ts'
import { processDevice } from '../../apps/geo/src/processing/device.ts'
import { createProcessor } from '../../apps/geo/src/processing/processor.ts'
import { createWebhooks } from '../../apps/geo/src/processing/webhooks.ts'
import { isSignedWebhook } from '../../apps/geo/src/rules/webhook.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { fixAt, makeCompany, makeDevice } from './support/devices.ts'
import { storedRows, takeIn as takeInOf } from './support/process.ts'
import { geoStack } from './support/stack.ts'

const log = createLog({ level: 'error' })
let db: TestDatabase
let pools: GeoPools
let companyId: string
beforeAll(async () => {
  db = await testDatabase()
  pools = createGeoPools({ url: db.url, secret: db.secret, log, patience: 30 })
  companyId = await makeCompany(db.admin)
})
afterAll(async () => {
  await pools.close()
  await db.drop()
})

const phases: Phase[] = [
  { stand: 600 },
  { drive: 4_000, kmh: 50 },
  { stand: 300, ignition: true },
  { drive: 6_000, kmh: 80, course: 20 },
  { stand: 900 },
  { drive: 3_000, kmh: 40, course: 200 },
  { stand: 400 },
]
const { points } = drive({ phases, every: 10, everyStationary: 30, start: Date.now() - 3 * 3_600_000 })
const fixes = points.map(({ time, latitude, longitude, speed, ignition }): Fix =>
  fixAt(time, { latitude, longitude, speed, altitude: null, course: null, attributes: { ignition: ignition === true } }),
)

const secondsBehind = async () => (await registry.getSingleMetric('geo_processing_behind_seconds')!.get()).values[0]!.value
const takeIn = (device: KnownDevice, batches: readonly Fix[][]) => takeInOf(pools, device, batches)
const stored = (device: KnownDevice, table: string, order?: string) => storedRows(db.admin, device, table, order)

it('gives the trips, stops and engine sessions of ordered messages, in any order of arrival', async () => {
  const [inOrder, backwards, mixed] = [
    await makeDevice(db.admin, { companyId }),
    await makeDevice(db.admin, { companyId }),
    await makeDevice(db.admin, { companyId }),
  ]
  await takeIn(inOrder, chunk(fixes, 25))
  await takeIn(backwards, chunk(fixes, 25).toReversed())
  await takeIn(mixed, [
    fixes.filter((_, at) => at % 2 === 0),
    ...chunk(
      fixes.filter((_, at) => at % 2 === 1),
      40,
    ).toReversed(),
    fixes.slice(30, 60),
  ])
  const truth = motionOf(points)
  const trips = await stored(inOrder, 'trip')
  expect(trips.map(({ startTime, metres, path }) => [Date.parse(startTime as string), metres, path])).toEqual(
    truth.trips.map(({ startTime, metres, path }) => [startTime, metres, path]),
  )
  expect(trips.length).toBeGreaterThan(1)
  for (const table of ['trip', 'stop', 'engine_session', 'episode']) {
    const rows = await stored(inOrder, table)
    expect([table, rows.length > 0]).toEqual([table, true])
    expect([table, await stored(backwards, table)]).toEqual([table, rows])
    expect([table, await stored(mixed, table)]).toEqual([table, rows])
  }
  expect((await db.admin.query('select from geo.dirty')).rowCount).toBe(0)
})

const events = async ({ deviceId }: KnownDevice) =>
  (
    await db.admin.query<{ what: string }>(
      `select "type" || ' ' || (extract(epoch from "eventTime") * 1000)::bigint as what from geo.event where "deviceId" = $1 and not "isSuperseded" order by "eventTime", "type"`,
      [deviceId],
    )
  ).rows.map((row) => row.what)

/** A fence of 500 m around a place of the drive, linked with the devices since long ago. */
async function fenceAt(
  place: { latitude: number | null; longitude: number | null },
  devices: readonly KnownDevice[],
  company = companyId,
): Promise<string> {
  const area = JSON.stringify({ type: 'Point', coordinates: [place.longitude, place.latitude] })
  const { rows } = await db.admin.query<{ id: string }>(
    `insert into geo.geofence ("companyId", "tenantId", "name", "shape", "area", "radius") values ($1, $1, 'Depot', 'circle', $2, 500) returning "id"`,
    [company, area],
  )
  const id = rows[0]!.id
  for (const { deviceId } of devices)
    await db.admin.query(
      `insert into geo.geofence_link ("companyId", "deviceId", "geofenceId", "dateCreated") values ($1, $2, $3, now() - interval '1 year')`,
      [company, deviceId, id],
    )
  return id
}

it('gives the same visits and events in any order; what a late message disproves is marked', async () => {
  const devices = await Promise.all(Array.from({ length: 3 }, () => makeDevice(db.admin, { companyId })))
  const [inOrder, backwards, holes] = devices as [KnownDevice, KnownDevice, KnownDevice]
  const middle = points[Math.floor(points.length / 2)]!
  const fenceId = await fenceAt(middle, devices)
  await takeIn(inOrder, chunk(fixes, 25))
  await takeIn(backwards, chunk(fixes, 40).toReversed())
  await takeIn(holes, [
    ...chunk(
      fixes.filter((_, at) => at % 10 < 6),
      30,
    ),
    ...chunk(
      fixes.filter((_, at) => at % 10 >= 6),
      30,
    ).toReversed(),
  ])
  const visits = await stored(inOrder, 'visit', '"enterTime"')
  const shape = {
    type: 'circle' as const,
    area: { type: 'Point' as const, coordinates: [middle.longitude!, middle.latitude!] as [number, number] },
    radius: 500,
  }
  const watching = { index: indexFences([{ id: fenceId, since: 0, settings: fenceDefaults, shape }]), isLinked: () => true }
  const truth = visitsOf(watchFences(watching, noFenceState, placesOf(points, null, defaultSettings)).transitions)
  expect(visits.map(({ enterTime, exitTime }) => [Date.parse(enterTime as string), Date.parse(exitTime as string)])).toEqual(
    truth.map(({ enteredAt, leftAt }) => [enteredAt, leftAt]),
  )
  expect(truth.length).toBeGreaterThan(0)
  const told = await events(inOrder)
  for (const type of ['geofenceEnter', 'geofenceExit', 'deviceMoving', 'deviceStopped', 'ignitionOn', 'ignitionOff', 'deviceIdle'])
    expect(told.filter((what) => what.startsWith(`${type} `))).not.toEqual([])
  for (const other of [backwards, holes]) {
    expect(await stored(other, 'visit', '"enterTime"')).toEqual(visits)
    expect(await events(other)).toEqual(told)
  }
  expect(
    (await db.admin.query('select from geo.event where "deviceId" = $1 and "isSuperseded"', [backwards.deviceId])).rowCount,
  ).toBeGreaterThan(0)
  expect((await db.admin.query('select from geo.event where "deviceId" = $1 and "isSuperseded"', [inOrder.deviceId])).rowCount).toBe(0)
  expect(await stored(inOrder, 'fence_state', '"since"')).toEqual(await stored(backwards, 'fence_state', '"since"'))
})

it('notifies once: a rule matches an event, its webhook is signed and retried, its command waits for a person', async () => {
  const device = await makeDevice(db.admin, { companyId: await makeCompany(db.admin) })
  const heard: { body: string; signature: string; id: string }[] = []
  const receiver = createServer((request, answer) => {
    let body = ''
    request
      .on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      .on('end', () => {
        heard.push({ body, signature: String(request.headers['x-outpost-signature']), id: String(request.headers['x-outpost-id']) })
        answer.writeHead(heard.length === 1 ? 503 : 204).end()
      })
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  const secret = 'a secret of sixteen'
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const {
    rows: [rule],
  } = await db.admin.query<{ id: string }>(
    `insert into geo.event_io ("companyId", "tenantId", "name", "type", "severity", "conditions") values ($1, $1, 'SOS', 'alarm', 'critical', '[{"kind":"alarm","names":["sos"]}]') returning "id"`,
    [device.companyId],
  )
  const action = `insert into geo.event_action ("companyId", "tenantId", "eventIoId", "name", "type", "parameters") values ($1, $1, $2, $3, $3, $4)`
  await db.admin.query(action, [device.companyId, rule!.id, 'webhook', { url, secret }])
  await db.admin.query(action, [device.companyId, rule!.id, 'command', { commandType: 'positionSingle' }])
  const now = Date.now() - 60_000
  const sos = fixAt(now, { attributes: { alarm: 'sos' } })
  await takeIn(device, [
    [fixAt(now - 60_000, {})],
    [sos],
    [sos],
    [fixAt(now - 30_000, {})],
    [fixAt(now + 10_000, {})],
    // Late: the alarm goes on, and is no second one.
    [fixAt(now + 1_000, { attributes: { alarm: 'sos' } })],
  ])
  const told = async () =>
    (
      await db.admin.query(`select "type", "severity", "eventIoId", "isLate", "isSuperseded" from geo.event where "deviceId" = $1`, [
        device.deviceId,
      ])
    ).rows
  const once = [{ type: 'alarm', severity: 'critical', eventIoId: rule!.id, isLate: false, isSuperseded: false }]
  expect(await told()).toEqual(once)
  // What was taken back and is true again comes back without a word.
  await db.admin.query(`update geo.event set "isSuperseded" = true where "deviceId" = $1`, [device.deviceId])
  await takeIn(device, [[sos]])
  expect(await told()).toEqual(once)
  expect(
    (await db.admin.query(`select "type", "state", "purpose" from geo.command where "deviceId" = $1`, [device.deviceId])).rows,
  ).toEqual([{ type: 'positionSingle', state: 'asked', purpose: 'By a rule, after alarm' }])
  const closed = createWebhooks({ pools, log: createLog({ level: 'silent' }) })
  const webhooks = createWebhooks({ pools, log: createLog({ level: 'silent' }), hosts: ['127.0.0.1'] })
  const reaction = async () =>
    (
      await db.admin.query(`select "state", "result", "attempts" from geo.reaction where "deviceId" = $1 and "type" = 'webhook'`, [
        device.deviceId,
      ])
    ).rows
  const soon = () => db.admin.query(`update geo.reaction set "nextAt" = now() - interval '1 second'`)
  await soon()
  expect(await closed.pass()).toBe(1)
  expect(await reaction()).toEqual([{ state: 'waiting', result: 'The address lies inside the network of the server.', attempts: 1 }])
  expect([await webhooks.pass(), heard.length]).toEqual([0, 0])
  await soon()
  await webhooks.pass()
  expect(await reaction()).toEqual([{ state: 'waiting', result: 'Answered 503', attempts: 2 }])
  await soon()
  await webhooks.pass()
  expect(await reaction()).toEqual([{ state: 'done', result: 'Answered 204', attempts: 3 }])
  await soon()
  expect([await webhooks.pass(), heard.length]).toEqual([0, 2])
  expect(heard[1]!.id).toBe(heard[0]!.id)
  expect(heard.every(({ body, signature }) => isSignedWebhook({ body, signature, secret, now: Date.now() }))).toBe(true)
  expect(JSON.parse(heard[0]!.body)).toMatchObject({
    event: { type: 'alarm', severity: 'critical', attributes: { alarm: 'sos' } },
    device: { id: device.deviceId },
  })
  await Promise.all([closed.close(), webhooks.close()])
  receiver.close()
})

it('loses nothing that arrives while a device is processed, or when processing crashes', async () => {
  const device = await makeDevice(db.admin, { companyId })
  const writer = createWriter({ pool: pools.ingest, log, lingerMs: 1 })
  await writer.write(device, fixes.slice(0, 100))
  // What a kill -9 in the middle is to Postgres: the connection ends, nothing of the transaction stays.
  await expect(
    transactionIn(pools.geo, { company: companyId, scope: '*', user: null, tenant: null }, async (sql) => {
      await sql.exec({ text: 'delete from geo.dirty where "deviceId" = $1', values: [device.deviceId] })
      await db.admin.query('select pg_terminate_backend(pid) from pg_stat_activity where pid = $1', [
        (await sql.one<{ pid: number }>({ text: 'select pg_backend_pid() as pid', values: [] })).pid,
      ])
      await sql.query({ text: 'select 1', values: [] })
    }),
  ).rejects.toThrow()
  const dirty = async () => (await db.admin.query(`select from geo.dirty where "deviceId" = $1`, [device.deviceId])).rowCount
  expect(await dirty()).toBe(1)
  // Another message commits while the rows of the first are being made: the table of stops is held until it is there.
  const holder = await db.admin.connect()
  await holder.query('begin; lock table geo.stop in access exclusive mode')
  const processed = processDevice(pools.geo, device)
  await expect
    .poll(
      async () =>
        (await db.admin.query(`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%geo.stop%'`)).rowCount,
    )
    .toBe(1)
  expect(await processDevice(pools.geo, device)).toBe('busy')
  await writer.write(device, fixes.slice(100))
  await holder.query('commit')
  holder.release()
  expect(await processed).toBe('again')
  expect(await processDevice(pools.geo, device)).toBe('done')
  expect(await dirty()).toBe(0)
  expect((await stored(device, 'trip')).map(({ startTime, metres }) => [Date.parse(startTime as string), metres])).toEqual(
    motionOf(points).trips.map(({ startTime, metres }) => [startTime, metres]),
  )
  await writer.close()
})

it('shows a trip to those who may see it, in progress and when late messages complete it, and to nobody else', async () => {
  const stack = await geoStack()
  const { make, database } = stack.app
  const client = async () => {
    const company = await make.company()
    return stack.app.as(
      await make.user({
        company,
        tenant: company,
        role: await make.role({ company, name: randomUUID(), permissions: ['ADMIN/LOCATIONS', 'SALES/AGENT/POSITION'] }),
      }),
      { tenant: company },
    )
  }
  const [owner, stranger] = [await client(), await client()]
  const device = await makeDevice(database.admin, { companyId: owner.user.companyId })
  const writer = createWriter({ pool: stack.pools.ingest, log, lingerMs: 1 })
  const processor = createProcessor({ pools: stack.pools, log, lingerMs: 0 })
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  const query = `/geo/deviceTrips/trip?deviceid=${device.deviceId}&fromdate=${day(points[0]!.time - 86_400_000)}&todate=${day(Date.now() + 86_400_000)}`
  const trips = async () => {
    const { body } = await owner.get<{
      trips: { startTime: string; endTime: string | null; metres: number; explain: { words: string[] } }[]
    }>(query)
    return { ...body.data, meta: body.meta as unknown as { isPending: boolean } }
  }
  const [first] = motionOf(points).trips
  const half = fixes.filter(({ fixTime }) => fixTime <= first!.startTime + 120_000)
  await writer.write(device, half)
  expect(await trips()).toMatchObject({ trips: [], meta: { isPending: true } })
  // Messages that nobody takes are seen from outside, and no longer once they are taken.
  await database.admin.query(`update geo.dirty set "dateCreated" = now() - interval '90 seconds'`)
  await createProcessor({ pools: stack.pools, log, lingerMs: 3_600_000 }).pass()
  expect(await secondsBehind()).toBeGreaterThanOrEqual(90)
  await processor.pass()
  expect(await secondsBehind()).toBeLessThan(90)
  expect(await trips()).toMatchObject({
    trips: [{ startTime: new Date(first!.startTime).toISOString(), endTime: null }],
    meta: { isPending: false },
  })
  // The end comes before the middle.
  for (const batch of [fixes.slice(half.length + 40), fixes.slice(half.length, half.length + 40)]) {
    await writer.write(device, batch)
    await processor.pass()
  }
  const done = await trips()
  expect(done.trips.map(({ startTime, endTime, metres }) => [Date.parse(startTime), endTime === null, metres])).toEqual(
    motionOf(points).trips.map((trip) => [trip.startTime, trip.isOpen, trip.metres]),
  )
  expect(done.trips[0]!.explain.words[0]).toMatch(/^Started /)
  expect((await stranger.get(query)).status).toBe(404)
  await writer.close()
  await processor.stop()
  await stack.close()
})
