import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '@outpost/rules/time-zone'
import { rolesArea } from '../../apps/server/src/areas/roles/index.ts'
import { usersArea } from '../../apps/server/src/areas/users/index.ts'
import { tenantsArea } from '../../apps/server/src/areas/tenants/index.ts'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { agentsArea } from '../../apps/server/src/areas/agents/index.ts'
import { invertedZeros } from '../../apps/server/src/areas/geo/calls/report-calls.ts'
import type { Answer, SignedInClient } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { everything, newIdentity, square } from './support/api-world.ts'
import { geoStack, type GeoStack } from './support/stack.ts'

let stack: GeoStack
let company: MadeTenant
let admin: SignedInClient, second: SignedInClient, foreign: SignedInClient, viewer: SignedInClient
const zone = 'Africa/Johannesburg'
const today = dayOf(Date.now(), zone)
const tomorrow = dayOf(Date.now() + 86_400_000, zone)

beforeAll(async () => {
  stack = await geoStack({}, {}, (machine, geo) => [authArea(machine), agentsArea, rolesArea, usersArea, tenantsArea, geo])
  const { make } = stack.app
  const client = async (of: MadeTenant, permissions: string[]) =>
    stack.app.as(await make.user({ company: of, role: await make.role({ company: of, name: randomUUID(), permissions }) }), { tenant: of })
  company = await make.company()
  const stranger = await make.company()
  admin = await client(company, everything)
  second = await client(company, everything)
  viewer = await client(company, ['SALES/AGENT/POSITION'])
  foreign = await client(stranger, everything)
})
afterAll(() => stack.close())

const ok = <Data = Record<string, unknown>>(answer: Answer<Data>) => {
  expect(answer.status, answer.text).toBe(200)
  return answer
}
const wrong = ({ status, body }: Answer) => [status, (body.fields ?? []).map(({ field }) => field)]
const idIn = (answer: Answer, one: string) => (ok(answer).body.data[one] as { id: string }).id
const namesIn = (answer: Answer, many: string) => (ok(answer).body.data[many] as { name: string }[]).map(({ name }) => name)
const sent = (text: string, values: unknown[]) => stack.app.database.admin.query(text, values)
const addDevice = async () => idIn(await admin.post('/api/geo/device', { uniqueId: newIdentity(), name: 'Truck' }), 'geoDevice')
const addAsset = async (devices: string[]) =>
  (await admin.post('/api/geo/asset', { registrationNumber: randomUUID().slice(0, 8), asset_devices: devices })).body.data.asset as {
    Id: string
    registrationNumber: string
  }

