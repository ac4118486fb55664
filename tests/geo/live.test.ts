import { randomUUID } from 'node:crypto'
import type { LivePosition } from '@outpost/contract/geo/calls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

/** A vehicle of a branch, and what makes it report. */
async function vehicle(tenant: MadeTenant) {
  const device = await stack.vehicle(tenant)
  return {
    ...device,
    report: (latitude: number, time = Date.now()) =>
      startResender({ ...device, packets: [[fixAt(time, { latitude, attributes: { ignition: true } })]] }).done,
  }
}
const positionsOf = ({ heard }: TestSocket) =>
  heard.filter(({ event }) => event === 'positions').flatMap(({ data }) => data.positions as LivePosition[])
const hears = (socket: TestSocket, deviceId: string, latitude: number) =>
  until(() => positionsOf(socket).some((one) => one.deviceId === deviceId && one.latitude === latitude), 20_000)
async function follow(who: SignedInClient): Promise<TestSocket> {
  const socket = await openSocket(url, who)
  await socket.next('session')
  socket.send('followPositions')
  return socket
}
/** Until what was sent over this socket before has been dealt with. */
async function heardOut(socket: TestSocket): Promise<void> {
  const errors = () => socket.heard.filter(({ event }) => event === 'error').length
  const before = errors()
  socket.send('cancelReport', {})
  await until(() => errors() > before)
}
const changes = async (who: SignedInClient, since?: number) =>
  (
    await who.get<{ positions: LivePosition[]; removed: string[]; seq: number }>(
      `/geo/positions/changes${since === undefined ? '' : `?since=${since}`}`,
    )
  ).body.data

describe('live positions', () => {
  it('a follower sees a vehicle in reach move, through tracker, geo service, relay and server', async () => {
    const [everywhere, inNorth, elsewhere, idle] = await Promise.all([
      follow(admin),
      follow(local),
      follow(foreign),
      openSocket(url, admin),
    ])
    const [mine, other] = [await vehicle(north), await vehicle(south)]
    await Promise.all([mine.report(-1.31), other.report(-1.32)])
    await Promise.all([
      hears(everywhere, mine.deviceId, -1.31),
      hears(everywhere, other.deviceId, -1.32),
      hears(inNorth, mine.deviceId, -1.31),
    ])
    // A second one of each: what others were not told by then they never are.
    await Promise.all([mine.report(-1.33), other.report(-1.34)])
    await Promise.all([
      hears(everywhere, mine.deviceId, -1.33),
      hears(everywhere, other.deviceId, -1.34),
      hears(inNorth, mine.deviceId, -1.33),
    ])
    expect(new Set(positionsOf(inNorth).map(({ deviceId }) => deviceId))).toEqual(new Set([mine.deviceId]))
    expect(positionsOf(elsewhere)).toEqual([])
    expect(positionsOf(idle)).toEqual([])
    const [told] = positionsOf(everywhere).filter(({ latitude }) => latitude === -1.33)
    expect(told).toMatchObject({
      deviceId: mine.deviceId,
      longitude: 36.82,
      speed: 40,
      course: 90,
      isValid: true,
      ignition: true,
      batteryLevel: null,
      alarm: null,
    })
    expect(JSON.stringify(told)).not.toContain(north.id)
    for (const { socket } of [everywhere, inNorth, elsewhere, idle]) socket.close()
  })

  it('without the permission a follower is refused; after unfollowing nothing more is sent', async () => {
    const [watching, refused, stopped] = await Promise.all([follow(admin), follow(clerk), follow(admin)])
    expect(await refused.next('error')).toMatchObject({ code: 'FORBIDDEN' })
    stopped.send('unfollowPositions')
    await heardOut(stopped)
    const before = positionsOf(stopped).length
    const car = await vehicle(north)
    await car.report(-1.35)
    await hears(watching, car.deviceId, -1.35)
    expect(positionsOf(stopped).length).toBe(before)
    expect(positionsOf(refused)).toEqual([])
    for (const { socket } of [watching, refused, stopped]) socket.close()
  })

  it('its connection sets it on- and offline', async () => {
    const watching = await follow(admin)
    const car = await vehicle(north)
    await car.report(-1.36)
    await until(() => positionsOf(watching).findLast(({ deviceId }) => deviceId === car.deviceId)?.status === 'offline', 20_000)
    watching.socket.close()
  })
})

