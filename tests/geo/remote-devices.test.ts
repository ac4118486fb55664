import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentsArea } from '../../apps/server/src/areas/agents/index.ts'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { reportsArea } from '../../apps/server/src/areas/reports/index.ts'
import { rolesArea } from '../../apps/server/src/areas/roles/index.ts'
import { searchArea } from '../../apps/server/src/areas/search/index.ts'
import { tenantsArea } from '../../apps/server/src/areas/tenants/index.ts'
import { usersArea } from '../../apps/server/src/areas/users/index.ts'
import type { Answer, SignedInClient } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'
import { geoStack, type GeoStack } from './support/stack.ts'

interface Device {
  Id: string
  name: string
  uniqueId: string
  status: string
  userId: string | null
  userIdLabel: string | null
  tenantId: string
  tenantIdLabel: string
  disabled: boolean
  version: number
}

let stack: GeoStack
let company: MadeTenant, branch: MadeTenant, other: MadeTenant
let driver: MadeUser
let admin: SignedInClient, local: SignedInClient, viewer: SignedInClient, foreign: SignedInClient, nobodyHere: SignedInClient

const everything = ['ADMIN/LOCATIONS', 'ADMIN/LOCATIONS/CREATE', 'ADMIN/LOCATIONS/EDIT', 'ADMIN/LOCATIONS/DELETE']
const path = '/api/tracking/devices'

beforeAll(async () => {
  stack = await geoStack({}, {}, (machine, geo) => [
    authArea(machine),
    agentsArea,
    rolesArea,
    usersArea,
    tenantsArea,
    geo,
    reportsArea(machine, [geo]),
    searchArea([usersArea, tenantsArea, geo]),
  ])
  const { make } = stack.app
  const client = async (of: MadeTenant, tenant: MadeTenant, permissions: string[]) =>
    stack.app.as(await make.user({ company: of, tenant, role: await make.role({ company: of, name: randomUUID(), permissions }) }), {
      tenant,
    })
  company = await make.company()
  branch = await make.tenant({ company, name: 'Nairobi' })
  other = await make.tenant({ company, name: 'Mombasa' })
  driver = await make.user({ company, tenant: branch, role: 'officer', firstName: 'Otieno', lastName: 'Driver' })
  const stranger = await make.company()
  admin = await client(company, company, everything)
  local = await client(company, branch, everything)
  viewer = await client(company, company, ['SALES/AGENT/POSITION'])
  foreign = await client(stranger, stranger, everything)
  nobodyHere = await client(company, company, ['SALES/LEADS'])
})
afterAll(() => stack.close())