describe('fences and what is watched at them', () => {
  it('are made, listed from Z to A, read, changed and removed, points of interest beside them', async () => {
    const add = async (name: string, type: string) =>
      idIn(
        await admin.post('/api/geo/fences', {
          name,
          type,
          area: type === 'poi' ? { type: 'Point', coordinates: [36.8, -1.3] } : square,
          ...(type === 'poi' ? { radius: 100 } : {}),
        }),
        'geofence',
      )
    const [yard, shop] = [await add('Yard', 'geofence'), await add('Ashop', 'poi')]
    expect(namesIn(await admin.get('/api/geo/fences'), 'geofences')).toEqual(['Yard', 'Ashop'])
    expect(namesIn(await admin.get('/api/geo/fences?sortField=name&sortOrder=ASC&size=1&page=2'), 'geofences')).toEqual(['Yard'])
    for (const path of ['/api/geo/fences/poi', '/api/geo/fences/poi/all/1'])
      expect(namesIn(await admin.get(path), 'geofences')).toEqual(['Ashop'])
    expect(namesIn(await admin.get(`/api/geo/fences/all/${Date.now()}`), 'geofences')).toEqual(['Yard', 'Ashop'])
    expect(ok(await admin.get(`/api/geo/fences/${yard}`)).body.data.geofence).toMatchObject({ name: 'Yard', shape: 'polygon' })
    ok(await admin.put(`/api/geo/fences/${yard}`, { name: 'Big yard' }))
    expect(ok(await admin.put(`/api/geo/fences/poi/${shop}`, { name: 'Shop' })).body.data.geofence).toMatchObject({
      name: 'Shop',
      type: 'poi',
    })
    const deviceId = await addDevice()
    const link = ok(await admin.post('/api/geo/permissions/', { deviceId, geofenceId: yard })).body.data.permission as { Id: string }
    for (const path of [`/api/geo/permissions/${yard}`, `/api/geo/permissions/${link.Id}`, `/api/geo/permissions/device/${deviceId}`])
      expect(ok(await admin.get(path)).body.data.permissions).toMatchObject([{ Id: link.Id, deviceId, geofenceId: yard }])
    expect(namesIn(await admin.get(`/api/geo/fences?deviceId=${deviceId}`), 'geofences')).toEqual(['Big yard'])
    for (const who of [foreign]) {
      expect((await who.get(`/api/geo/fences/${yard}`)).status).toBe(404)
      expect((await who.post('/api/geo/permissions/', { deviceId, geofenceId: yard })).status).toBe(404)
      expect(namesIn(await who.get('/api/geo/fences'), 'geofences')).toEqual([])
    }
    expect((await viewer.put(`/api/geo/fences/${yard}`, { name: 'x' })).status).toBe(403)
    expect(ok(await admin.del('/api/geo/permissions/', { deviceId, geofenceId: yard })).body.data).toEqual({ removed: true })
    // All devices of a fence in one step: these and no others, each once, none of another company.
    const set = (by: typeof admin, deviceIds: string[]) => by.put(`/geo/geofences/${yard}/devices`, { deviceIds })
    expect(ok(await set(admin, [deviceId, deviceId])).body.data).toEqual({ devices: 1, added: 1, removed: 0 })
    expect(ok(await set(admin, [deviceId])).body.data).toEqual({ devices: 1, added: 0, removed: 0 })
    expect((await set(admin, [randomUUID()])).status).toBe(404)
    expect((await set(foreign, [])).status).toBe(404)
    expect(ok(await set(admin, [])).body.data).toEqual({ devices: 0, added: 0, removed: 1 })
    ok(await admin.del(`/api/geo/fences/${yard}`))
    ok(await admin.del(`/api/geo/fences/poi/${shop}`))
    expect(namesIn(await admin.get('/api/geo/fences'), 'geofences')).toEqual([])
    const place = ok(await admin.get('/api/geo/geocoding/position/-1.2864,36.8172')).body.data
    expect(place).toMatchObject({ latitude: -1.2864, longitude: 36.8172, address: expect.any(String) })
  })

  it('are records of the console too, with branch, filters and export like others', async () => {
    const made = ok(
      await admin.post('/api/tracking/fences', { name: 'Depot', area: { type: 'Point', coordinates: [36.8, -1.3] }, radius: 200 }),
    ).body.data.fence as { Id: string; tenantIdLabel: string }
    const read = ok(await admin.get(`/api/tracking/fences/${made.Id}`)).body.data.fence as Record<string, unknown>
    expect(read).toMatchObject({ shape: 'circle', radius: 200, isActive: true, area: { type: 'Point' } })
    expect(ok(await admin.put(`/api/tracking/fences/${made.Id}`, { ...read, colour: '#1677ff' })).body.message).toBe(
      'Fence updated successfully',
    )
    const filter = encodeURIComponent(JSON.stringify([{ field: 'shape', op: 'eq', value: 'circle' }]))
    expect(namesIn(await admin.get(`/api/tracking/fences?filter=${filter}`), 'fences')).toEqual(['Depot'])
    expect(wrong(await admin.post('/api/tracking/fences', { name: 'Nowhere' }))).toEqual([422, ['area']])
    ok(await admin.del(`/api/tracking/fences/${made.Id}`))
  })
})

