import { randomUUID } from 'node:crypto'
import type { LiveEvent } from '@outpost/contract/geo/events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import type { SignedInClient, TestApp } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { openSocket, type TestSocket } from '../support/socket.ts'
import { until } from '../support/until.ts'
import { fixAt } from './support/devices.ts'
import { liveStack, type LiveStack } from './support/live-stack.ts'
import { startResender } from './support/resender.ts'

let stack: LiveStack
let app: TestApp
let url: string
let company: MadeTenant
let north: MadeTenant
let south: MadeTenant
let admin: SignedInClient
let local: SignedInClient
let clerk: SignedInClient
let foreign: SignedInClient

beforeAll(async () => {
  stack = await liveStack()
  ;({
    app,
    url,
    company,
    north,
    south,
    people: { admin, local, clerk, foreign },
  } = stack)
})
afterAll(() => stack.close())

/** A vehicle of a branch, and what makes it send an alarm. */
async function vehicle(tenant: MadeTenant) {
  const device = await stack.vehicle(tenant)
  // The priority of a panic record is read as an alarm.
  return {
    ...device,
    alarm: (time = Date.now()) =>
      startResender({ ...device, packets: [[fixAt(time - 5_000, {})], [fixAt(time, { attributes: { alarm: 'hardBraking' } })]] }).done,
  }
}

/** An event as processing writes it, at a time. */
async function event(
  deviceId: string,
  more: { type?: string; severity?: string; minutesAgo?: number; alarm?: string; isSuperseded?: boolean } = {},
): Promise<string> {
  const { type = 'alarm', severity = 'warning', minutesAgo = 1, alarm = 'sos', isSuperseded = false } = more
  const { rows } = await app.database.admin.query<{ id: string }>(
    `insert into geo.event ("companyId", "deviceId", "type", "eventTime", "key", "severity", "attributes", "isSuperseded", "latitude", "longitude")
    values ($1, $2, $3, now() - make_interval(mins => $4), $5, $6, $7, $8, -1.28, 36.82) returning "id"`,
    [company.id, deviceId, type, minutesAgo, randomUUID(), severity, { alarm }, isSuperseded],
  )
  return rows[0]!.id
}
const eventsOf = ({ heard }: TestSocket) =>
  heard.filter(({ event: name }) => name === 'events').flatMap(({ data }) => data.events as LiveEvent[])
const hears = (socket: TestSocket, id: string, is: (one: LiveEvent) => boolean = () => true) =>
  until(() => eventsOf(socket).some((one) => one.id === id && is(one)), 20_000)
async function follow(who: SignedInClient): Promise<TestSocket> {
  const socket = await openSocket(url, who)
  await socket.next('session')
  socket.send('followEvents')
  return socket
}
async function heardOut(socket: TestSocket): Promise<void> {
  const errors = () => socket.heard.filter(({ event: name }) => name === 'error').length
  const before = errors()
  socket.send('cancelReport', {})
  await until(() => errors() > before)
}
interface Listed extends LiveEvent {
  note: string | null
  acknowledgedByName: string | null
  reactions?: { state: string; result: string }[]
}
const list = async (who: SignedInClient, query = '') => (await who.get<{ events: Listed[] }>(`/geo/events?${query}`)).body
const ids = ({ data }: { data: { events: { id: string }[] } }) => data.events.map(({ id }) => id)
const changes = async (who: SignedInClient, since?: number) =>
  (
    await who.get<{ events: LiveEvent[]; seq: number; hasMore: boolean }>(
      `/geo/events/changes${since === undefined ? '' : `?since=${since}`}`,
    )
  ).body

