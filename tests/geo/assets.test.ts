import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '@outpost/rules/time-zone'
import { agentsArea } from '../../apps/server/src/areas/agents/index.ts'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { clientsArea } from '../../apps/server/src/areas/clients/index.ts'
import { rolesArea } from '../../apps/server/src/areas/roles/index.ts'
import { tenantsArea } from '../../apps/server/src/areas/tenants/index.ts'
import { transfersArea } from '../../apps/server/src/areas/transfers/index.ts'
import { usersArea } from '../../apps/server/src/areas/users/index.ts'
import type { Answer, SignedInClient } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { workAlways } from '../support/at-work.ts'
import { everything, newIdentity } from './support/api-world.ts'
import { geoStack, type GeoStack } from './support/stack.ts'

interface Asset extends Record<string, unknown> {
  Id: string
  registrationNumber: string
  vehicle: { registrationNumber: string }
  asset_devices: { deviceId: string; devicetypename: string; state: string; telemetry: Record<string, unknown> }[]
  latitude: number | null
  version: number
}

let stack: GeoStack
let company: MadeTenant, branch: MadeTenant
let admin: SignedInClient,
  ranger: SignedInClient,
  guard: SignedInClient,
  local: SignedInClient,
  viewer: SignedInClient,
  foreign: SignedInClient
let rangers: { id: string }

beforeAll(async () => {
  stack = await geoStack({}, {}, (machine, geo) => [
    authArea(machine),
    agentsArea,
    usersArea,
    rolesArea,
    tenantsArea,
    clientsArea,
    transfersArea,
    geo,
  ])
  const { make } = stack.app
  const role = (of: MadeTenant, permissions: string[]) => make.role({ company: of, name: randomUUID(), permissions })
  const client = async (of: MadeTenant, tenant: MadeTenant, own: { id: string }) =>
    stack.app.as(await make.user({ company: of, tenant, role: own as never }), { tenant })
  company = await make.company()
  branch = await make.tenant({ company })
  const stranger = await make.company()
  rangers = await role(company, everything)
  admin = await stack.app.as(await make.user({ company, role: 'admin' }))
  ranger = await client(company, company, rangers)
  guard = await client(company, company, await role(company, everything))
  local = await client(company, branch, await role(company, everything))
  viewer = await client(company, company, await role(company, ['SALES/AGENT/POSITION']))
  foreign = await client(stranger, stranger, await role(stranger, everything))
  await workAlways(make, company.id)
})
afterAll(() => stack.close())

const plate = () => `K${randomUUID().slice(0, 7).toUpperCase()}`
const ok = <Data = Record<string, unknown>>(answer: Answer<Data>) => {
  expect(answer.status, answer.text).toBe(200)
  return answer
}
const wrong = ({ status, body }: Answer) => [status, (body.fields ?? []).map(({ field }) => field)]
const addDevice = async (more: object = {}, who = admin): Promise<string> =>
  (ok(await who.post('/api/geo/device', { uniqueId: newIdentity(), name: 'Tracker', ...more })).body.data.geoDevice as { id: string }).id
const addAsset = async (more: object = {}, who = admin): Promise<Asset> =>
  ok(await who.post('/api/geo/asset', { registrationNumber: plate(), ...more })).body.data.asset as Asset
const addGroup = async (roleId: string | null): Promise<string> =>
  (ok(await admin.post('/api/geo/asset-group', { name: plate(), roleId })).body.data.assetGroup as { Id: string }).Id
const assets = async (query: string, who = admin) => {
  const { body } = ok(await who.get<{ assets: Asset[] }>(`/api/geo/asset?${query}`))
  return { rows: body.data.assets, meta: body.meta }
}
const plates = async (query: string, who?: SignedInClient) =>
  (await assets(query, who)).rows.map(({ vehicle }) => vehicle.registrationNumber)