describe('commands, rules and reactions', () => {
  it('keep the quirks of the specification: PUT without an id, everything at once, reactions of one rule', async () => {
    const command = idIn(await admin.post('/api/geo/commands', { name: 'Where', commandType: 'positionSingle' }), 'command')
    ok(await admin.put('/api/geo/commands', { Id: command, name: 'Where is it' }))
    expect(wrong(await admin.put('/api/geo/commands', { name: 'x' }))).toEqual([422, ['Id']])
    expect((await foreign.put('/api/geo/commands', { Id: command, name: 'x' })).status).toBe(404)
    for (const path of ['/api/geo/commands', '/api/geo/commands/command/all'])
      expect(namesIn(await admin.get(path), 'commands')).toEqual(['Where is it'])
    expect(ok(await admin.get(`/api/geo/commands/${command}`)).body.data.command).toMatchObject({ type: 'command' })
    const deviceId = await addDevice()
    expect((await admin.post(`/api/geo/device/sendCommand/${deviceId}/${command}`, {})).status).toBe(202)
    const rule = idIn(
      await admin.post('/api/geo/eventIos', { name: 'Power', eventType: 'alarm', conditions: [{ kind: 'alarm', names: ['powerCut'] }] }),
      'eventIo',
    )
    const action = idIn(
      await admin.post('/api/geo/eventActions', {
        name: 'Mail us',
        eventIoId: rule,
        actionType: 'email',
        parameters: { to: ['ops@example.com'] },
      }),
      'eventAction',
    )
    expect(namesIn(await admin.get(`/api/geo/eventActions/eventios/${rule}`), 'eventActions')).toEqual(['Mail us'])
    expect((await admin.get(`/api/geo/eventActions/eventios/${randomUUID()}`)).status).toBe(404)
    ok(await admin.put(`/api/geo/eventActions/${action}`, { isActive: false }))
    ok(await admin.put(`/api/geo/eventIos/${rule}`, { severity: 'critical' }))
    expect(ok(await admin.get(`/api/geo/eventIos/${rule}`)).body.data.eventIo).toMatchObject({
      type: 'event',
      severity: 'critical',
      actions: 1,
    })
    expect((await foreign.get(`/api/geo/eventIos/${rule}`)).status).toBe(404)
    expect(namesIn(await foreign.get('/api/geo/eventActions'), 'eventActions')).toEqual([])
    for (const path of [`/api/geo/eventActions/${action}`, `/api/geo/eventIos/${rule}`, `/api/geo/commands/${command}`])
      ok(await admin.del(path))
  })

  it('are records of the console too: a rule and what it tells whom, as the form sends them', async () => {
    const body = {
      name: 'Power cut',
      eventType: 'alarm',
      severity: 'critical',
      conditions: [],
      calendar: null,
      cooldownSeconds: 300,
      isActive: true,
    }
    const rule = ok(await admin.post('/api/tracking/event-ios', body)).body.data.eventIo as { Id: string; version: number }
    const read = ok(await admin.get(`/api/tracking/event-ios/${rule.Id}`)).body.data.eventIo as Record<string, unknown>
    expect(read).toMatchObject(body)
    ok(await admin.put(`/api/tracking/event-ios/${rule.Id}`, { ...read, calendar: { days: [1], from: '22:00', to: '06:00' } }))
    const made = ok(
      await admin.post('/api/tracking/event-actions', {
        name: 'Me',
        eventIoId: rule.Id,
        actionType: 'notify',
        parameters: { userIds: [admin.user.id] },
      }),
    ).body.data.eventAction
    expect(made).toMatchObject({ eventIo: 'Power cut', parameters: { userIds: [admin.user.id] } })
    expect((await foreign.get(`/api/tracking/event-ios/${rule.Id}`)).status).toBe(404)
    const driver = ok(await admin.post('/api/tracking/drivers', { name: 'Otieno', uniqueId: randomUUID() })).body.data.driver as {
      Id: string
    }
    expect(ok(await admin.get(`/api/tracking/drivers/${driver.Id}`)).body.data.driver).toMatchObject({ name: 'Otieno' })
    const command = ok(await admin.post('/api/tracking/commands', { name: 'Where', commandType: 'positionSingle', parameters: {} })).body
      .data.command as { Id: string }
    ok(await admin.put(`/api/tracking/commands/${command.Id}`, { name: 'Where now' }))
    for (const path of [`/api/tracking/drivers/${driver.Id}`, `/api/tracking/commands/${command.Id}`, `/api/tracking/event-ios/${rule.Id}`])
      ok(await admin.del(path))
  })

  it('of which something is wrong are refused by the name of the part, on both addresses', async () => {
    const rule = { name: 'x', eventType: 'alarm' }
    const value = { kind: 'attribute', name: 'power', operator: 'lt', value: 11.5 }
    const hours = { days: [1], from: '22:00', to: '06:00' }
    const fields = async (path: string, body: object) => {
      const { status, body: answer } = await admin.post(path, body)
      return [status, answer.fields?.map(({ field }) => field)]
    }
    for (const path of ['/api/tracking/event-ios', '/api/geo/eventIos'])
      for (const [more, field] of [
        [{ conditions: [{ kind: 'device', ids: [] }] }, 'conditions.0.ids'],
        [{ conditions: [value, { ...value, name: '' }] }, 'conditions.1.name'],
        [{ conditions: [{ ...value, value: null }] }, 'conditions.0.value'],
        [{ conditions: Array.from({ length: 21 }, () => value) }, 'conditions'],
        [{ calendar: { ...hours, days: [] } }, 'calendar.days'],
        [{ calendar: { ...hours, from: '7:00' } }, 'calendar.from'],
        [{ eventType: 'geofenceNotInside' }, 'schedule'],
        [{ schedule: { days: [1], at: '08:00' } }, 'schedule'],
        [{ eventType: 'geofenceNotInside', schedule: { days: [1], at: '08:00' } }, 'conditions'],
      ] as const)
        expect([path, field, ...(await fields(path, { ...rule, ...more }))]).toEqual([path, field, 422, [field]])
  })

  it('keep the secret of a webhook that nobody is told, until it is changed or taken away', async () => {
    const url = 'https://example.com/hook'
    const secretOf = async (id: string) =>
      (await sent(`select "parameters" ->> 'secret' as secret from geo.event_action where "id" = $1`, [id])).rows[0]?.secret as unknown
    const made = ok(
      await admin.post('/api/tracking/event-actions', {
        name: 'Hook',
        actionType: 'webhook',
        parameters: { url, secret: 'a secret of sixteen' },
      }),
    ).body.data.eventAction as { Id: string; hasSecret: boolean; parameters: object }
    expect([made.hasSecret, made.parameters]).toEqual([true, { url }])
    const path = `/api/tracking/event-actions/${made.Id}`
    const read = ok(await admin.get(path)).body.data.eventAction as Record<string, unknown>
    ok(await admin.put(path, { ...read, name: 'Hook again' }))
    expect(await secretOf(made.Id)).toBe('a secret of sixteen')
    ok(await admin.put(path, { parameters: { url, secret: 'another of sixteen' } }))
    expect(await secretOf(made.Id)).toBe('another of sixteen')
    // Another kind of action has no secret, and does not find it again later.
    ok(await admin.put(path, { actionType: 'email', parameters: { to: ['a@b.co'] } }))
    expect(await secretOf(made.Id)).toBeNull()
    ok(await admin.put(path, { actionType: 'webhook', parameters: { url, secret: 'a secret of sixteen' } }))
    const { body } = await admin.put<{ eventAction: object }>(path, { parameters: { url, secret: null } })
    expect([body.data.eventAction, await secretOf(made.Id)]).toMatchObject([{ hasSecret: false }, null])
    ok(await admin.del(path))
  })

  it('say before they are saved how often a rule would have rung', async () => {
    const deviceId = await addDevice()
    for (const [minutes, key] of [
      [300, 'powerCut'],
      [299, 'powerCut'],
      [100, 'powerCut'],
      [50, 'sos'],
    ] as const)
      await sent(
        `insert into geo.event ("companyId", "deviceId", "type", "eventTime", "key", "attributes") values ($1, $2, 'alarm', now() - $3::int * interval '1 minute', $4, jsonb_build_object('alarm', $4::text))`,
        [company.id, deviceId, minutes, key],
      )
    const preview = async (more: object, who = admin) =>
      ok(
        await who.post('/geo/eventIos/preview', {
          eventType: 'alarm',
          name: 'not saved',
          conditions: [{ kind: 'alarm', names: ['powerCut'] }],
          ...more,
        }),
      ).body.data
    expect(await preview({})).toMatchObject({ days: 7, events: 4, rings: 3, devices: 1, isCut: false })
    expect(await preview({ cooldownSeconds: 600 })).toMatchObject({ rings: 2 })
    expect(await preview({ conditions: [{ kind: 'device', ids: [randomUUID()] }] })).toMatchObject({ rings: 0 })
    expect(await preview({}, foreign)).toMatchObject({ events: 0, rings: 0 })
    expect((await admin.post('/geo/eventIos/preview', { eventType: 'nothing' })).status).toBe(422)
  })
})

