import { randomUUID } from 'node:crypto'
import { geoCalls } from '@outpost/contract/geo'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Answer, SignedInClient } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { geoStack, type GeoStack } from './support/stack.ts'

let stack: GeoStack
let company: MadeTenant
let stranger: MadeTenant
let branch: MadeTenant
let admin: SignedInClient
let second: SignedInClient
let foreign: SignedInClient
/** Sees one branch only. */
let local: SignedInClient
/** May look, and change nothing. */
let viewer: SignedInClient

const everything = [
  'ADMIN/LOCATIONS',
  'ADMIN/LOCATIONS/CREATE',
  'ADMIN/LOCATIONS/EDIT',
  'ADMIN/LOCATIONS/DELETE',
  'SALES/AGENT/POSITION',
  'SALES/AGENTS/HISTORY',
  'ADMIN/SETTINGS',
]

beforeAll(async () => {
  stack = await geoStack()
  const { make } = stack.app
  const user = async (of: MadeTenant, tenant: MadeTenant, permissions: string[]) =>
    stack.app.as(await make.user({ company: of, tenant, role: await make.role({ company: of, name: randomUUID(), permissions }) }), {
      tenant,
    })
  company = await make.company()
  stranger = await make.company()
  branch = await make.tenant({ company })
  admin = await user(company, company, everything)
  second = await user(company, company, everything)
  foreign = await user(stranger, stranger, everything)
  local = await user(company, branch, everything)
  viewer = await user(company, company, ['SALES/AGENT/POSITION'])
})
afterAll(() => stack.close())

const sent = (rows: string, values: unknown[]) => stack.app.database.admin.query(rows, values)
const idOf = (answer: Answer, one: string) => (answer.body.data[one] as { id: string }).id
const rowsOf = (answer: Answer, many: string) => answer.body.data[many] as Record<string, unknown>[]
let identity = 350_000_000_000_000
const makeDevice = async (who = admin, more: object = {}) =>
  idOf(await who.post('/geo/devices', { uniqueId: String((identity += 1)), name: 'KDA 001A', ...more }), 'geoDevice')

/** Positions of a device, each so many seconds ago; the newest also as the latest. */
async function drive(
  deviceId: string,
  points: { ago: number; latitude?: number | null; longitude?: number | null; speed?: number; isValid?: boolean; attributes?: object }[],
  of = company,
): Promise<number[]> {
  const now = Math.floor(Date.now() / 1_000) * 1_000
  const rows = points.map(
    ({ ago, latitude = -1.2864, longitude = 36.8172, speed = 0, isValid = true, attributes = {} }) =>
      [new Date(now - ago * 1_000), latitude, longitude, speed, isValid, JSON.stringify(attributes)] as const,
  )
  for (const row of rows)
    await sent(
      'insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "speed", "isValid", "more") values ($1, $2, $3, $4, $5, $6, $7, $8)',
      [of.id, deviceId, ...row],
    )
  const newest = rows.toSorted((a, b) => b[0].getTime() - a[0].getTime())[0]!
  await sent(
    `insert into geo.latest ("companyId", "deviceId", "fixTime", "latitude", "longitude", "speed", "isValid", "attributes") values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict ("companyId", "deviceId") do update set "fixTime" = excluded."fixTime", "latitude" = excluded."latitude", "longitude" = excluded."longitude", "speed" = excluded."speed", "isValid" = excluded."isValid",
      "attributes" = excluded."attributes", "seq" = nextval('geo.latest_seq')`,
    [of.id, deviceId, ...newest],
  )
  return rows.map(([time]) => time.getTime())
}

const square = {
  type: 'Polygon',
  coordinates: [
    [
      [36.8, -1.3],
      [36.9, -1.3],
      [36.9, -1.2],
      [36.8, -1.2],
      [36.8, -1.3],
    ],
  ],
}