/** A device reports now, at a place. */
async function report(
  deviceId: string,
  latitude = -1.2864,
  attributes: object = { ignition: true, odometer: 5_000, sat: 9 },
): Promise<void> {
  const { admin: db } = stack.app.database
  const values = [company.id, deviceId, latitude, JSON.stringify(attributes)]
  await db.query(
    `insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "speed", "isValid", "more") values ($1, $2, date_trunc('second', now()), $3, 36.8, 40, true, $4::jsonb - 'ignition')
     on conflict do nothing`,
    values,
  )
  await db.query(
    `insert into geo.latest ("companyId", "deviceId", "fixTime", "latitude", "longitude", "speed", "isValid", "attributes", "state") values ($1, $2, date_trunc('second', now()), $3, 36.8, 40, true, $4, $4)
     on conflict ("companyId", "deviceId") do update set "latitude" = excluded."latitude", "seq" = nextval('geo.latest_seq')`,
    values,
  )
}

describe('assets', () => {
  it('are made with a device, read with their vehicle and place, changed in the words of the specification', async () => {
    const deviceId = await addDevice()
    await report(deviceId)
    const made = await addAsset({ registrationNumber: ` kda  ${plate()} `, make: 'Toyota', asset_devices: [{ deviceId }] })
    expect(made).toMatchObject({
      status: 'Active',
      latitude: -1.2864,
      state: 'moving',
      coords: { latitude: -1.2864, longitude: 36.8 },
      telemetry: { odometer: 5_000 },
    })
    expect(made.vehicle.registrationNumber).toMatch(/^KDA K[0-9A-F-]{7}$/)
    expect(made.name).toBe(`${made.registrationNumber} Toyota`)
    expect(made.asset_devices).toMatchObject([{ deviceId, devicetypename: 'Primary', state: 'moving' }])
    const { data } = ok(await admin.get(`/api/geo/assets/details/${made.Id}`)).body
    expect(data.asset).toMatchObject({ Id: made.Id, address: expect.any(String), devices: { [deviceId]: { deviceId } } })
    expect(ok(await admin.get(`/api/geo/assets/devices/${made.Id}`)).body.data.assetDevices).toMatchObject([{ deviceId }])
    // What was read is sent back whole, with one thing changed.
    const read = ok(await admin.get(`/api/geo/assets/${made.Id}`)).body.data.asset as Asset
    const back = ok(await admin.put('/api/geo/asset', { ...read, vehicle: { ...read.vehicle }, colour: 'White' }))
    expect([back.body.message, (back.body.data.asset as Asset).colour]).toEqual(['Asset updated successfully', 'White'])
    expect((back.body.data.asset as Asset).asset_devices).toHaveLength(1)
    const off = ok(await admin.put('/api/geo/asset', { Id: made.Id, asset_devices: [] }))
    expect((off.body.data.asset as Asset).asset_devices).toEqual([])
    const history = ok(await admin.get(`/api/geo/device-asset-history/?deviceId=${deviceId}`)).body
    expect(history.data.deviceAssetHistory).toMatchObject([
      { deviceId, assetId: made.Id, asset: made.registrationNumber, changedBy: admin.user.id },
    ])
  })

  it('are paged, searched, sorted and filtered as the specification asks', async () => {
    const mark = plate()
    const category = (ok(await admin.post('/api/geo/asset-category', { name: mark })).body.data.assetCategory as { Id: string }).Id
    const group = await addGroup(null)
    await addAsset({ registrationNumber: `${mark} A`, make: 'Isuzu', categoryId: category })
    await addAsset({ registrationNumber: `${mark} B`, make: 'Ford', status: 'Workshop' })
    await addAsset({ registrationNumber: `${mark} C`, make: 'Ford', groupIds: [group] })
    const of = (...letters: string[]) => letters.map((letter) => `${mark} ${letter}`)
    expect(await plates(`search=${encodeURIComponent(` ${mark.toLowerCase()} `)}`)).toEqual(of('A', 'B', 'C'))
    expect(await plates(`search=${mark}&sortField=vehicle.registrationNumber&sortOrder=DESC`)).toEqual(of('C', 'B', 'A'))
    expect(await plates(`search=${mark}&sortField=vehicle.make,vehicle.registrationNumber&sortOrder=ASC,DESC`)).toEqual(of('C', 'B', 'A'))
    expect(await plates(`search=${mark}&assetStatus=Workshop`)).toEqual(of('B'))
    expect(await plates(`search=${mark}&assetCategory=${category}`)).toEqual(of('A'))
    expect(await plates(`search=${mark}&assetGroup=${group}`)).toEqual(of('C'))
    expect(await plates(`search=${mark}&startDate=2099-01-01&endDate=2099-12-31`)).toEqual([])
    expect((await assets(`search=${mark}&size=2&page=2`)).meta).toMatchObject({ page: 2, size: 2, total: 3 })
    expect((await admin.get('/api/geo/asset?sortField=colour2')).status).toBe(422)
  })

  it('refuse what is wrong by name, and keep nothing of it', async () => {
    const { registrationNumber } = await addAsset()
    expect(wrong(await admin.post('/api/geo/asset', { registrationNumber: registrationNumber.toLowerCase() }))).toEqual([
      409,
      ['registrationNumber'],
    ])
    expect(wrong(await admin.post('/api/geo/asset', {}))).toEqual([422, ['registrationNumber']])
    expect(wrong(await admin.post('/api/geo/asset', { registrationNumber: plate(), wings: 2 }))).toEqual([422, ['wings']])
    expect(wrong(await admin.put('/api/geo/asset', { colour: 'Red' }))).toEqual([422, ['Id']])
    const taken = await addDevice()
    await addAsset({ asset_devices: [taken] })
    const [foreignDevice, number] = [await addDevice({}, foreign), plate()]
    for (const deviceId of [taken, foreignDevice, randomUUID()])
      expect(wrong(await admin.post('/api/geo/asset', { registrationNumber: number, asset_devices: [{ deviceId }] }))).toEqual([
        422,
        ['asset_devices.0.deviceId'],
      ])
    expect(await plates(`search=${number}`)).toEqual([])
    expect(wrong(await admin.post('/api/geo/asset', { registrationNumber: number, clientId: randomUUID() }))).toEqual([422, ['clientId']])
    expect(wrong(await admin.post('/api/geo/asset', { registrationNumber: number, year: 1700 }))).toEqual([422, ['year']])
  })

  it('take readings and an icon, and their tracker counts on from the reading', async () => {
    const deviceId = await addDevice()
    const { Id } = await addAsset({ asset_devices: [deviceId] })
    const put = async (part: string, body: object) => ok(await admin.put(`/api/geo/assets/${Id}/${part}`, body)).body.data.asset as Asset
    expect(await put('odometer', { odometer: 120_500 })).toMatchObject({ odometer: 120_500, odometerAt: expect.any(String) })
    expect(await put('engine-hours', { engineHours: 2_100.5 })).toMatchObject({ engineHours: 2_100.5 })
    expect(await put('map-icon', { mapIcon: 'truck' })).toMatchObject({ mapIcon: 'truck' })
    const device = ok(await admin.get(`/api/geo/device/details/${deviceId}`)).body.data.geoDevice as {
      odometer: { metres: number }
      engineHours: { hours: number }
    }
    expect([device.odometer.metres, device.engineHours.hours]).toEqual([120_500_000, 2_100.5])
    expect(wrong(await admin.put(`/api/geo/assets/${Id}/odometer`, { odometer: -1 }))).toEqual([422, ['odometer']])
    expect(wrong(await admin.put(`/api/geo/assets/${Id}/map-icon`, { mapIcon: 'rocket' }))).toEqual([422, ['mapIcon']])
    expect((await viewer.put(`/api/geo/assets/${Id}/odometer`, { odometer: 1 })).status).toBe(403)
    expect((await foreign.put(`/api/geo/assets/${Id}/odometer`, { odometer: 1 })).status).toBe(404)
  })

  it('belong to groups and categories that are kept while assets are in them', async () => {
    const group = await addGroup(rangers.id)
    const { Id } = await addAsset({ groupIds: [group] })
    expect((await admin.del(`/api/geo/asset-group/${group}`)).status).toBe(409)
    expect((await guard.put(`/api/geo/asset-group/${group}`, { roleId: null })).status).toBe(200)
    ok(await admin.put('/api/geo/asset', { Id, groupIds: [] }))
    ok(await admin.del(`/api/geo/asset-group/${group}`))
    expect((await viewer.post('/api/geo/asset-group', { name: 'x' })).status).toBe(403)
    expect(wrong(await admin.post('/api/geo/asset-group', { name: plate(), roleId: randomUUID() }))).toEqual([422, ['roleId']])
    expect(ok(await admin.get('/api/geo/asset/device-type')).body.data.deviceTypes).toEqual([
      { id: 'Primary', name: 'Primary' },
      { id: 'Bluetooth Transponder', name: 'Bluetooth Transponder' },
    ])
  })
})