describe('a box of the map', () => {
  it('limits what a socket receives, with what leaves it; another box starts without a gap', async () => {
    const [everywhere, watching] = [await follow(admin), await openSocket(url, admin)]
    await watching.next('session')
    const box = [36, -1.3, 37, -1.2]
    watching.send('followPositions', { box })
    expect(await watching.next('following')).toEqual({ box })
    const [inside, outside] = [await vehicle(north), await vehicle(south)]
    // Told whatever it is, until the answer of the call that was asked beside it was surely made.
    await Promise.all([inside.report(-1.25), outside.report(-1.5)])
    await Promise.all([hears(watching, inside.deviceId, -1.25), hears(watching, outside.deviceId, -1.5)])
    await new Promise((done) => setTimeout(done, 5_200))
    await outside.report(-1.51)
    await hears(everywhere, outside.deviceId, -1.51)
    for (const latitude of [-1.26, -1.4, -1.41, -1.21]) {
      await inside.report(latitude)
      await hears(everywhere, inside.deviceId, latitude)
    }
    await hears(watching, inside.deviceId, -1.21)
    const told = positionsOf(watching).map(({ latitude }) => latitude)
    expect([told.includes(-1.51), told.includes(-1.4), told.includes(-1.41)]).toEqual([false, true, false])
    watching.send('followPositions', { box: [36, -1.6, 37, -1.45] })
    await watching.next('following', (data) => JSON.stringify(data.box) === '[36,-1.6,37,-1.45]')
    const within = async (text: string, who = admin) =>
      (await who.get<{ positions: LivePosition[] }>(`/geo/positions/changes?box=${text}`)).body.data.positions.map(
        ({ deviceId }) => deviceId,
      )
    const there = await within('36,-1.6,37,-1.45')
    expect([there.includes(outside.deviceId), there.includes(inside.deviceId)]).toEqual([true, false])
    expect(await within('36,-1.6,37,-1.45', local)).not.toContain(outside.deviceId)
    watching.send('followPositions')
    await watching.next('following', (data) => data.box === null)
    for (const { socket } of [everywhere, watching]) socket.close()
  })

  it('may cross the date line, and is refused when invalid', async () => {
    const far = await vehicle(north)
    await far.report(-17)
    await app.database.admin.query('update geo.latest set "longitude" = -179.5 where "deviceId" = $1', [far.deviceId])
    const within = (query: string) => admin.get<{ positions: LivePosition[] }>(`/geo/positions/changes?${query}`)
    expect((await within('box=179,-20,-179,-15')).body.data.positions.map(({ deviceId }) => deviceId)).toContain(far.deviceId)
    expect((await within('box=170,-20,179,-15')).body.data.positions).toEqual([])
    for (const [query, field] of [
      ['box=1,2,3', 'box'],
      ['box=0,1,1,0', 'box.1'],
      ['box=a,0,1,1', 'box.0'],
      ['box=,0,1,1', 'box.0'],
      ['since=1&box=0,0,1,1', 'since'],
    ]) {
      expect([query, (await within(query!)).status, (await within(query!)).body.fields?.[0]?.field.split('.')[0]]).toEqual([
        query,
        422,
        field!.split('.')[0],
      ])
    }
    const socket = await openSocket(url, admin)
    await socket.next('session')
    socket.send('followPositions', { box: [0, 1, 1, 0] })
    expect(await socket.next('error')).toMatchObject({ code: 'INVALID' })
    socket.socket.close()
  })
})

describe('missed changes', () => {
  it('are returned since a number, within reach only, with removed devices', async () => {
    const [mine, other, gone] = [await vehicle(north), await vehicle(south), await vehicle(north)]
    await Promise.all([mine.report(-1.41), other.report(-1.42), gone.report(-1.43)])
    const all = await changes(admin)
    const ids = (data: { positions: LivePosition[] }) => data.positions.map(({ deviceId }) => deviceId)
    expect(ids(all)).toEqual(expect.arrayContaining([mine.deviceId, other.deviceId, gone.deviceId]))
    expect(all.seq).toBe(Math.max(...all.positions.map(({ seq }) => seq)))
    expect(ids(await changes(local))).not.toContain(other.deviceId)
    // What was quiet for longer than a transaction may last is not told again.
    const { admin: db } = app.database
    // The geo service writes every 3 s which connections are closed; written after the updates below, that is a change again.
    await until(
      async () => (await db.query(`select from geo.device where "id" = $1 and "status" = 'offline'`, [other.deviceId])).rowCount === 1,
    )
    await db.query(`update geo.latest set "serverTime" = "serverTime" - interval '1 hour' where "deviceId" = $1`, [other.deviceId])
    await db.query(`update geo.device set "statusAt" = now() - interval '1 hour' where "id" = $1`, [other.deviceId])
    await mine.report(-1.44)
    await db.query('update geo.device set "deletedAt" = now() where "id" = $1', [gone.deviceId])
    const missed = await changes(admin, all.seq)
    expect(missed.positions.find(({ deviceId }) => deviceId === mine.deviceId)?.latitude).toBe(-1.44)
    expect(ids(missed)).not.toContain(other.deviceId)
    expect(missed.removed).toEqual([gone.deviceId])
    expect((await changes(foreign)).positions).toEqual([])
    expect((await clerk.get('/geo/positions/changes')).status).toBe(403)
    expect((await admin.get('/geo/positions/changes?since=soon')).status).toBe(422)
  })

  it('include a change that took its number early and was committed late', async () => {
    const [early, late] = [await vehicle(north), await vehicle(north)]
    await Promise.all([early.report(-1.51), late.report(-1.52)])
    const { seq } = await changes(admin)
    // As if `early` had been under way while the answer above was made: a smaller number, and now another place.
    await app.database.admin.query('update geo.latest set "seq" = $2, "latitude" = -1.53 where "deviceId" = $1', [early.deviceId, seq - 1])
    expect((await changes(admin, seq)).positions.find(({ deviceId }) => deviceId === early.deviceId)?.latitude).toBe(-1.53)
  })
})

