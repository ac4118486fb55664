import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { SignedInClient } from '../support/app.ts'
import { idOf, makeGeoWorld, newIdentity, rowsOf, square } from './support/api-world.ts'

const { stack, company, admin, second, foreign, local, viewer, sent, makeDevice, drive } = await makeGeoWorld()
afterAll(() => stack.close())

describe('devices', () => {
  test('an identity belongs to one device only, whoever owns it', async () => {
    const uniqueId = newIdentity()
    await makeDevice(foreign, { uniqueId })
    expect((await admin.post('/geo/devices', { uniqueId, name: 'x' })).body).toMatchObject({
      code: 'ALREADY_EXISTS',
      status: 409,
      fields: [{ field: 'uniqueId' }],
    })
  })

  test('have their newest position, and never the token they were given', async () => {
    const id = await makeDevice(admin, { token: 'a token of the device' })
    const [time] = await drive(id, [{ ago: 30, speed: 42, attributes: { ignition: true } }])
    const answer = await admin.get(`/geo/devices/${id}`)
    expect(answer.body.data.geoDevice).toMatchObject({
      hasToken: true,
      status: 'online',
      positionId: `${id}_${time}`,
      position: { latitude: -1.2864, speed: 42, isValid: true },
      commands: [],
      health: null,
    })
    expect(answer.text).not.toContain('a token')
    const known = async (status: string) =>
      rowsOf(await admin.get(`/geo/devices?status=${status}&size=1000`), 'geoDevices').some((row) => row.id === id)
    expect([await known('online'), await known('unknown')]).toEqual([true, false])
    await sent(`update geo.latest set "serverTime" = now() - interval '11 minutes' where "deviceId" = $1`, [id])
    expect([await known('online'), await known('unknown')]).toEqual([false, true])
    expect(rowsOf(await admin.get('/geo/devices/search?search=kda%20001a&size=500'), 'geoDevices').map((row) => row.id)).toContain(id)
  })
})

describe('fences', () => {
  test('accept Traccar’s text and return GeoJSON', async () => {
    const made = await admin.post('/geo/geofences', { name: 'Ring', area: 'CIRCLE (-1.2864 36.8172, 400)' })
    expect(made.body.data.geofence).toMatchObject({
      type: 'geofence',
      shape: 'circle',
      radius: 400,
      area: { type: 'Point', coordinates: [36.8172, -1.2864] },
    })
    const poi = await admin.post('/geo/geofences', { name: 'Shop', type: 'poi', area: { type: 'Point', coordinates: [36.8, -1.2] } })
    expect(poi.body.data.geofence).toMatchObject({ type: 'poi', shape: 'circle', radius: 100 })
    expect(rowsOf(await admin.get('/geo/geofences?type=poi&size=1000'), 'geofences').every((row) => row.type === 'poi')).toBe(true)
    const id = idOf(made, 'geofence')
    expect((await admin.put(`/geo/geofences/${id}`, { area: square })).body.data.geofence).toMatchObject({ shape: 'polygon', radius: null })
    expect((await admin.put(`/geo/geofences/${id}`, { radius: 80 })).body.data.geofence).toMatchObject({ shape: 'polygon', name: 'Ring' })
  })

  test('links: repeating changes nothing, a list by device has the state, foreign ends are not found', async () => {
    const deviceId = await makeDevice()
    const geofenceId = idOf(await admin.post('/geo/geofences', { name: 'Linked', area: square }), 'geofence')
    const first = await admin.post('/geo/permissions/', { deviceId, geofenceId })
    expect(first.body.data.permission).toMatchObject({ deviceId, geofenceId, geofence: 'Linked' })
    expect((await admin.post('/geo/permissions/', { deviceId, geofenceId })).body.data.permission).toEqual(first.body.data.permission)
    await sent(
      'insert into geo.fence_state ("companyId", "deviceId", "geofenceId", "state", "asOf") values ($1, $2, $3, \'inside\', now())',
      [company.id, deviceId, geofenceId],
    )
    expect(rowsOf(await admin.get(`/geo/geofences?_dc=1&deviceId=${deviceId}`), 'geofences')).toMatchObject([
      { id: geofenceId, state: 'inside', devices: 1 },
    ])
    expect(rowsOf(await admin.get(`/geo/permissions/?deviceId=${deviceId}`), 'permissions')).toHaveLength(1)
    const theirs = await makeDevice(foreign)
    for (const [who, pair] of [
      [admin, { deviceId: theirs, geofenceId }],
      [foreign, { deviceId: theirs, geofenceId }],
      [foreign, { deviceId, geofenceId }],
      [local, { deviceId, geofenceId }],
    ] as const) {
      expect((await who.post('/geo/permissions/', pair)).status).toBe(404)
      expect((await who.del('/geo/permissions/', pair)).status).toBe(404)
    }
    expect((await foreign.get(`/geo/geofences?deviceId=${deviceId}`)).status).toBe(404)
    expect(rowsOf(await foreign.get('/geo/permissions/'), 'permissions')).toEqual([])
    expect((await admin.post('/geo/permissions/', { deviceId })).body).toMatchObject({ code: 'INVALID', fields: [{ field: 'geofenceId' }] })
    expect((await viewer.post('/geo/permissions/', { deviceId, geofenceId })).status).toBe(403)
    expect((await admin.del('/geo/permissions/', { deviceId, geofenceId })).body.data).toEqual({ removed: true })
    expect((await admin.del('/geo/permissions/', { deviceId, geofenceId })).body.data).toEqual({ removed: false })
  })
})