describe('the token', () => {
  const ask = (authorization?: string) => fetch(`${stack.url}/devices`, authorization === undefined ? {} : { headers: { authorization } })

  test('calls without a token of the server are refused', async () => {
    for (const header of [undefined, 'Bearer x', `Bearer ${admin.token}`]) {
      const answer = await ask(header)
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([401, 'NO_SESSION'])
    }
  })

  test('an expired one is reported as such; one without the permission is refused by the service too', async () => {
    const { tokens } = stack.app.services
    const claims = {
      sub: admin.user.id,
      act: admin.user.id,
      cid: company.id,
      tid: company.id,
      scope: '*',
      tz: 'Africa/Nairobi',
      permissions: ['ADMIN/LOCATIONS'],
    }
    const status = async (token: string) => {
      const answer = await ask(`Bearer ${token}`)
      return [answer.status, ((await answer.json()) as { code?: string }).code]
    }
    expect(await status(tokens.signService('outpost-geo', claims, 60))).toEqual([200, undefined])
    expect(await status(tokens.signService('outpost-geo', claims, -1))).toEqual([401, 'SESSION_EXPIRED'])
    expect(await status(tokens.signService('outpost-other', claims, 60))).toEqual([401, 'NO_SESSION'])
    expect(await status(tokens.signService('outpost-geo', { ...claims, permissions: [] }, 60))).toEqual([403, 'FORBIDDEN'])
  })

  test('every call of the table is answered by the service and shown in the API document', async () => {
    const document = await admin.get<never>('/api/openapi.json')
    const paths = (document.body as unknown as { paths: Record<string, Record<string, unknown>> }).paths
    for (const [name, { method, path }] of Object.entries(geoCalls)) {
      expect([name, paths[`/geo${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()] !== undefined]).toEqual([name, true])
      const address = path
        .replace(':zoom', '3')
        .replace(':x', '1')
        .replace(':y', '1')
        .replace(':coordinates', '1,2')
        .replace(':commandType', 'custom')
        .replace(/:\w+/g, randomUUID())
      const answer = await fetch(`${stack.url}${address}`, { method })
      expect([name, answer.status]).toEqual([name, 401])
    }
    expect(Object.values(geoCalls).filter((call) => !('own' in call))).toHaveLength(40)
  })
})

interface Kind {
  path: string
  one: string
  many: string
  good: () => Record<string, unknown>
  change: Record<string, unknown>
  bad: [body: Record<string, unknown>, field: string][]
  fixed?: string
  hasGet?: boolean
}

const kinds: Kind[] = [
  {
    path: 'geofences',
    one: 'geofence',
    many: 'geofences',
    good: () => ({ name: 'Depot', type: 'geofence', area: square, tags: ['home'], speedLimit: 30 }),
    change: { name: 'Yard', enterDelay: 60 },
    bad: [
      [
        {
          name: 'x',
          area: {
            type: 'Polygon',
            coordinates: [
              [
                [0, 0],
                [1, 1],
                [1, 0],
                [0, 1],
                [0, 0],
              ],
            ],
          },
        },
        'area',
      ],
      [{ name: 'x', area: 'CIRCLE (91 0, 5)' }, 'area'],
      [{ area: square }, 'name'],
      [{ name: 'x' }, 'area'],
      [{ name: 'x', area: square, colour: 'red' }, 'colour'],
      [{ name: 'x', area: { type: 'Point', coordinates: [1, 2] }, radius: -4 }, 'radius'],
      [{ name: 'x', area: square, enterDelay: 601 }, 'enterDelay'],
      [{ name: 'x', area: square, companyId: randomUUID() }, 'companyId'],
    ],
  },
  {
    path: 'devices',
    one: 'geoDevice',
    many: 'geoDevices',
    good: () => ({
      uniqueId: String((identity += 1)),
      name: 'KDB 002B',
      type: 'Beacon',
      model: 'FMB920',
      attributes: [{ type: 'fuelTank', value: 60 }],
    }),
    change: { name: 'KDB 002C', disabled: true },
    bad: [
      [{ name: 'x' }, 'uniqueId'],
      [{ uniqueId: 'a b', name: 'x' }, 'uniqueId'],
      [{ uniqueId: '1', name: ' ' }, 'name'],
      [{ uniqueId: '1', name: 'x', type: 'Toaster' }, 'type'],
      [{ uniqueId: '1', name: 'x', nickname: 'y' }, 'nickname'],
    ],
  },
  {
    path: 'commands',
    one: 'command',
    many: 'commands',
    good: () => ({ name: 'Where are you', commandType: 'positionSingle' }),
    change: { parameters: { data: 'getver' } },
    fixed: 'command',
    bad: [
      [{ name: 'x' }, 'commandType'],
      [{ name: 'x', commandType: 'engine stop' }, 'commandType'],
      [{ name: 'x', commandType: 'custom', parameters: { deep: {} } }, 'parameters.deep'],
    ],
  },
  {
    path: 'eventIos',
    one: 'eventIo',
    many: 'eventIos',
    good: () => ({
      name: 'Too fast',
      eventType: 'deviceOverspeed',
      severity: 'critical',
      conditions: [{ kind: 'attribute', name: 'speed', operator: 'gt', value: 90 }],
      calendar: { days: [1, 2], from: '08:00', to: '18:00', isInverted: false },
    }),
    change: { cooldownSeconds: 300, conditions: [] },
    fixed: 'event',
    bad: [
      [{ name: 'x' }, 'eventType'],
      [{ name: 'x', eventType: 'alarm', severity: 'loud' }, 'severity'],
      [{ name: 'x', eventType: 'alarm', calendar: { days: [1], from: '25:00', to: '26:00' } }, 'calendar.from'],
      [
        { name: 'x', eventType: 'alarm', conditions: [{ kind: 'attribute', name: 'a', operator: 'like', value: 1 }] },
        'conditions.0.operator',
      ],
      [{ name: 'x', eventType: 'birthday' }, 'eventType'],
    ],
  },
  {
    path: 'drivers',
    one: 'driver',
    many: 'drivers',
    good: () => ({ name: 'Wanjiru', uniqueId: randomUUID(), licenceExpires: '2027-01-31' }),
    change: { phone: '+254712345678' },
    hasGet: false,
    bad: [
      [{}, 'name'],
      [{ name: 'x', licenceExpires: '31/01/2027' }, 'licenceExpires'],
      [{ name: 'x', userId: 'me' }, 'userId'],
    ],
  },
  {
    path: 'eventActions',
    one: 'eventAction',
    many: 'eventActions',
    good: () => ({ name: 'Tell the owner', actionType: 'email', parameters: { to: ['owner@example.test'] } }),
    change: { isActive: false },
    fixed: 'eventAction',
    bad: [
      [{ name: 'x', actionType: 'shout' }, 'actionType'],
      [{ name: 'x', actionType: 'notify', parameters: {} }, 'parameters'],
      [{ name: 'x', actionType: 'webhook', parameters: { url: 'http://inside' } }, 'parameters.url'],
      [{ name: 'x', actionType: 'webhook', parameters: { url: 'https://[::ffff:127.0.0.1]/' } }, 'parameters.url'],
      [{ name: 'x', actionType: 'command', parameters: { commandType: 'engineStop' } }, 'parameters.commandType'],
      [{ name: 'x', actionType: 'email', parameters: { to: ['a@b.co'] }, eventIoId: randomUUID() }, 'eventIoId'],
    ],
  },
]

describe.each(kinds)('$path', ({ path, one, many, good, change, bad, fixed, hasGet = true }) => {
  const address = `/geo/${path}`

  test('are created, listed, updated and deleted, and each act is on the audit chain', async () => {
    const made = await admin.post(address, good())
    expect([made.status, made.body.code]).toEqual([200, undefined])
    const id = idOf(made, one)
    if (fixed) expect(made.body.data[one]).toMatchObject({ type: fixed })
    if (hasGet) expect((await admin.get(`${address}/${id}`)).body.data[one]).toMatchObject(made.body.data[one] as object)
    const list = await admin.get(`${address}?sortField=dateCreated&sortOrder=DESC&size=1`)
    expect(rowsOf(list, many).map((row) => row.id)).toEqual([id])
    expect(list.body.meta).toMatchObject({ page: 1, size: 1 })
    const changed = await admin.put(`${address}/${id}`, { ...change, version: 1 })
    expect([changed.status, changed.body.data[one]]).toMatchObject([200, { ...change, id, version: 2 }])
    expect((await admin.put(`${address}/${id}`, { ...change, version: 1 })).body).toMatchObject({
      code: 'CONFLICT',
      status: 409,
      details: { version: 2 },
    })
    expect((await admin.del(`${address}/${id}`)).body).toMatchObject({ success: true, data: { id } })
    expect((await admin.put(`${address}/${id}`, change)).status).toBe(404)
    expect(rowsOf(await admin.get(`${address}?size=1000`), many).map((row) => row.id)).not.toContain(id)
    const { rows } = await sent('select "action", "userId" from audit_log where "objectId" = $1 order by "seq"', [id])
    expect(rows).toEqual(['create', 'update', 'remove'].map((act) => ({ action: `geo.${one}.${act}`, userId: admin.user.id })))
  })

  test('are searched and paged by the server', async () => {
    const word = randomUUID().slice(0, 8)
    for (const n of [1, 2, 3]) await admin.post(address, { ...good(), name: `${word} ${n}` })
    const names = async (query: string) => {
      const answer = await admin.get(`${address}?search=${word.toLowerCase()}&${query}`)
      return [rowsOf(answer, many).map((row) => row.name), answer.body.meta]
    }
    expect(await names('sortField=name&sortOrder=DESC&size=2')).toEqual([[`${word} 3`, `${word} 2`], { page: 1, size: 2, total: 3 }])
    expect(await names('sortField=name&sortOrder=DESC&size=2&page=2')).toEqual([[`${word} 1`], { page: 2, size: 2, total: 3 }])
    expect((await admin.get(`${address}?search=${encodeURIComponent('%%')}&_dc=1`)).status).toBe(200)
    expect((await admin.get(`${address}?sortField=attributes`)).body).toMatchObject({ code: 'INVALID', fields: [{ field: 'sortField' }] })
  })

  test('those of another company or branch are not found', async () => {
    const body = good()
    const id = idOf(await admin.post(address, body), one)
    for (const who of [foreign, local]) {
      if (hasGet) expect((await who.get(`${address}/${id}`)).status).toBe(404)
      expect((await who.put(`${address}/${id}`, change)).status).toBe(404)
      expect((await who.del(`${address}/${id}`)).status).toBe(404)
      expect(rowsOf(await who.get(`${address}?size=10000`), many).map((row) => row.id)).not.toContain(id)
    }
    const own = idOf(await local.post(address, good()), one)
    expect(rowsOf(await local.get(address), many)).toMatchObject([{ id: own, tenantId: branch.id }])
    expect(rowsOf(await admin.get(`${address}?size=1000`), many).map((row) => row.id)).toEqual(expect.arrayContaining([own, id]))
  })

  test('are filed under another branch by a user who reaches both', async () => {
    const id = idOf(await admin.post(address, good()), one)
    expect((await admin.put(`${address}/${id}`, { tenantId: stranger.id })).body).toMatchObject({
      code: 'INVALID',
      fields: [{ field: 'tenantId' }],
    })
    expect((await admin.put(`${address}/${id}`, { tenantId: branch.id })).body.data[one]).toMatchObject({ id, tenantId: branch.id })
    expect((await local.put(`${address}/${id}`, change)).status).toBe(200)
    expect((await local.put(`${address}/${id}`, { tenantId: company.id })).body).toMatchObject({
      code: 'INVALID',
      fields: [{ field: 'tenantId' }],
    })
    expect((await local.post(address, { ...good(), tenantId: company.id })).body).toMatchObject({
      code: 'INVALID',
      fields: [{ field: 'tenantId' }],
    })
  })

  test('have ids of any version, in any case', async () => {
    const id = idOf(await admin.post(address, good()), one)
    expect((await admin.put(`${address}/${id.toUpperCase()}`, change)).body.data[one]).toMatchObject({ id })
    expect((await admin.put(`${address}/12345678-1234-1234-1234-123456789012`, change)).status).toBe(404)
    expect((await admin.put(`${address}/1234`, change)).body).toMatchObject({ status: 422, fields: [{ field: 'id' }] })
  })

  test('wrong input is refused by the name of its field', async () => {
    for (const [body, field] of bad) {
      const answer = await admin.post(address, body)
      expect([body, answer.status, answer.body.fields?.map((one) => one.field)]).toEqual([body, 422, expect.arrayContaining([field])])
    }
  })

  test('read permission alone changes nothing', async () => {
    expect((await viewer.get(address)).status).toBe(200)
    expect((await viewer.post(address, good())).status).toBe(403)
    expect((await viewer.del(`${address}/${randomUUID()}`)).status).toBe(403)
  })
})

describe('devices', () => {
  test('an identity belongs to one device only, whoever owns it', async () => {
    const uniqueId = String((identity += 1))
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

describe('positions', () => {
  test('without a device: the newest of each in the caller’s reach', async () => {
    const [mine, theirs] = [await makeDevice(local), await makeDevice(foreign)]
    await drive(mine, [{ ago: 5 }])
    await drive(theirs, [{ ago: 5 }], stranger)
    expect(rowsOf(await local.get('/geo/positions'), 'position').map((row) => row.deviceId)).toEqual([mine])
    const all = rowsOf(await admin.get('/geo/positions?size=1000'), 'position').map((row) => row.deviceId)
    expect([all.includes(mine), all.includes(theirs)]).toEqual([true, false])
  })

  test('with a device: its history in order, page by page, each position once', async () => {
    const id = await makeDevice()
    const times = await drive(
      id,
      Array.from({ length: 25 }, (_, n) => ({ ago: 1_000 - n * 10, attributes: { ignition: n >= 10, sat: n } })),
    )
    const seen: unknown[] = []
    let after: string | null = ''
    for (let pages = 0; after !== null && pages < 10; pages += 1) {
      const answer: Answer = await admin.get(`/geo/positions?deviceId=${id}&size=10${after ? `&after=${after}` : ''}`)
      seen.push(...rowsOf(answer, 'position').map((row) => row.fixTime))
      after = (answer.body.meta as unknown as { next: string | null }).next
    }
    expect(seen).toEqual(times.map((time) => new Date(time).toISOString()))
    const report = rowsOf(await admin.get(`/geo/positions?deviceId=${id}&size=100&fields=event,Satellites`), 'position')
    expect(report[10]).toEqual({ event: 'Ignition On', Satellites: 10 })
    expect(report.filter((row) => row.event !== 'Position Report')).toHaveLength(1)
    const from = new Date(times[20]!).toISOString()
    expect(rowsOf(await admin.get(`/geo/positions?deviceId=${id}&from=${encodeURIComponent(from)}`), 'position')).toHaveLength(5)
  })

  test('a page ends before it is too large for the server, and the next one continues', async () => {
    const id = await makeDevice()
    const times = await drive(
      id,
      Array.from({ length: 12 }, (_, n) => ({ ago: 500 - n, attributes: { raw: 'x'.repeat(900_000) } })),
    )
    const first = await admin.get(`/geo/positions?deviceId=${id}`)
    const { next } = first.body.meta as unknown as { next: string }
    expect([first.status, rowsOf(first, 'position').length, next]).toEqual([200, 6, `${id}_${times[5]}`])
    const second = await admin.get(`/geo/positions?deviceId=${id}&after=${next}`)
    expect([rowsOf(second, 'position').length, second.body.meta]).toMatchObject([6, { next: null }])
  })

  test('a straight line is simplified to its ends', async () => {
    const id = await makeDevice()
    await drive(id, [
      ...Array.from({ length: 20 }, (_, n) => ({ ago: 900 - n * 10, longitude: 36.8 + n * 0.001 })),
      { ago: 100, latitude: -1.3, longitude: 36.9 },
      { ago: 90, latitude: null, longitude: null },
    ])
    const answer = await admin.get(`/geo/positions?deviceId=${id}&simplify=20`)
    expect(rowsOf(answer, 'position')).toHaveLength(3)
    expect(answer.body.meta).toMatchObject({ points: 21, isCut: false })
  })

  test('one by its id; foreign and unknown ones are not found, wrong input is named', async () => {
    const id = await makeDevice()
    const [time] = await drive(id, [{ ago: 60, attributes: { alarm: 'sos' } }])
    for (const key of [`${id}_${time}`, id])
      expect((await admin.get(`/geo/positions/${key}`)).body.data.position).toMatchObject({ deviceId: id, attributes: { alarm: 'sos' } })
    for (const [who, path] of [
      [foreign, `positions/${id}_${time}`],
      [local, `positions/${id}`],
      [admin, `positions/${id}_1`],
      [admin, `positions/7`],
      [foreign, `positions?deviceId=${id}`],
    ] as const)
      expect([path, (await who.get(`/geo/${path}`)).status]).toEqual([path, 404])
    for (const [query, field] of [
      ['from=yesterday', 'from'],
      ['from=2026-02-01&to=2026-01-01', 'from'],
      ['fields=password', 'fields'],
      ['after=x', 'after'],
      ['simplify=0', 'simplify'],
      ['size=20000', 'size'],
    ]) {
      expect([query, (await admin.get(`/geo/positions?deviceId=${id}&${query}`)).body.fields?.[0]?.field]).toEqual([query, field])
    }
  })
})

describe('mapzoom', () => {
  test('clusters close devices, returns them singly on request, and answers 304 while nothing moves', async () => {
    const { make } = stack.app
    const other = await make.tenant({ company })
    const who = await stack.app.as(
      await make.user({ company, tenant: other, role: await make.role({ company, name: randomUUID(), permissions: everything }) }),
      { tenant: other },
    )
    const ids = [await makeDevice(who), await makeDevice(who), await makeDevice(who)]
    await drive(ids[0]!, [{ ago: 10, latitude: -1.2864, longitude: 36.8172 }])
    await drive(ids[1]!, [{ ago: 10, latitude: -1.28641, longitude: 36.81721 }])
    await drive(ids[2]!, [{ ago: 10, latitude: -4.05, longitude: 39.66 }])
    const whole = await who.get('/geo/mapzoom/zoom/15/0/0')
    expect(whole.body.data).toMatchObject({ clusters: [{ count: 2, byStatus: { parked: 2 } }], devices: [{ deviceId: ids[2] }] })
    const singles = await who.get('/geo/mapzoom/zoom/15/0/0?forceNoSum=1')
    expect([
      rowsOf(singles, 'clusters'),
      rowsOf(singles, 'devices')
        .map((row) => row.deviceId)
        .sort(),
    ]).toEqual([[], [...ids].sort()])
    // Nairobi's tile of zoom 10 and its neighbours do not hold Mombasa.
    const tile = await who.get('/geo/mapzoom/zoom/10/616/515')
    expect([rowsOf(tile, 'clusters').length, rowsOf(tile, 'devices').length]).toEqual([1, 0])
    const etag = String(tile.headers.etag)
    expect((await who.get('/geo/mapzoom/zoom/10/616/515', { 'if-none-match': etag })).status).toBe(304)
    await drive(ids[0]!, [{ ago: 1, latitude: -4.06, longitude: 39.67 }])
    expect((await who.get('/geo/mapzoom/zoom/10/616/515', { 'if-none-match': etag })).status).toBe(200)
    expect((await foreign.get('/geo/mapzoom/zoom/15/0/0')).text).not.toContain(ids[2])
    expect((await who.get('/geo/mapzoom/zoom/99/0/0')).status).toBe(422)
    const refused = async (tile: string) => (await who.get(`/geo/mapzoom/zoom/${tile}`)).body.fields
    expect(await refused('3/99/99')).toEqual([
      { field: 'x', message: 'is no tile of zoom 3: 0 to 7' },
      { field: 'y', message: 'is no tile of zoom 3: 0 to 7' },
    ])
    for (const [tile, field] of [
      ['3/8/0', 'x'],
      ['3/0/8', 'y'],
      ['3/-1/0', 'x'],
      ['0/0/1', 'y'],
    ] as const)
      expect([tile, (await refused(tile))?.map((one) => one.field)]).toEqual([tile, [field]])
    for (const tile of ['3/7/7', '0/0/0', '22/4194303/0'])
      expect([tile, (await who.get(`/geo/mapzoom/zoom/${tile}`)).status]).toEqual([tile, 200])
  })
})

test('nobody names a person who is unknown, inactive or beyond their reach; one whom somebody else named stays', async () => {
  const id = await makeDevice(admin, { tenantId: branch.id })
  const gone = await stack.app.make.user({ company, tenant: branch, role: 'officer', status: 0 })
  const action = { name: 'Tell', actionType: 'notify' }
  for (const [who, userId] of [
    ...[randomUUID(), foreign.user.id, gone.id].map((person) => [admin, person] as const),
    [local, second.user.id] as const,
  ]) {
    const userIds = [who.user.id, userId]
    const answers = [
      await who.post('/geo/devices', { uniqueId: randomUUID(), name: 'Phone', userId }),
      await who.put(`/geo/devices/${id}`, { userId }),
      await who.post('/geo/drivers', { name: 'Juma', userId }),
      await who.post('/geo/eventActions', { ...action, parameters: { userIds } }),
      await who.post('/geo/eventActions', {
        ...action,
        parameters: { userIds: [who.user.id], escalateAfterS: 600, escalateTo: { userIds } },
      }),
    ]
    const fields = ['userId', 'userId', 'userId', 'parameters.userIds', 'parameters.escalateTo.userIds']
    expect(answers.map(({ status, body }) => [status, body.fields?.[0]])).toEqual(
      fields.map((field) => [422, { field, message: 'is not an active user in your reach' }]),
    )
  }
  // Whom somebody with a wider reach has named is kept by a change of something else.
  expect((await admin.put(`/geo/devices/${id}`, { userId: second.user.id })).status).toBe(200)
  expect((await local.put(`/geo/devices/${id}`, { userId: second.user.id, name: 'Kept' })).status).toBe(200)
  const told = await admin.post('/geo/eventActions', { ...action, tenantId: branch.id, parameters: { userIds: [second.user.id] } })
  const change = { name: 'Tell them', actionType: 'notify', parameters: { userIds: [second.user.id, local.user.id] } }
  expect((await local.put(`/geo/eventActions/${idOf(told, 'eventAction')}`, change)).status).toBe(200)
  expect((await admin.put(`/geo/devices/${id}`, { userId: second.user.id })).body.data.geoDevice).toMatchObject({ userId: second.user.id })
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

describe('trips', () => {
  const makeTrip = (deviceId: string, start: string, end: string | null, metres: number) =>
    sent(
      `insert into geo.trip ("companyId", "deviceId", "startTime", "endTime", "startLatitude", "startLongitude", "metres", "movingSeconds", "maxSpeed", "path", "endReason")
    values ($1, $2, $3, $4, -1.28, 36.8, $5, 600, 80, '_p~iF~ps|U', 'still')`,
      [company.id, deviceId, start, end, metres],
    )

  test('of a device on whole days of the company, with stops and totals; zero-distance trips only on request', async () => {
    const id = await makeDevice()
    // Nairobi is three hours ahead: the first one began on the 1st there, and ends on it.
    await makeTrip(id, '2026-03-31T21:30:00Z', '2026-03-31T22:00:00Z', 9_000)
    await makeTrip(id, '2026-04-02T20:30:00Z', '2026-04-02T21:30:00Z', 4_000)
    await makeTrip(id, '2026-04-02T10:00:00Z', '2026-04-02T10:05:00Z', 3)
    await makeTrip(id, '2026-04-02T21:45:00Z', '2026-04-02T22:00:00Z', 1_000)
    await sent(
      `insert into geo.stop ("companyId", "deviceId", "startTime", "endTime", "kind", "latitude", "longitude") values ($1, $2, '2026-03-31T22:00:00Z', '2026-04-02T10:00:00Z', 'parked', -1.28, 36.8)`,
      [company.id, id],
    )
    const ask = (query: string) => admin.get(`/geo/deviceTrips/trip?deviceid=${id}&${query}`)
    const days = await ask('fromdate=2026-04-01&todate=2026-04-02')
    expect(rowsOf(days, 'trips').map((trip) => trip.metres)).toEqual([9_000, 4_000])
    expect(days.body.data).toMatchObject({
      device: { id },
      stops: [{ kind: 'parked' }],
      totals: { trips: 2, metres: 13_000, movingSeconds: 1_200, maxSpeed: 80 },
    })
    expect(days.body.meta).toMatchObject({ total: 2, timeZone: 'Africa/Nairobi', isPending: false })
    expect(rowsOf(await ask('fromdate=2026-04-02&todate=2026-04-02&zeros=1'), 'trips').map((trip) => trip.metres)).toEqual([3, 4_000])
    await sent(`insert into geo.dirty ("companyId", "deviceId", "since", "until") values ($1, $2, '2026-04-01', '2026-04-03')`, [
      company.id,
      id,
    ])
    expect((await ask('fromdate=2026-04-01&todate=2026-04-02')).body.meta).toMatchObject({ isPending: true })
    expect((await foreign.get(`/geo/deviceTrips/trip?deviceid=${id}&fromdate=2026-04-01&todate=2026-04-02`)).status).toBe(404)
    for (const [query, field] of [
      ['fromdate=2026-04-01', 'todate'],
      ['fromdate=1.4.2026&todate=2026-04-02', 'fromdate'],
      ['fromdate=2026-04-02&todate=2026-04-01', 'todate'],
      ['fromdate=2025-01-01&todate=2026-04-01', 'todate'],
    ]) {
      expect([query, (await ask(query!)).body.fields?.[0]?.field]).toEqual([query, field])
    }
  })

  test('of a person: of their trackers and of their phone', async () => {
    const { make } = stack.app
    const agent = await make.user({ company, tenant: branch, role: 'officer' })
    const tracker = await makeDevice(admin, { userId: agent.id })
    await makeTrip(tracker, '2026-04-01T05:00:00Z', '2026-04-01T05:30:00Z', 7_000)
    // Half an hour at a shop, four kilometres east in ten minutes, half an hour there; and a place only remembered.
    const points = Array.from({ length: 71 }, (_, minute) => ({
      minute,
      longitude: 36.8 + 0.0036 * Math.min(10, Math.max(0, minute - 30)),
    }))
    for (const { minute, longitude } of [...points, { minute: 50.5, longitude: 38 }]) {
      await sent(
        `insert into user_position ("companyId", "userId", "tenantId", "id", "deviceTime", "latitude", "longitude", "accuracy", "source") values ($1, $2, $3, $4, $5, -1.28, $6, 10, $7)`,
        [
          company.id,
          agent.id,
          branch.id,
          randomUUID(),
          new Date(Date.parse('2026-04-01T08:00:00Z') + minute * 60_000),
          longitude,
          longitude === 38 ? 'cached_old' : 'live',
        ],
      )
    }
    const path = `/geo/usertraking/trip?userId=${agent.id}&fromdate=2026-04-01&todate=2026-04-01`
    const answer = await admin.get(path)
    const [first, phone, ...more] = rowsOf(answer, 'trips')
    expect([first?.deviceId, first?.metres, phone?.source, more]).toEqual([tracker, 7_000, 'phone', []])
    expect(Math.abs(Number(phone?.metres) - 4_001)).toBeLessThan(450)
    expect(rowsOf(answer, 'stops').length).toBe(2)
    expect(answer.body.data.user).toEqual({ id: agent.id, deviceIds: [tracker] })
    // The branch's people are seen there; the tracker is the company's.
    expect(rowsOf(await local.get(path), 'trips').map((trip) => trip.source)).toEqual(['phone'])
    expect((await foreign.get(path)).status).toBe(404)
    expect(
      (await admin.get(`/geo/usertraking/trip?userId=${admin.user.id}&fromdate=2026-04-01&todate=2026-04-01`)).body.data.trips,
    ).toEqual([])
    expect((await admin.get('/geo/usertraking/trip?userId=7&fromdate=2026-04-01&todate=2026-04-01')).body.fields?.[0]?.field).toBe('userId')
  })
})

test('the name of a place: the company’s own, else from the bundled places; never an error', async () => {
  const ask = (who: SignedInClient, place: string) => who.get(`/geo/geocoding/position/${place}`)
  await foreign.post('/geo/geofences', { name: 'Their secret yard', area: 'CIRCLE (-2.5 37.5, 300)' })
  expect((await ask(viewer, '-2.5,37.5')).text).not.toContain('secret')
  const id = idOf(await admin.post('/geo/geofences', { name: 'Our yard', area: 'CIRCLE (-2.5 37.5, 300)' }), 'geofence')
  expect((await ask(viewer, '-2.5,37.5')).body.data).toMatchObject({
    address: 'Our yard',
    source: 'fence',
    placeId: id,
    latitude: -2.5,
    longitude: 37.5,
  })
  expect((await ask(viewer, '151.2,-33.9')).body.data).toMatchObject({
    latitude: -33.9,
    longitude: 151.2,
    source: 'place',
    address: expect.stringContaining('Australia'),
  })
  expect((await ask(viewer, '-48.8,-123.4')).body.data).toMatchObject({ source: 'coordinates' })
  for (const nowhere of ['0,0', '999,999', '-91,-181'])
    expect((await ask(viewer, nowhere)).body).toMatchObject({
      code: 'NO_POSITION',
      message: 'No position available',
      details: { code: 101 },
      fields: [{ field: 'coordinates' }],
    })
  expect((await ask(viewer, '1,x')).status).toBe(422)
})