describe('the doctor', () => {
  it('returns how well a device is connected, and what to do about it', async () => {
    const car = await vehicle(north)
    const start = Date.now() - 3_600_000
    // Every minute while it drives, with a hole of ten: 20 reports of 29 due.
    const minutes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 21, 22, 23, 24, 25, 26, 27, 28]
    await startResender({
      ...car,
      packets: [minutes.map((minute) => fixAt(start + minute * 60_000, { attributes: { ignition: true, sat: 4 } }))],
    }).done
    await app.database.admin.query(
      `insert into geo.quarantine ("companyId", "deviceId", "protocol", "reason", "detail", "bytes") values ($1, $2, 'teltonika', 'crc', 'wrong sum', '\\x0102')`,
      [company.id, car.deviceId],
    )
    type Doctor = {
      deviceDoctor: {
        findings: { code: string }[]
        lastDay: Record<string, number>
        badFrames: { hex: string }[]
        positions: { fixTime: string }[]
        frames: number
        lastFixAt: string | null
        reconnectsPerDay: number
      }
    }
    const examine = async (who: SignedInClient) => who.get<Doctor>(`/geo/devices/${car.deviceId}/doctor`)
    await until(async () => (await examine(admin)).body.data.deviceDoctor.lastFixAt !== null)
    const { deviceDoctor } = (await examine(admin)).body.data
    expect(deviceDoctor.lastDay).toMatchObject({ positions: 20, validShare: 1, satellites: 4, intervalSeconds: 60 })
    expect(deviceDoctor.lastDay.coverage).toBeCloseTo(19 / 28, 5)
    expect(deviceDoctor.findings.map(({ code }) => code)).toEqual(['coverage', 'fewSatellites', 'late'])
    expect(deviceDoctor.badFrames).toMatchObject([{ hex: '0102', reason: 'crc', detail: 'wrong sum' }])
    expect(deviceDoctor.positions.map(({ fixTime }) => Date.parse(fixTime))).toEqual(
      minutes.map((minute) => start + minute * 60_000).toReversed(),
    )
    expect((await examine(foreign)).status).toBe(404)
    expect((await admin.get(`/geo/devices/${randomUUID()}/doctor`)).status).toBe(404)
  })

  it('has advice for a device that never reported', async () => {
    const car = await vehicle(north)
    const { body } = await admin.get<{
      deviceDoctor: { findings: { code: string; severity: string }[]; lastDay: { coverage: number | null }; lastFrameAt: string | null }
    }>(`/geo/devices/${car.deviceId}/doctor`)
    expect(body.data.deviceDoctor).toMatchObject({
      findings: [{ code: 'neverHeard', severity: 'critical' }],
      lastFrameAt: null,
      lastDay: { coverage: null },
    })
  })
})

describe('the asset wall', () => {
  it('a vehicle of a group is told to people with its role alone, and to everybody once it has left the group', async () => {
    const { make, database } = app
    const role = await make.role({ company, name: randomUUID(), permissions: ['SALES/AGENT/POSITION'] })
    const inside = await app.as(await make.user({ company, role }))
    const device = await vehicle(north)
    const [asset, group] = [randomUUID(), randomUUID()]
    const { admin: db } = database
    await db.query(`insert into asset ("companyId", "id", "tenantId", "registrationNumber") values ($1, $2, $1, $3)`, [
      company.id,
      asset,
      asset,
    ])
    await db.query(`insert into asset_group ("companyId", "id", "name", "roleId") values ($1, $2, $3, $4)`, [
      company.id,
      group,
      group,
      role.id,
    ])
    await db.query(`insert into asset_group_member ("companyId", "assetId", "assetGroupId") values ($1, $2, $3)`, [
      company.id,
      asset,
      group,
    ])
    await db.query(`insert into geo.device_asset ("companyId", "deviceId", "assetId") values ($1, $2, $3)`, [
      company.id,
      device.deviceId,
      asset,
    ])
    const other = await vehicle(north)
    const [within, outside] = await Promise.all([follow(inside), follow(local)])
    await device.report(-1.41)
    await hears(within, device.deviceId, -1.41)
    await other.report(-1.42)
    await hears(outside, other.deviceId, -1.42)
    expect(positionsOf(outside).some(({ deviceId }) => deviceId === device.deviceId)).toBe(false)
    expect(JSON.stringify(positionsOf(within))).not.toContain('seenBy')
    expect([
      (await changes(inside)).positions.length > 0,
      (await changes(local)).positions.some(({ deviceId }) => deviceId === device.deviceId),
    ]).toEqual([true, false])
    await db.query(`delete from asset_group_member where "assetId" = $1`, [asset])
    await device.report(-1.43, Date.now() + 1_000)
    await hears(outside, device.deviceId, -1.43)
  })
})