describe('the asset wall', () => {
  it('hides an asset of a group, its device and what it did from everybody without the role, at every door', async () => {
    const group = await addGroup(rangers.id)
    const deviceId = await addDevice({ name: 'Ranger tracker' })
    await report(deviceId)
    const { Id, registrationNumber } = await addAsset({ groupIds: [group], asset_devices: [deviceId] }, ranger)
    const today = dayOf(Date.now(), 'Africa/Johannesburg')
    const fixed = [
      `/api/geo/assets/${Id}`,
      `/api/geo/assets/details/${Id}`,
      `/api/geo/assets/devices/${Id}`,
      `/api/tracking/assets/${Id}`,
      `/api/geo/device/details/${deviceId}`,
      `/api/geo/device/details/${deviceId}/latest-position`,
      `/api/geo/device/position/${deviceId}`,
      `/api/geo/position/device/${deviceId}/${today}/${today}/`,
      `/api/geo/device/trip/details?deviceId=${deviceId}&fromDate=${today}&toDate=${today}`,
      `/api/geo/notification-event/asset/${Id}/alarm`,
      `/api/geo/crash-event/${Id}/NEW`,
      `/geo/devices/${deviceId}`,
      `/geo/devices/${deviceId}/doctor`,
      `/geo/positions?deviceId=${deviceId}`,
      `/geo/deviceTrips/trip?deviceid=${deviceId}&fromdate=${today}&todate=${today}`,
    ]
    for (const path of fixed) {
      expect([path, (await ranger.get(path)).status, (await admin.get(path)).status]).toEqual([path, 200, 200])
      for (const who of [guard, foreign]) expect([path, (await who.get(path)).status]).toEqual([path, 404])
    }
    const lists = [
      `/api/geo/asset?search=${registrationNumber}`,
      `/api/tracking/assets?search=${registrationNumber}`,
      '/api/geo/device/search/RANGER%20TRACKER',
      `/api/geo/device/active`,
      '/geo/positions/changes',
      '/geo/positions?size=1000',
      '/geo/mapzoom/zoom/15/0/0?forceNoSum=1',
      `/api/geo/asset/reports/device-usage?startDate=${today}&endDate=${today}`,
      '/api/tracking/devices?size=1000',
    ]
    const told = ({ text }: Answer) => text.includes(deviceId) || text.includes(Id)
    for (const path of lists) {
      expect([path, told(ok(await ranger.get(path)))]).toEqual([path, true])
      expect([path, told(ok(await guard.get(path)))]).toEqual([path, false])
    }
    for (const call of [
      () => guard.put('/api/geo/asset', { Id, colour: 'Red' }),
      () => guard.put(`/api/geo/device/${deviceId}`, { name: 'Mine' }),
      () => guard.put(`/geo/devices/${deviceId}/asset`, { assetId: null }),
      () => guard.post('/api/geo/asset/device/positions', { deviceId, startDate: today, endDate: today }),
      () => guard.post('/api/geo/asset/trips', { asset: Id }),
      () => guard.post(`/api/geo/device/sendCommand/${deviceId}/positionSingle`, {}),
      () => guard.put('/api/tracking/assets/' + Id, { colour: 'Red' }),
    ])
      expect((await call()).status).toBe(404)
    // Nobody mounts a device of theirs on what they do not see, or loses sight of what they write.
    const own = await addDevice({}, guard)
    expect(wrong(await guard.put(`/geo/devices/${own}/asset`, { assetId: Id }))).toEqual([422, ['assetId']])
    expect(wrong(await guard.post('/api/geo/asset', { registrationNumber: plate(), groupIds: [group] }))).toEqual([422, ['groupIds']])
    expect(wrong(await foreign.post('/api/geo/asset', { registrationNumber: plate(), groupIds: [group] }))).toEqual([422, ['groupIds']])
  })

  it('counts for the time that a tracker was on an asset: what it did there stays hidden after it was moved', async () => {
    const group = await addGroup(rangers.id)
    const deviceId = await addDevice()
    const [hidden, pool] = [await addAsset({ groupIds: [group] }), await addAsset()]
    const { admin: db } = stack.app.database
    const now = Math.floor(Date.now() / 1_000) * 1_000
    const at = (hours: number) => new Date(now - hours * 3_600_000)
    for (const hours of [5, 1])
      await db.query(
        `insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "speed", "isValid", "more") values ($1, $2, $3, -1.3, 36.8, 0, true, '{}')`,
        [company.id, deviceId, at(hours)],
      )
    await admin.put(`/geo/devices/${deviceId}/asset`, { assetId: hidden.Id, at: at(6).toISOString() })
    const seen = async (who: SignedInClient) =>
      (
        await who.get<{ position: { fixTime: string }[] }>(
          `/api/geo/position/device/${deviceId}/${at(7).toISOString()}/${new Date().toISOString()}/`,
        )
      ).body.data?.position?.map(({ fixTime }) => fixTime)
    expect(await seen(guard)).toBeUndefined()
    await admin.put(`/geo/devices/${deviceId}/asset`, { assetId: pool.Id, at: at(3).toISOString() })
    expect(await seen(ranger)).toEqual([at(5).toISOString(), at(1).toISOString()])
    expect(await seen(guard)).toEqual([at(1).toISOString()])
  })

  it('stops at reach as well: a branch sees its own assets and devices only', async () => {
    const mine = await addAsset({}, local)
    const other = await addAsset()
    expect([await plates(`search=${mine.registrationNumber}`, local), await plates(`search=${other.registrationNumber}`, local)]).toEqual([
      [mine.registrationNumber],
      [],
    ])
    const device = await addDevice({}, local)
    expect(wrong(await local.put(`/geo/devices/${device}/asset`, { assetId: other.Id }))).toEqual([422, ['assetId']])
    ok(await local.put(`/geo/devices/${device}/asset`, { assetId: mine.Id }))
  })
})