describe('reports as pages', () => {
  it('hand the flag zeros on inverted, page, sort and count', async () => {
    expect([invertedZeros('1'), invertedZeros('0'), invertedZeros(undefined)]).toEqual(['0', '1', '1'])
    const deviceId = await addDevice()
    const { Id, registrationNumber } = await addAsset([deviceId])
    const at = (minutes: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 - minutes * 60_000)
    for (const [minutes, metres] of [
      [3, 0],
      [2, 5_000],
      [1, 7_000],
    ] as const)
      await sent(
        `insert into geo.trip ("companyId", "deviceId", "startTime", "endTime", "startLatitude", "startLongitude", "metres", "assetId") values ($1, $2, $3, $3::timestamptz + interval '30 seconds', -1.3, 36.8, $4, $5)`,
        [company.id, deviceId, at(minutes), metres, Id],
      )
    const window = `startDate=${dayOf(Date.now() - 86_400_000, zone)}&endDate=${tomorrow}`
    const trips = async (query: string, who = admin) =>
      ok(await who.get<{ trips: { km: number; asset: string }[] }>(`/api/geo/asset/reports/trips?${window}&${query}`)).body
    expect((await trips('')).data.trips.map(({ km, asset }) => [km, asset])).toEqual([
      [0, registrationNumber],
      [5, registrationNumber],
      [7, registrationNumber],
    ])
    expect((await trips('zeros=1')).data.trips.map(({ km }) => km)).toEqual([5, 7])
    const page = await trips('zeros=1&sortField=startDate&sortOrder=DESC&size=1&page=2')
    expect([page.data.trips.map(({ km }) => km), page.meta]).toEqual([[5], { page: 2, size: 1, total: 2 }])
    expect((await trips(`assetId=${Id}&zeros=1`)).meta).toMatchObject({ total: 2 })
    expect((await foreign.get(`/api/geo/asset/reports/trips?assetId=${Id}`)).status).toBe(404)
    expect((await trips('', foreign)).data.trips).toEqual([])
    expect(wrong(await admin.get(`/api/geo/asset/reports/trips?sortField=colour`))).toEqual([422, ['sortField']])
    expect(wrong(await admin.get(`/api/geo/asset/reports/trips?startDate=2026-02-02&endDate=2026-02-01`))).toEqual([422, ['endDate']])
    for (const [name, many] of [
      ['device-usage', 'deviceUsage'],
      ['stops', 'stops'],
      ['engine', 'engine'],
      ['hotspots', 'hotspots'],
      ['active', 'active'],
    ] as const)
      expect(ok(await admin.get(`/api/geo/asset/reports/${name}?${window}`)).body.data[many]).toBeInstanceOf(Array)
    expect(ok(await admin.get(`/api/geo/notification-event/reports/tamper?${window}&assetId=${Id}`)).body.data.tamper).toEqual([])
    expect(ok(await admin.get(`/api/geo/assets/battery/${today}/${tomorrow}/`)).body.data.battery).toEqual([])
    const { body } = ok(
      await admin.post<{ trips: { metres: number }[] }>('/api/geo/asset/trips', {
        asset: { Id },
        startDate: dayOf(Date.now() - 86_400_000, zone),
        endDate: tomorrow,
      }),
    )
    expect(body.data.trips.map(({ metres }) => metres)).toEqual([5_000, 7_000])
  })

  it('crashes are NEW until somebody reviews them, with a note and a trace in the audit', async () => {
    const deviceId = await addDevice()
    const { Id } = await addAsset([deviceId])
    const time = Math.floor(Date.now() / 1_000) * 1_000 + 5_000
    await sent(
      `insert into geo.event ("companyId", "deviceId", "type", "eventTime", "key", "severity", "attributes") values ($1, $2, 'alarm', $3, 'accident', 'critical', '{"alarm": "accident"}')`,
      [company.id, deviceId, new Date(time)],
    )
    const crashes = async (status: string) =>
      ok(
        await admin.get<{ crashEvents: { status: string; note: string | null; reviewedByName: string | null }[] }>(
          `/api/geo/crash-event/${Id}/${status}?endDate=${tomorrow}`,
        ),
      ).body
    expect((await crashes('NEW')).data.crashEvents).toMatchObject([{ status: 'NEW', reviewedByName: null }])
    const review = (body: object, who = admin) => who.put(`/geo/crashes/${deviceId}/${time}`, body)
    expect((await review({ status: 'APPROVED' }, viewer)).status).toBe(403)
    expect((await review({ status: 'APPROVED' }, foreign)).status).toBe(404)
    expect(wrong(await review({ status: 'MAYBE' }))).toEqual([422, ['status']])
    ok(await review({ status: 'APPROVED', note: 'Hit a gate' }))
    expect((await crashes('NEW')).meta).toMatchObject({ total: 0 })
    expect((await crashes('approved')).data.crashEvents).toMatchObject([
      { status: 'APPROVED', note: 'Hit a gate', reviewedByName: expect.any(String) },
    ])
    expect(wrong(await admin.get(`/api/geo/crash-event/${Id}/perhaps`))).toEqual([422, ['b']])
    const alarms = ok(await admin.get(`/api/geo/notification-event/asset/${Id}/alarm?endDate=${tomorrow}`)).body.data.alarms
    expect(alarms).toMatchObject([{ words: 'Crash', createdAt: new Date(time).toISOString() }])
    expect(ok(await admin.get(`/api/geo/notification-event/asset/${Id}/event?endDate=${tomorrow}`)).body.meta).toEqual({
      page: 1,
      size: 100,
      total: 1,
    })
  })
})