describe('live events', () => {
  it('a follower receives an event in reach within a second of its commit, whoever wrote it', async () => {
    const [everywhere, inNorth, elsewhere, idle] = await Promise.all([
      follow(admin),
      follow(local),
      follow(foreign),
      openSocket(url, admin),
    ])
    const [mine, other] = [await vehicle(north), await vehicle(south)]
    const first = await event(mine.deviceId)
    const second = await event(other.deviceId)
    await Promise.all([hears(everywhere, first), hears(everywhere, second), hears(inNorth, first)])
    const third = await event(other.deviceId)
    const fourth = await event(mine.deviceId)
    await Promise.all([hears(everywhere, third), hears(inNorth, fourth)])
    expect(new Set(eventsOf(inNorth).map(({ id }) => id))).toEqual(new Set([first, fourth]))
    expect([eventsOf(elsewhere), eventsOf(idle)]).toEqual([[], []])
    const told = eventsOf(everywhere).find(({ id }) => id === first)
    expect(told).toMatchObject({
      deviceId: mine.deviceId,
      device: mine.uniqueId,
      type: 'alarm',
      alarm: 'sos',
      severity: 'warning',
      latitude: -1.28,
      isLate: false,
      isSuperseded: false,
      acknowledgedAt: null,
    })
    expect(JSON.stringify(told)).not.toContain(north.id)
    for (const { socket } of [everywhere, inNorth, elsewhere, idle]) socket.close()
  })

  it('arrives from a tracker through geo service, processing, relay and server; and again when it is acknowledged', async () => {
    const watching = await follow(admin)
    const car = await vehicle(north)
    await car.alarm()
    await until(() => eventsOf(watching).some(({ deviceId }) => deviceId === car.deviceId), 20_000)
    const [told] = eventsOf(watching).filter(({ deviceId }) => deviceId === car.deviceId)
    expect(told).toMatchObject({ type: 'alarm', isLate: false })
    expect((await local.post(`/geo/events/${told!.id}/acknowledge`, { note: 'Called the driver' })).status).toBe(200)
    await hears(watching, told!.id, ({ acknowledgedBy, seq }) => acknowledgedBy === local.user.id && seq > told!.seq)
    watching.socket.close()
  })

  it('an alarm of a tracker notifies the person that a rule names', async () => {
    const { services, queueStore, log } = app.machine
    const jobs = startJobs({ areas: app.areas, services, store: queueStore, log, sweepMs: 50 })
    const socket = await openSocket(url, local)
    await socket.next('session')
    const car = await vehicle(north)
    const {
      rows: [rule],
    } = await app.database.admin.query<{ id: string }>(
      `insert into geo.event_io ("companyId", "tenantId", "name", "type") values ($1, $1, 'Any alarm', 'alarm') returning "id"`,
      [company.id],
    )
    await app.database.admin.query(
      `insert into geo.event_action ("companyId", "tenantId", "eventIoId", "name", "type", "parameters") values ($1, $1, $2, 'Ring', 'notify', $3)`,
      [company.id, rule!.id, { userIds: [local.user.id] }],
    )
    await car.alarm()
    await until(
      () => socket.heard.some(({ event: name, data }) => name === 'notification' && String(data.message).startsWith(`${car.uniqueId}: `)),
      20_000,
    )
    const [{ id } = { id: '' }] = (await list(local, `deviceId=${car.deviceId}&type=alarm`)).data.events
    await until(
      async () => (await local.get<{ event: Listed }>(`/geo/events/${id}`)).body.data.event.reactions?.[0]?.result === 'Told one person.',
      20_000,
    )
    await app.database.admin.query(`update geo.event_io set "isActive" = false where "id" = $1`, [rule!.id])
    socket.socket.close()
    await jobs.close()
  })

  it('without the permission a follower is refused; after unfollowing nothing more is sent', async () => {
    const [watching, refused, stopped] = await Promise.all([follow(admin), follow(clerk), follow(admin)])
    expect(await refused.next('error')).toMatchObject({ code: 'FORBIDDEN' })
    stopped.send('unfollowEvents')
    await heardOut(stopped)
    const id = await event((await vehicle(north)).deviceId)
    await hears(watching, id)
    expect([ids({ data: { events: eventsOf(stopped) } }).includes(id), eventsOf(refused)]).toEqual([false, []])
    for (const { socket } of [watching, refused, stopped]) socket.close()
  })

  it('missed events are returned since a number, including a change that was committed late', async () => {
    const [mine, other] = [await vehicle(north), await vehicle(south)]
    const {
      data: { seq, events },
    } = await changes(admin)
    expect(events).toEqual([])
    const quiet = await event(mine.deviceId)
    const early = await event(mine.deviceId)
    const late = await event(other.deviceId)
    const first = await changes(admin, seq)
    expect(ids(first).slice(-3)).toEqual([quiet, early, late])
    expect(first.data).toMatchObject({ seq: first.data.events.at(-1)!.seq, hasMore: false })
    // As if `early` had been under way while the answer above was made; `quiet` was told long before.
    const { admin: db } = app.database
    await db.query('alter table geo.event disable trigger number_event')
    await db.query(`update geo.event set "changedAt" = "changedAt" - interval '1 hour' where "seq" <= $1 or "id" = $2`, [seq, quiet])
    await db.query('alter table geo.event enable trigger number_event')
    expect(ids(await changes(admin, first.data.seq))).toEqual([early, late])
    expect(ids(await changes(local, first.data.seq))).toEqual([early])
    expect(ids(await changes(foreign, 0))).toEqual([])
    expect((await clerk.get('/geo/events/changes')).status).toBe(403)
    expect((await admin.get('/geo/events/changes?since=soon')).status).toBe(422)
  })
})