describe('devices', () => {
  it('that are on no asset wait to be adopted; a new asset takes one', async () => {
    const deviceId = await addDevice({ name: 'Lonely one' })
    await stack.app.database.admin.query(
      `insert into geo.unlinked ("uniqueId", "companyId", "protocol", "words") values ($1, $2, 'teltonika', '{"name": "Knocking"}')`,
      [newIdentity(), company.id],
    )
    const waiting = async () => {
      const { body } = ok(
        await admin.get<{ unlinkedDevices: { id: string | null; name: string }[] }>('/api/geo/device/unlinked-device?size=1000'),
      )
      expect(body.meta?.total).toBe(body.data.unlinkedDevices.length)
      return body.data.unlinkedDevices
    }
    expect((await waiting()).map(({ id, name }) => [id === null, name])).toEqual(
      expect.arrayContaining([
        [false, 'Lonely one'],
        [true, 'Knocking'],
      ]),
    )
    await addAsset({ asset_devices: [deviceId] })
    expect((await waiting()).some(({ id }) => id === deviceId)).toBe(false)
    expect(ok(await foreign.get('/api/geo/device/unlinked-device')).text).not.toContain('Knocking')
  })

  it('are asked for in the words of the specification', async () => {
    const name = plate()
    const uniqueId = newIdentity()
    const deviceId = await addDevice({ name, uniqueId, make: 'Zenon', userId: admin.user.id })
    await report(deviceId)
    const names = async (path: string, who = admin) =>
      (ok(await who.get<{ geoDevices: { name: string }[] }>(path)).body.data.geoDevices ?? []).map((one) => one.name)
    expect(await names(`/api/geo/device/${admin.user.id}?search=${name}`)).toEqual([name])
    expect(await names(`/api/geo/device/${admin.user.id}?search=${name}&filter=online`)).toEqual([name])
    expect(await names(`/api/geo/device/${guard.user.id}?search=${name}`)).toEqual([])
    expect((await admin.get(`/api/geo/device/${foreign.user.id}`)).status).toBe(404)
    expect(await names(`/api/geo/device/map/${admin.user.id}`)).toContain(name)
    expect(await names(`/api/geo/device/search/${name.toLowerCase()}`)).toEqual([name])
    expect(ok(await admin.get(`/api/geo/device/exists/${uniqueId}`)).body.data).toEqual({ exists: true, deviceId })
    expect(ok(await foreign.get(`/api/geo/device/exists/${uniqueId}`)).body.data).toEqual({ exists: false, deviceId: null })
    const stats = ok(await admin.get('/api/geo/device/dashboard/stats')).body.data.stats as {
      total: number
      linked: number
      unlinked: number
      online: number
    }
    expect(stats.total).toBe(stats.linked + stats.unlinked)
    expect(stats.online).toBe((await names('/api/geo/device/active')).length)
    expect(ok(await admin.get('/api/geo/device/active/by-tenant')).body.data.tenants).toContainEqual(
      expect.objectContaining({ tenantId: company.id, online: stats.online }),
    )
    expect(ok(await admin.get('/api/geo/device/dashboard/sms-used')).body.data.smsUsed).toEqual({ today: 0, month: 0, failed: 0 })
    expect(ok(await admin.get('/api/geo/device-hardware')).body.data.hardware).toContainEqual({
      make: 'Zenon',
      model: null,
      protocol: null,
      devices: 1,
      online: 1,
    })
    expect((await names(`/api/geo/device/${admin.user.id}`)).toSorted().toReversed()).toEqual(
      await names(`/api/geo/device/${admin.user.id}`),
    )
    ok(await admin.put(`/api/geo/device/${deviceId}`, { name: `${name}b` }))
    ok(await admin.put(`/api/geo/device/delete/${deviceId}`, {}))
    expect((await admin.get(`/api/geo/device/details/${deviceId}`)).status).toBe(404)
  })

  it('tell their positions as a report with event, odometer and satellites', async () => {
    const deviceId = await addDevice()
    const { admin: db } = stack.app.database
    const at = (minutes: number) => new Date(Math.floor(Date.now() / 60_000) * 60_000 - minutes * 60_000)
    for (const [minutes, ignition, alarm] of [
      [4, false, null],
      [3, true, null],
      [2, true, 'sos'],
      [1, false, null],
    ] as const)
      await db.query(
        `insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "speed", "isValid", "ignition", "odometer", "more") values ($1, $2, $3, -1.3, 36.8, 0, true, $4, 1000, $5)`,
        [company.id, deviceId, at(minutes), ignition, JSON.stringify(alarm ? { alarm } : {})],
      )
    const asked = { deviceId, startDate: at(10).toISOString(), endDate: at(0).toISOString() }
    const { body } = ok(await admin.post<{ position: Record<string, unknown>[] }>('/api/geo/asset/device/positions', asked))
    expect(body.data.position.map(({ event }) => event)).toEqual(['Position Report', 'Ignition On', 'Alarm sos', 'Ignition Off'])
    expect(body.data.position[0]).toMatchObject({ Geo: '1.30000 S, 36.80000 E', latitude: -1.3 })
    const page = ok(
      await admin.get<{ position: { event: string }[] }>(
        `/api/geo/position/device/${deviceId}/${at(10).toISOString()}/${at(0).toISOString()}/?page=2&size=3`,
      ),
    ).body
    expect([page.meta, page.data.position.map(({ event }) => event)]).toEqual([{ page: 2, size: 3, total: 4 }, ['Ignition Off']])
    const found = ok(
      await admin.get<{ position: unknown[] }>(
        `/api/geo/position/device/${deviceId}/${at(10).toISOString()}/${at(0).toISOString()}/?search=ignition`,
      ),
    ).body
    expect([found.meta?.total, found.data.position.length]).toEqual([2, 2])
    expect(
      wrong(await admin.post('/api/geo/asset/device/positions', { deviceId, startDate: 'soon', endDate: at(0).toISOString() })),
    ).toEqual([422, ['startDate']])
  })
})