describe('commands', () => {
  beforeEach(() => void stack.queued.splice(0))
  const send = (who: SignedInClient, deviceId: string, type: string, body: object = {}) =>
    who.post(`/geo/devices/sendCommand/${deviceId}/${type}`, body)

  test('wait in the queue with their parameters, once; the service is notified', async () => {
    const id = await makeDevice()
    const first = await send(admin, id, 'positionPeriodic', { frequency: 60 })
    expect([first.status, first.body.data]).toMatchObject([202, { state: 'queued' }])
    expect((await send(admin, id, 'positionPeriodic', { frequency: 60 })).body.data.commandId).toBe(first.body.data.commandId)
    expect((await send(admin, id, 'positionPeriodic', { frequency: 30 })).body.data.commandId).not.toBe(first.body.data.commandId)
    expect(stack.queued[0]).toEqual({ deviceId: id, id: first.body.data.commandId })
    const { rows } = await sent('select "type", "parameters", "createdUserId", "state" from geo.command where "id" = $1', [
      first.body.data.commandId,
    ])
    expect(rows).toEqual([{ type: 'positionPeriodic', parameters: { frequency: 60 }, createdUserId: admin.user.id, state: 'queued' }])
    const saved = idOf(
      await admin.post('/geo/commands', { name: 'Version', commandType: 'custom', parameters: { data: 'getver' } }),
      'command',
    )
    await send(admin, id, saved)
    expect((await admin.get(`/geo/devices/${id}`)).body.data.geoDevice).toMatchObject({
      commands: [{ type: 'custom', parameters: { data: 'getver' }, state: 'queued' }, {}, {}],
    })
  })

  test('the engine is stopped by two people and while the vehicle is stationary', async () => {
    const id = await makeDevice()
    const reason = 'three instalments behind, court order 17'
    expect((await send(admin, id, 'engineStop', { reason })).body).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('not known where'),
    })
    await drive(id, [
      { ago: 70, speed: 30 },
      { ago: 20, speed: 0 },
    ])
    expect((await send(admin, id, 'engineStop', { reason })).body).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('30 km/h'),
    })
    await drive(id, [{ ago: 5, speed: 0 }])
    expect((await send(admin, id, 'engineStop')).body).toMatchObject({ code: 'INVALID', fields: [{ field: 'reason' }] })
    const asked = await send(admin, id, 'engineStop', { reason })
    expect([asked.status, asked.body.data.state, stack.queued]).toEqual([202, 'asked', []])
    const approves = asked.body.data.commandId as string
    expect((await send(admin, id, 'engineStop', { approves })).body).toMatchObject({ code: 'INVALID', fields: [{ field: 'approves' }] })
    expect((await send(second, await makeDevice(), 'engineStop', { approves, reason })).status).toBe(404)
    expect((await send(second, id, 'engineStop', { approves, data: '1' })).body).toMatchObject({
      code: 'INVALID',
      fields: [{ field: 'approves' }],
    })
    expect((await send(second, id, 'engineStop', { approves })).body.data).toEqual({ commandId: approves, state: 'queued' })
    expect(stack.queued).toEqual([{ deviceId: id, id: approves }])
    const { rows } = await sent('select "action" from audit_log where "objectId" = $1 order by "seq"', [approves])
    expect(rows).toEqual([{ action: 'geo.command.ask' }, { action: 'geo.command.send' }])
  })

  test('foreign devices and saved commands are not found; without the permission nothing is sent', async () => {
    const id = await makeDevice()
    const saved = idOf(await foreign.post('/geo/commands', { name: 'Theirs', commandType: 'custom' }), 'command')
    expect((await send(foreign, id, 'positionSingle')).status).toBe(404)
    expect((await send(local, id, 'positionSingle')).status).toBe(404)
    expect((await send(admin, id, saved)).status).toBe(404)
    expect((await send(viewer, id, 'positionSingle')).status).toBe(403)
    expect((await send(admin, id, 'positionSingle', { deep: { er: 1 } })).body).toMatchObject({ code: 'INVALID' })
    await admin.put(`/geo/devices/${id}`, { disabled: true })
    expect((await send(admin, id, 'positionSingle')).status).toBe(409)
    expect(stack.queued).toEqual([])
  })
})