let identity = 351_000_000_000_000
const add = async (values: object, who = admin): Promise<Device> => {
  const answer = await who.post<{ device: Device }>(path, { uniqueId: String((identity += 1)), name: 'KDA 001A', ...values })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.device
}
const list = async (query = '', who = admin) => {
  const answer = await who.get<{ devices: Device[] }>(`${path}?${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const names = async (query: string, who?: SignedInClient) => (await list(query, who)).data.devices.map(({ name }) => name)
const filtered = (...filter: object[]) => `filter=${encodeURIComponent(JSON.stringify(filter))}`
const wrong = ({ status, body }: Answer) => [status, (body.fields ?? []).map(({ field }) => field)]

describe('a resource that the geo service keeps', () => {
  it('is made, read, changed and removed like one of our own, with the names of what it refers to', async () => {
    const made = await add({ name: 'Van 1', userId: driver.id, tenantId: branch.id, type: 'Primary', model: 'FMB920' })
    expect(made).toMatchObject({
      name: 'Van 1',
      status: 'unknown',
      userIdLabel: 'Otieno Driver',
      tenantIdLabel: 'Nairobi',
      disabled: false,
    })
    expect(Object.keys(made)).not.toContain('attributes')
    const read = (await admin.get<{ device: Device }>(`${path}/${made.Id}`)).body.data.device
    expect(read).toEqual(made)
    // What was read is sent back whole.
    const back = await admin.put<{ device: Device }>(`${path}/${made.Id}`, { ...read, name: 'Van 1b' })
    expect([back.status, back.body.message, back.body.data.device.name]).toEqual([200, 'Device updated successfully', 'Van 1b'])
    expect((await admin.put(`${path}/${made.Id}`, { name: 'x', version: made.version })).status).toBe(409)
    expect((await admin.del(`${path}/${made.Id}`)).status).toBe(200)
    expect((await admin.get(`${path}/${made.Id}`)).status).toBe(404)
  })

  it('names wrong fields, ours and the service’s', async () => {
    expect(wrong(await admin.post(path, { uniqueId: 'x1' }))).toEqual([422, ['name']])
    expect(wrong(await admin.post(path, { uniqueId: 'x1', name: 'x', colour: 'red' }))).toEqual([422, ['colour']])
    expect(wrong(await admin.post(path, { uniqueId: 'has spaces', name: 'x' }))).toEqual([422, ['uniqueId']])
    expect(wrong(await admin.post(path, { uniqueId: 'x1', name: 'x', userId: randomUUID() }))).toEqual([422, ['userId']])
    const { uniqueId } = await add({ name: 'Twice' })
    expect(await admin.post(path, { uniqueId, name: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_EXISTS', fields: [{ field: 'uniqueId' }] },
    })
  })

  it('is searched, filtered, sorted and paged', async () => {
    const mark = randomUUID().slice(0, 8)
    for (const [name, model, more] of [
      ['A', 'X', { userId: driver.id }],
      ['B', 'Y', { disabled: true }],
      ['C', 'X', { tenantId: branch.id }],
    ] as const)
      await add({ name: `${mark} ${name}`, model, ...more })
    const of = (...letters: string[]) => letters.map((letter) => `${mark} ${letter}`)
    expect(await names(`search=${mark}`)).toEqual(of('A', 'B', 'C'))
    expect(await names(`search=${mark}&sortField=model,name&sortOrder=DESC,ASC`)).toEqual(of('B', 'A', 'C'))
    expect(await names(`search=${mark}&sortField=name&sortOrder=DESC&size=2&page=2`)).toEqual(of('A'))
    expect((await list(`search=${mark}&size=2`)).meta).toEqual({ page: 1, size: 2, total: 3 })
    const has = (...filter: object[]) => names(`search=${mark}&${filtered(...filter)}`)
    expect(await has({ field: 'model', op: 'eq', value: 'X' })).toEqual(of('A', 'C'))
    expect(await has({ field: 'model', op: 'ne', value: 'X' })).toEqual(of('B'))
    expect(await has({ field: 'name', op: 'contains', value: `${mark} c`.toUpperCase() })).toEqual(of('C'))
    expect(await has({ field: 'disabled', op: 'eq', value: true })).toEqual(of('B'))
    expect(await has({ field: 'status', op: 'in', value: ['disabled', 'online'] })).toEqual(of('B'))
    expect(await has({ field: 'userId', op: 'eq', value: driver.id })).toEqual(of('A'))
    expect(await has({ field: 'userId', op: 'empty' })).toEqual(of('B', 'C'))
    expect(await has({ field: 'tenantId', op: 'eq', value: branch.id })).toEqual(of('C'))
    expect(await has({ field: 'tenantId', op: 'eq', value: company.id })).toEqual(of('A', 'B', 'C'))
    expect(await has({ field: 'dateCreated', op: 'gte', value: '2020-01-01' })).toEqual(of('A', 'B', 'C'))
    expect(await has({ field: 'lastUpdate', op: 'lte', value: '2020-01-01' })).toEqual([])
    expect(
      await has({
        any: [
          { field: 'name', op: 'eq', value: `${mark} A` },
          {
            all: [
              { field: 'model', op: 'eq', value: 'X' },
              { field: 'tenantId', op: 'in', value: [branch.id] },
            ],
          },
        ],
      }),
    ).toEqual(of('A', 'C'))
  })

  it('refuses what the list does not know, by name', async () => {
    for (const [query, field] of [
      [filtered({ field: 'attributes', op: 'empty' }), 'filter'],
      [filtered({ field: 'disabled', op: 'contains', value: 'x' }), 'filter'],
      ['sortField=userId', 'sortField'],
      ['colour=red', 'colour'],
      ['filter=nothing', 'filter'],
    ]) {
      expect([query, wrong(await admin.get(`${path}?${query}`))]).toEqual([query, [422, [field]]])
    }
  })

  it('is seen as far as permission, company and reach go', async () => {
    const mine = await add({ name: 'Fenced', tenantId: other.id })
    expect(await names('search=Fenced')).toEqual(['Fenced'])
    expect(await names('search=Fenced', viewer)).toEqual(['Fenced'])
    expect([await names('search=Fenced', local), await names('search=Fenced', foreign)]).toEqual([[], []])
    for (const who of [local, foreign]) {
      expect((await who.get(`${path}/${mine.Id}`)).status).toBe(404)
      expect((await who.put(`${path}/${mine.Id}`, { name: 'Taken' })).status).toBe(404)
      expect((await who.del(`${path}/${mine.Id}`)).status).toBe(404)
    }
    expect((await viewer.put(`${path}/${mine.Id}`, { name: 'Taken' })).status).toBe(403)
    expect((await nobodyHere.get(path)).status).toBe(403)
    expect(wrong(await local.post(path, { uniqueId: 'far-away', name: 'x', tenantId: other.id }))).toEqual([422, ['tenantId']])
    // Nobody names a person beyond their reach; one whom somebody else has named stays.
    const far = await stack.app.make.user({ company, tenant: other, role: 'officer' })
    expect(wrong(await local.post(path, { uniqueId: 'not-mine', name: 'x', userId: far.id }))).toEqual([422, ['userId']])
    const given = await add({ name: 'Given', tenantId: branch.id, userId: far.id })
    expect((await local.put(`${path}/${given.Id}`, { name: 'Kept', userId: far.id })).status).toBe(200)
  })

  it('has list, form and detail of its own in the console, cut to the caller', async () => {
    const view = async (screen: string, who = admin) =>
      (
        await who.get<{
          view: { kind: string; routes?: object; filters?: { key: string }[]; actions: object[]; fields: { key: string }[] }
        }>(`/api/console/screens/${screen}`)
      ).body.data.view
    expect(await view('tracking-devices')).toMatchObject({
      kind: 'list',
      routes: { create: '/tracking/devices/create', edit: '/tracking/devices/edit/:id', view: '/tracking/devices/:id/view' },
      exportReport: 'exportList',
    })
    expect((await view('tracking-devices', viewer)).routes).toEqual({ view: '/tracking/devices/:id/view' })
    expect(await view('tracking-devices-create')).toMatchObject({ kind: 'form', submit: expect.anything() as unknown })
    expect(await view('tracking-devices-id-view')).toMatchObject({ kind: 'detail', actions: [{ label: 'Delete' }] })
  })

  it('is found by the palette beside our own records, as far as permission, company and reach go', async () => {
    const mark = randomUUID().slice(0, 8)
    const [near, far] = [
      await add({ name: `Lorry ${mark}`, tenantId: branch.id, model: 'FMB920' }),
      await add({ name: `Lorry ${mark} far`, tenantId: other.id }),
    ]
    const found = async (who: SignedInClient, text = mark) => {
      const answer = await who.get<{ results: Record<string, unknown>[] }>(`/api/search?q=${encodeURIComponent(text)}`)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data.results
    }
    const hit = (device: Device, subtitle: string) => ({
      resource: 'device',
      Id: device.Id,
      title: device.name,
      subtitle,
      place: device.tenantIdLabel,
      screen: `/tracking/devices/${device.Id}/view`,
      isPerson: false,
    })
    const [mine, others] = [hit(near, `${near.uniqueId} · FMB920`), hit(far, far.uniqueId)]
    // The palette waits a second for another service; what that finds later, the next search shows.
    await expect.poll(() => found(admin, `lorry ${mark}`)).toEqual([mine, others])
    await expect.poll(() => found(viewer)).toEqual([mine, others])
    await expect.poll(() => found(local)).toEqual([mine])
    for (const who of [foreign, nobodyHere]) expect(await found(who)).toEqual([])
    for (let copy = 0; copy < 6; copy += 1) await add({ name: `Van ${mark} ${copy}` })
    await expect.poll(() => found(admin, `van ${mark}`)).toHaveLength(5)
    expect(await found(admin, mark.slice(0, 2))).not.toContainEqual(mine)
  })

  it('gives its rows to an export', async () => {
    const mark = randomUUID().slice(0, 8)
    for (const letter of ['b', 'a']) await add({ name: `${mark} ${letter}`, tenantId: branch.id })
    const ask = (who: SignedInClient, query: object) =>
      who.post<{ preview: { columns: { title: string }[]; rows: object[] } }>('/api/reports/preview', {
        report: 'exportList',
        parameters: { resource: 'device', columns: 'name,tenantId,status', query: JSON.stringify(query) },
      })
    const { status, text, body } = await ask(admin, { search: mark })
    expect(status, text).toBe(200)
    expect(body.data.preview.columns.map(({ title }) => title)).toEqual(['Name', 'Branch', 'Status'])
    expect(body.data.preview.rows).toEqual(
      ['a', 'b'].map((letter) => ({ name: `${mark} ${letter}`, tenantIdLabel: 'Nairobi', status: 'unknown' })),
    )
    expect((await ask(foreign, { search: mark })).body.data.preview.rows).toEqual([])
    expect((await ask(nobodyHere, { search: mark })).status).toBe(403)
  })
})

it('says that the service is away with 503, and nothing else breaks', async () => {
  const alone = await geoStack({}, {}, (machine, geo) => [authArea(machine), agentsArea, rolesArea, geo, searchArea([rolesArea, geo])])
  try {
    const someone = await alone.app.as(await alone.app.make.user({ company: await alone.app.make.company(), role: 'admin' }))
    await alone.closeGeo()
    expect(await someone.get(path)).toMatchObject({ status: 503, body: { code: 'GEO_UNAVAILABLE' } })
    expect(await someone.get(`${path}/${randomUUID()}`)).toMatchObject({ status: 503, body: { code: 'GEO_UNAVAILABLE' } })
    expect((await someone.get('/api/console/screens/tracking-devices')).status).toBe(200)
    const found = await someone.get<{ results: { resource: string }[] }>('/api/search?q=officer')
    expect([found.status, found.body.data.results.map(({ resource }) => resource)]).toEqual([200, ['role', 'role']])
  } finally {
    await alone.close()
  }
})
