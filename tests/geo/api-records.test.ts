import { randomUUID } from 'node:crypto'
import { geoCalls } from '@outpost/contract/geo/calls'
import { afterAll, describe, expect, test } from 'vitest'
import { idOf, makeGeoWorld, newIdentity, rowsOf, square } from './support/api-world.ts'

const { stack, company, stranger, branch, admin, second, foreign, local, viewer, sent, makeDevice } = await makeGeoWorld()
afterAll(() => stack.close())

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
      uniqueId: newIdentity(),
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
