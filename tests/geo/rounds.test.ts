import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createLog } from '@outpost/platform/log'
import type { KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import { createPresence } from '../../apps/geo/src/processing/presence.ts'
import { createProcessor } from '../../apps/geo/src/processing/processor.ts'
import { createSchedules } from '../../apps/geo/src/processing/schedules.ts'
import type { Client } from '../support/app.ts'
import { makeDevice } from './support/devices.ts'
import { fenceAt, fixesOf, takeIn } from './support/process.ts'
import { geoStack, type GeoStack } from './support/stack.ts'

const log = createLog({ level: 'error' })
const minute = 60_000
const hour = 60 * minute
let stack: GeoStack
let client: Client
let companyId: string
let device: KnownDevice
beforeAll(async () => {
  stack = await geoStack()
})
beforeEach(async () => {
  const { make } = stack.app
  const company = await make.company()
  const role = await make.role({
    company,
    name: randomUUID(),
    permissions: ['ADMIN/LOCATIONS', 'ADMIN/LOCATIONS/CREATE', 'ADMIN/LOCATIONS/EDIT'],
  })
  const user = await make.user({ company, tenant: company, role })
  client = await stack.app.as(user, { tenant: company })
  companyId = user.companyId
  device = await makeDevice(stack.app.database.admin, { companyId })
})
afterAll(() => stack.close())

const admin = () => stack.app.database.admin
const events = async (of: KnownDevice, ...types: string[]) =>
  (
    await admin().query<{ type: string; time: number }>(
      `select "type", (extract(epoch from "eventTime") * 1000)::float8 as "time" from geo.event where "deviceId" = $1 and "type" = any($2) and not "isSuperseded" order by "eventTime"`,
      [of.deviceId, types],
    )
  ).rows
const connections = ['deviceOnline', 'deviceUnknown', 'deviceOffline', 'deviceInactive']
const heard = (at: number, of = device) =>
  admin().query(
    `insert into geo.device_health ("companyId", "deviceId", "lastFrameAt") values ($1, $2, $3)
  on conflict ("companyId", "deviceId") do update set "lastFrameAt" = excluded."lastFrameAt"`,
    [of.companyId, of.deviceId, new Date(at)],
  )
const presence = (startedAt = 0) => createPresence({ pools: stack.pools, log, startedAt })

it('reports once when a device falls silent and when it is back, across restarts, and not when it is quiet for a while', async () => {
  const start = Date.now() - 20 * hour
  await admin().query(`update geo.device set "attributes" = '{"offlineAfterMinutes": 120}' where "id" = $1`, [device.deviceId])
  await heard(start)
  await presence().pass(start + 1_000)
  await presence().pass(start + 30 * minute)
  await heard(start + 40 * minute)
  await presence().pass(start + 41 * minute)
  expect(await events(device, ...connections)).toEqual([])
  const seen = start + 40 * minute
  await presence().pass(seen + 2 * hour + 5_000)
  const offline = { type: 'deviceOffline', time: seen + 2 * hour }
  expect(await events(device, ...connections)).toEqual([offline])
  for (const more of [10_000, hour, 5 * hour]) await presence().pass(seen + 2 * hour + more)
  expect(await events(device, ...connections)).toEqual([offline])
  await heard(seen + 9 * hour)
  await presence().pass(seen + 9 * hour + 1_000)
  await presence().pass(seen + 9 * hour + 20_000)
  expect(await events(device, ...connections)).toEqual([offline, { type: 'deviceOnline', time: seen + 9 * hour }])
})

it('does not count silence during its own downtime, and reports nothing of devices it never watched', async () => {
  const start = Date.now() - 20 * hour
  const [other, gone] = [await makeDevice(admin(), { companyId }), await makeDevice(admin(), { companyId })]
  await heard(start)
  await heard(start + 9 * minute, other)
  await heard(start - 30 * hour, gone)
  await presence().pass(start + 9 * minute)
  // Nobody listens for six hours.
  const restarted = start + 6 * hour
  const after = presence(restarted)
  for (const at of [minute, 2 * hour]) await after.pass(restarted + at)
  for (const one of [device, other, gone]) expect(await events(one, ...connections)).toEqual([])
  // 9 minutes before and 2 h 51 min after make the three hours.
  await after.pass(restarted + 2 * hour + 52 * minute)
  expect((await events(device, ...connections)).map(({ type }) => type)).toEqual(['deviceOffline'])
  expect(await events(other, ...connections)).toEqual([])
})

it('reports inactivity by the device’s own limit, and quiet only where a rule asks for it', async () => {
  const start = Date.now() - 20 * hour
  await admin().query(`update geo.device set "attributes" = $2 where "id" = $1`, [
    device.deviceId,
    { deviceInactivityStart: hour, deviceInactivityPeriod: 2 * hour },
  ])
  await heard(start)
  for (const at of [minute, 61 * minute, 62 * minute, 190 * minute]) await presence().pass(start + at)
  expect(await events(device, 'deviceInactive', 'deviceUnknown')).toEqual([
    { type: 'deviceInactive', time: start + hour },
    { type: 'deviceInactive', time: start + 3 * hour },
  ])
  expect((await client.post('/geo/eventIos', { name: 'Quiet', eventType: 'deviceUnknown' })).status).toBe(200)
  await heard(start + 4 * hour)
  for (const at of [1, 11]) await presence().pass(start + 4 * hour + at * minute)
  expect(await events(device, 'deviceUnknown')).toEqual([{ type: 'deviceUnknown', time: start + 4 * hour + 10 * minute }])
})

/** HH:MM and the ISO day of a moment in UTC, the zone of the company. */
const clockOf = (time: number) => ({ at: new Date(time).toISOString().slice(11, 16), days: [new Date(time).getUTCDay() || 7] })
const checkRule = async (eventType: string, fenceId: string, time: number) => {
  const made = await client.post<{ eventIo: { id: string; schedule: unknown } }>('/geo/eventIos', {
    name: `At ${clockOf(time).at}`,
    eventType,
    schedule: clockOf(time),
    conditions: [{ kind: 'fence', ids: [fenceId], where: 'of' }],
  })
  expect([made.status, made.body.data.eventIo.schedule]).toEqual([200, clockOf(time)])
  // As old as the fence: what was before a rule does not concern it.
  await admin().query(`update geo.event_io set "dateCreated" = now() - interval '1 year' where "id" = $1`, [made.body.data.eventIo.id])
  return made.body.data.eventIo.id
}

it('checks a device at a rule’s time of day, also when it is stationary and silent; late messages correct it', async () => {
  await admin().query(`update tenant set "timeZone" = 'UTC' where "companyId" = $1`, [companyId])
  const now = Math.trunc(Date.now() / minute) * minute
  const fixes = fixesOf([{ stand: 300 }, { drive: 5_000, kmh: 60 }, { stand: 300 }], now - 40 * minute)
  const last = fixes.at(-1)!
  const fenceId = await fenceAt(admin(), last, { devices: [device] })
  const [early, due] = [now - 38 * minute, now - 4 * minute]
  const wanted = await checkRule('geofenceNotInside', fenceId, early)
  const missing = await checkRule('geofenceNotInside', fenceId, due)
  const unwanted = await checkRule('geofenceNotOutside', fenceId, due)
  const told = async () =>
    (
      await admin().query<{ type: string; time: number; rule: string }>(
        `select "type", (extract(epoch from "eventTime") * 1000)::float8 as "time", "eventIoId" as "rule" from geo.event
    where "deviceId" = $1 and "type" in ('geofenceNotInside', 'geofenceNotOutside') and not "isSuperseded" order by "eventTime"`,
        [device.deviceId],
      )
    ).rows
  // It drove off and was not heard of since: at both times it was not there.
  await takeIn(stack.pools, device, [fixes.slice(0, 12)])
  const notThere = [
    { type: 'geofenceNotInside', time: early, rule: wanted },
    { type: 'geofenceNotInside', time: due, rule: missing },
  ]
  expect(await told()).toEqual(notThere)
  // It had come long before the second time.
  await takeIn(stack.pools, device, [fixes.slice(12)])
  const there = [notThere[0], { type: 'geofenceNotOutside', time: due, rule: unwanted }]
  expect(await told()).toEqual(there)
  // A time of day passes while it stands there in silence.
  const soon = now - 3 * minute
  const next = await checkRule('geofenceNotOutside', fenceId, soon)
  const schedules = createSchedules(stack.pools)
  const processor = createProcessor({ pools: stack.pools, log, lingerMs: 0 })
  expect(await schedules.pass(soon + minute)).toBeGreaterThan(0)
  await processor.pass()
  expect(await schedules.pass(soon + 2 * minute)).toBe(1)
  expect(await schedules.pass(soon + 3 * minute)).toBe(0)
  await processor.pass()
  expect(await told()).toEqual([...there, { type: 'geofenceNotOutside', time: soon, rule: next }])
})

it('refuses a schedule without fences, fences without a schedule, and a schedule for an unscheduled type', async () => {
  const fenceId = await fenceAt(admin(), { latitude: 0, longitude: 0 }, { devices: [device] })
  const [schedule, conditions] = [{ days: [1], at: '08:00' }, [{ kind: 'fence', ids: [fenceId], where: 'of' }]]
  const fields = async (body: object) => {
    const { status, body: answer } = await client.post('/geo/eventIos', { name: 'Rule', ...body })
    return [status, (answer as { fields?: { field: string }[] }).fields?.map(({ field }) => field)]
  }
  expect(await fields({ eventType: 'geofenceNotInside', conditions })).toEqual([422, ['schedule']])
  expect(await fields({ eventType: 'geofenceNotInside', schedule })).toEqual([422, ['conditions']])
  expect(await fields({ eventType: 'alarm', schedule })).toEqual([422, ['schedule']])
  expect(await fields({ eventType: 'geofenceNotInside', conditions, schedule: { days: [1], at: '25:00' } })).toEqual([422, ['schedule.at']])
  expect((await client.post('/geo/eventIos', { name: 'Rule', eventType: 'geofenceNotInside', schedule, conditions })).status).toBe(200)
})