describe('share links', () => {
  const page = (path: string) => stack.app.nobody.get(path)
  it('show where one asset is until they end or are withdrawn, and nothing else', async () => {
    const deviceId = await addDevice()
    const { Id, registrationNumber } = await addAsset([deviceId])
    await sent(
      `insert into geo.latest ("companyId", "deviceId", "fixTime", "latitude", "longitude", "speed", "course", "isValid", "attributes") values ($1, $2, now(), -1.2864, 36.8172, 42, 90, true, '{"batteryLevel": 7}')`,
      [company.id, deviceId],
    )
    const expireDate = new Date(Date.now() + 3_600_000).toISOString()
    const share = (more: object = {}, who = admin) =>
      who.post<{ link: string; shareLink: { Id: string; status: string } }>('/api/geo/asset/share-links', {
        assetInfoId: Id,
        expireDate,
        ...more,
      })
    const { link, shareLink } = ok(await share({ label: 'Customer' })).body.data
    expect(link).toMatch(/^\/shared\/[0-9a-f-]{36}\.[\w-]{43}$/)
    const shown = await page(link)
    expect([shown.status, shown.text.includes(registrationNumber), shown.text.includes('42 km/h'), shown.text.includes('<svg')]).toEqual([
      200,
      true,
      true,
      true,
    ])
    expect(shown.headers.refresh).toBe('30')
    for (const secret of [deviceId, Id, 'batteryLevel', admin.user.emailAddress, '<script']) expect(shown.text).not.toContain(secret)
    const blurred = await page(ok(await share({ blurMetres: 2_000 })).body.data.link)
    expect(blurred.text).not.toContain('openstreetmap')
    expect(blurred.text).toContain('map-haze')
    const own = { name: 'Secret repossession yard', radius: 300, area: { type: 'Point', coordinates: [36.8172, -1.2864] } }
    for (const type of ['poi', 'geofence'] as const) {
      const id = idIn(await admin.post('/api/geo/fences', { ...own, type }), 'geofence')
      const inside = await page(link)
      expect([type, inside.status, inside.text.includes(registrationNumber), inside.text.includes('repossession')]).toEqual([
        type,
        200,
        true,
        false,
      ])
      ok(await admin.del(`/api/geo/fences/${type === 'poi' ? 'poi/' : ''}${id}`))
    }
    const { rows } = await sent('select "tokenHash" from asset_share where "id" = $1', [shareLink.Id])
    expect(String(rows[0]?.tokenHash)).not.toContain(link)
    expect((await share({}, foreign)).status).toBe(422)
    expect((await share({}, viewer)).status).toBe(403)
    expect(wrong(await share({ expireDate: '2020-01-01T00:00:00Z' }))).toEqual([422, ['expireDate']])
    expect(wrong(await share({ expireDate: '2099-01-01T00:00:00Z' }))).toEqual([422, ['expireDate']])
    expect((await admin.get(`/api/geo/assets/share-links/${Id}`)).body.data.shareLinks).toHaveLength(2)
    expect((await foreign.get(`/api/geo/assets/share-links/${Id}`)).status).toBe(404)
    ok(await second.put('/api/geo/asset/share-links', { assetShareId: shareLink.Id, status: 'Revoked' }))
    const gone = await page(link)
    expect([gone.text.includes('withdrawn'), gone.text.includes(registrationNumber)]).toEqual([true, false])
    expect((await admin.put('/api/geo/asset/share-links', { assetShareId: shareLink.Id, status: 'Active' })).status).toBe(409)
    expect((await foreign.put('/api/geo/asset/share-links', { assetShareId: shareLink.Id, status: 'Revoked' })).status).toBe(404)
    const other = ok(await share()).body.data
    await sent(`update asset_share set "expireDate" = now() - interval '1 second' where "id" = $1`, [other.shareLink.Id])
    const late = await page(other.link)
    expect([late.status, late.text.includes(registrationNumber)]).toEqual([410, false])
    expect((await page(`${link.slice(0, -4)}AAAA`)).text).not.toContain(registrationNumber)
  })
})