describe('the list of events', () => {
  it('is paged, sorted, searched and filtered, within reach', async () => {
    const [mine, other] = [await vehicle(north), await vehicle(south)]
    await app.database.admin.query(`update geo.device set "name" = 'Lorry Kisumu' where "id" = $1`, [mine.deviceId])
    const sos = await event(mine.deviceId, { severity: 'critical', minutesAgo: 30 })
    const on = await event(mine.deviceId, { type: 'ignitionOn', severity: 'info', minutesAgo: 20, alarm: 'none' })
    const far = await event(other.deviceId, { minutesAgo: 10 })
    const gone = await event(mine.deviceId, { minutesAgo: 5, isSuperseded: true })
    const of = `deviceId=${mine.deviceId}`
    expect(ids(await list(admin, of))).toEqual([on, sos])
    expect((await list(admin, `${of}&size=1&page=2`)).meta).toEqual({ page: 2, size: 1, total: 2 })
    expect(ids(await list(admin, `${of}&size=1&page=2`))).toEqual([sos])
    expect(ids(await list(admin, `${of}&sortField=severity&sortOrder=DESC`))).toEqual([sos, on])
    expect(ids(await list(admin, `${of}&type=ignitionOn,ignitionOff`))).toEqual([on])
    expect(ids(await list(admin, `${of}&severity=critical,warning`))).toEqual([sos])
    expect(ids(await list(admin, 'search=lorry kis'))).toEqual([on, sos])
    expect(ids(await list(admin, `${of}&from=${new Date(Date.now() - 25 * 60_000).toISOString()}`))).toEqual([on])
    expect(ids(await list(admin, `${of}&to=${new Date(Date.now() - 25 * 60_000).toISOString()}`))).toEqual([sos])
    expect(ids(await list(admin, 'size=1000'))).toEqual(expect.arrayContaining([sos, on, far]))
    expect(ids(await list(admin, 'size=1000'))).not.toContain(gone)
    expect(ids(await list(local, 'size=1000'))).not.toContain(far)
    expect(ids(await list(foreign))).toEqual([])
    expect((await clerk.get('/geo/events')).status).toBe(403)
    for (const wrong of ['type=nothing', 'severity=loud', 'sortField=attributes', 'acknowledged=perhaps', 'from=yesterday'])
      expect([wrong, (await admin.get(`/geo/events?${wrong}`)).status]).toEqual([wrong, 422])
  })

  it('an event is acknowledged once, with who, when and note; others in the company see it', async () => {
    const car = await vehicle(north)
    const id = await event(car.deviceId)
    expect(ids(await list(admin, `deviceId=${car.deviceId}&acknowledged=false`))).toEqual([id])
    const first = await local.post<{ event: Listed }>(`/geo/events/${id}/acknowledge`, { note: '  Driver is well ' })
    expect(first.body.data.event).toMatchObject({
      id,
      acknowledgedBy: local.user.id,
      acknowledgedByName: 'Dina Dispatcher',
      note: 'Driver is well',
    })
    const again = await admin.post<{ event: Listed }>(`/geo/events/${id}/acknowledge`, { note: 'Me too' })
    expect(again.body.data.event).toEqual(first.body.data.event)
    expect(ids(await list(admin, `deviceId=${car.deviceId}&acknowledged=true`))).toEqual([id])
    expect((await admin.get<{ event: Listed }>(`/geo/events/${id}`)).body.data.event).toMatchObject({
      note: 'Driver is well',
      reactions: [],
    })
    const audit = await app.database.admin.query(
      `select "userId" from audit_log where "action" = 'geo.event.acknowledge' and "objectId" = $1`,
      [id],
    )
    expect(audit.rows).toEqual([{ userId: local.user.id }])
    const far = await event((await vehicle(south)).deviceId)
    for (const [who, which] of [
      [foreign, id],
      [local, far],
      [admin, randomUUID()],
    ] as const) {
      expect((await who.post(`/geo/events/${which}/acknowledge`, {})).status).toBe(404)
      expect((await who.get(`/geo/events/${which}`)).status).toBe(404)
    }
    expect((await clerk.post(`/geo/events/${far}/acknowledge`, {})).status).toBe(403)
    expect((await admin.post(`/geo/events/${far}/acknowledge`, { note: 'x'.repeat(1_001) })).status).toBe(422)
    expect(ids(await list(admin, `deviceId=${car.deviceId}&acknowledged=false`))).toEqual([])
  })
})
