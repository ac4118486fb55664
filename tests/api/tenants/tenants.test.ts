import { randomUUID } from 'node:crypto'
import { defaultActivityStatuses, defaultActivityTypes, defaultRoles } from '@outpost/rules/people/company-defaults'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

type Tenant = { Id: string; name: string; parentId: string | null; type: number; children?: Tenant[] } & Record<string, unknown>
type Tree = { tenants: Tenant[]; tenantsArranged: Tenant[] }
const rows = async (text: string, ...values: unknown[]) =>
  (await world.app.database.admin.query(text, values)).rows as Record<string, unknown>[]
const pathOf = async (id: string) => (await rows('select path from tenant where id = $1', id))[0]?.['path']
let count = 0
const body = (more: object = {}) => ({
  name: `Branch X${(count += 1)}`,
  shortCode: `X${count}`,
  type: 3,
  parentId: world.company.id,
  ...more,
})
async function made(more: object = {}) {
  const answer = await world.as.admin.post<{ tenant: Tenant }>('/api/tenants/', body(more))
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.tenant
}
const names = (tenants: Tenant[] | undefined) => (tenants ?? []).map(({ name }) => name).toSorted()

describe('reading', () => {
  it('lists what is in reach', async () => {
    expect(names((await world.as.admin.get<Tree>('/api/tenants')).body.data.tenants)).toEqual([
      'Mombasa',
      'Nairobi',
      'Sunrise',
      'Westlands',
    ])
    expect(names((await world.as.manager.get<Tree>('/api/tenants')).body.data.tenants)).toEqual(['Nairobi', 'Westlands'])
    expect(names((await world.as.admin.get<Tree>('/api/tenants?search=nair')).body.data.tenants)).toEqual(['Nairobi'])
  })
  it('answers 404 beyond reach and company', async () => {
    for (const id of [world.other.id, world.stranger.id, randomUUID()]) {
      expect((await world.as.manager.get(`/api/tenants/${id}`)).status).toBe(404)
      expect(await world.as.manager.get(`/api/tenants/tenantCompany/${id}`)).toMatchObject({
        status: 404,
        body: { message: 'Unable to retrieve Tenant Company.' },
      })
      expect((await world.as.manager.get(`/api/tenants/tenantCurrency/${id}`)).status).toBe(404)
      expect((await world.as.manager.get(`/api/tenants/descendants-by-specific-tenantid/?tenantId=${id}`)).status).toBe(404)
    }
    expect((await world.as.manager.get(`/api/tenants/${world.team.id}`)).body.data).toMatchObject({
      tenant: { tenant_type: 4, type: 4, parentIdLabel: 'Nairobi' },
    })
  })
  it('names the company and currency of a tenant, and the types', async () => {
    expect((await world.as.officer.get(`/api/tenants/tenantCompany/${world.team.id}`)).body.data).toMatchObject({
      tenantCompany: { Id: world.company.id, name: 'Sunrise', type: 2 },
    })
    expect((await world.as.officer.get(`/api/tenants/tenantCurrency/${world.team.id}`)).body.data).toEqual({
      tenantCurrency: { currency: 'KES', country: 'KE' },
    })
    expect((await world.as.officer.get('/api/tenants/tenanttypes')).body.data).toEqual({
      tenanttypes: [
        { Id: 1, name: 'Group' },
        { Id: 2, name: 'Company' },
        { Id: 3, name: 'Branch' },
        { Id: 4, name: 'Team' },
      ],
    })
  })
  it('gives tenants of a user in reach', async () => {
    expect(names((await world.as.manager.get<Tree>(`/api/tenants/usertenants/${world.people.officer.id}`)).body.data.tenants)).toEqual([
      'Westlands',
    ])
    expect(names((await world.as.officer.get<Tree>(`/api/tenants/usertenants/${world.people.officer.id}`)).body.data.tenants)).toEqual([
      'Westlands',
    ])
    expect((await world.as.manager.get(`/api/tenants/usertenants/${world.people.elsewhere.id}`)).status).toBe(404)
    expect((await world.as.manager.get(`/api/tenants/usertenants/${world.people.foreign.id}`)).status).toBe(404)
  })
  it('gives a field role what lies above each tenant in reach, for the filters of its device', async () => {
    const layout = async (client: World['as']['admin']) =>
      (await client.get<{ reach?: { Id: string; path: string[] }[] }>('/api/console')).body.data
    expect((await layout(world.as.officer)).reach).toEqual([
      { Id: world.team.id, path: [world.company.id, world.branch.id, world.team.id] },
    ])
    expect((await layout(world.as.admin)).reach).toBeUndefined()
  })
  it('arranges descendants of the user, of the tenant worked in and of one of them', async () => {
    const whole = (await world.as.admin.get<Tree>('/api/tenants/descendantsByUserId')).body.data
    expect(names(whole.tenants)).toEqual(['Mombasa', 'Nairobi', 'Sunrise', 'Westlands'])
    expect(whole.tenantsArranged).toMatchObject([
      { name: 'Sunrise', children: [{ name: 'Mombasa' }, { name: 'Nairobi', children: [{ name: 'Westlands', children: [] }] }] },
    ])
    const inBranch = await world.app.as(world.people.admin, { tenant: world.branch })
    expect(names((await inBranch.get<Tree>('/api/tenants/descendantsByTenantId/')).body.data.tenants)).toEqual(['Nairobi', 'Westlands'])
    expect(names((await inBranch.get<Tree>('/api/tenants/descendantsByUserId')).body.data.tenants)).toHaveLength(4)
    expect(
      names((await inBranch.get<Tree>(`/api/tenants/descendants-by-specific-tenantid/?tenantId=${world.company.id}`)).body.data.tenants),
    ).toHaveLength(4)
    expect((await world.as.admin.get('/api/tenants/count-sub-tenants')).body.data).toEqual({
      count: 3,
      companies: 0,
      branches: 2,
      teams: 1,
    })
    expect(fieldsOf(await world.as.admin.get('/api/tenants/descendants-by-specific-tenantid/'))).toEqual(['tenantId'])
  })
})

describe('location of a user', () => {
  const at = async (userId: string) => (await world.as.admin.get(`/api/tenants/location/${userId}`)).body.data['location']

  it('is inherited up the chain past blank and "unknown"', async () => {
    await rows("update tenant set location = ' Unknown ' where id = $1", world.team.id)
    expect(await at(world.people.officer.id)).toEqual({ location: 'Nairobi', lat: '-1.280000', lng: '36.800000' })
    expect(await at(world.people.elsewhere.id)).toEqual({ location: '', lat: '0', lng: '0' })
  })
  it('is that of a tenant of type 4 when the user has several', async () => {
    const team = await world.app.make.tenant({ parent: world.other, name: 'Nyali', location: 'Nyali' })
    const user = await world.app.make.user({ tenants: [world.branch, team] })
    expect(await at(user.id)).toEqual({ location: 'Nyali', lat: '0', lng: '0' })
    await rows('delete from user_tenant where "tenantId" = $1', team.id)
    await rows('delete from tenant where id = $1', team.id)
  })
  it('is given for users in reach only', async () => {
    expect((await world.as.manager.get(`/api/tenants/location/${world.people.elsewhere.id}`)).status).toBe(404)
    expect((await world.as.officer.get(`/api/tenants/location/${world.people.officer.id}`)).status).toBe(200)
  })
})

describe('writing', () => {
  it('files a branch and a team with their paths', async () => {
    const branch = await made({ location: 'Nakuru', type: '3' })
    expect(await pathOf(branch.Id)).toEqual([world.company.id, branch.Id])
    const team = await made({ type: 4, parentId: branch.Id })
    expect(await pathOf(team.Id)).toEqual([world.company.id, branch.Id, team.Id])
    expect((await rows('select action from audit_log where "objectId" = $1', team.Id)).map((row) => row['action'])).toEqual([
      'tenant.create',
    ])
  })
  it.each([
    ['no name', { name: '' }, ['name']],
    ['no parent', { parentId: null }, ['parentId']],
    ['parent of nobody', { parentId: randomUUID() }, ['parentId']],
    ['unknown type', { type: 9 }, ['type']],
    ['a group', { type: 1 }, ['type']],
    ['path', { path: [] }, ['path']],
    ['groupId', { groupId: randomUUID() }, ['groupId']],
    ['country', { country: 'K1' }, ['country']],
    ['time zone', { timeZone: 'Mars/Base' }, ['timeZone']],
    ['latitude', { lat: 91 }, ['lat']],
  ])('answers 422 naming the field: %s', async (_, more, fields) => {
    const answer = await world.as.admin.post('/api/tenants/', body(more))
    expect([answer.status, fieldsOf(answer)], answer.text).toEqual([422, fields])
  })
  it('puts nothing below a team, and nothing into another company', async () => {
    expect(fieldsOf(await world.as.admin.post('/api/tenants/', body({ type: 4, parentId: world.team.id })))).toEqual(['parentId'])
    expect(fieldsOf(await world.as.admin.post('/api/tenants/', body({ parentId: world.stranger.id })))).toEqual(['parentId'])
    expect(await world.as.admin.post('/api/tenants/', body({ shortCode: world.branch.shortCode }))).toMatchObject({
      status: 409,
      body: { fields: [{ field: 'shortCode' }] },
    })
  })
  it('moves a subtree in one go and refuses a circle', async () => {
    const [one, two] = [await made(), await made()]
    const below = await made({ parentId: one.Id })
    const team = await made({ type: 4, parentId: below.Id })
    const answer = await world.as.admin.put<{ tenant: Tenant }>(`/api/tenants/${one.Id}`, { parentId: two.Id, type: 3 })
    expect(answer.body.data.tenant, answer.text).toMatchObject({ parentId: two.Id })
    expect(await pathOf(team.Id)).toEqual([world.company.id, two.Id, one.Id, below.Id, team.Id])
    expect(await pathOf(below.Id)).toEqual([world.company.id, two.Id, one.Id, below.Id])
    for (const parentId of [below.Id, one.Id, two.Id])
      expect(fieldsOf(await world.as.admin.put(`/api/tenants/${two.Id}`, { parentId }))).toEqual(['parentId'])
  })
  it('lets one of two moves that would close a circle through', async () => {
    const [one, two] = [await made(), await made()]
    const answers = await Promise.all([
      world.as.admin.put(`/api/tenants/${one.Id}`, { parentId: two.Id }),
      world.as.admin.put(`/api/tenants/${two.Id}`, { parentId: one.Id }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })
  it('keeps type and company, and asks for the permission', async () => {
    expect(fieldsOf(await world.as.admin.put(`/api/tenants/${world.team.id}`, { type: 3 }))).toEqual(['type'])
    expect(fieldsOf(await world.as.admin.put(`/api/tenants/${world.company.id}`, { parentId: world.branch.id }))).toEqual(['parentId'])
    for (const answer of [
      await world.as.manager.post('/api/tenants/', body()),
      await world.as.manager.put(`/api/tenants/${world.team.id}`, { name: 'x' }),
      await world.as.manager.post('/api/tenants/delete', { id: world.team.id }),
    ])
      expect(answer.status).toBe(403)
    expect((await world.as.foreign.put(`/api/tenants/${world.team.id}`, { name: 'Stolen' })).status).toBe(404)
    expect((await world.as.foreign.post('/api/tenants/delete', { id: world.team.id })).status).toBe(404)
  })
  it('works inside the reach only', async () => {
    const role = await world.app.make.role({
      company: world.company,
      name: 'Planner',
      permissions: ['ADMIN/TENANTS', 'ADMIN/TENANTS/CREATE', 'ADMIN/TENANTS/EDIT', 'ADMIN/TENANTS/DELETE'],
    })
    const planner = await world.app.as(await world.app.make.user({ tenant: world.branch, roles: [role] }))
    expect(fieldsOf(await planner.post('/api/tenants/', body()))).toEqual(['parentId'])
    const team = await planner.post<{ tenant: Tenant }>('/api/tenants/', body({ type: 4, parentId: world.branch.id }))
    expect(team.status).toBe(200)
    expect(fieldsOf(await planner.put(`/api/tenants/${team.body.data.tenant.Id}`, { parentId: world.other.id }))).toEqual(['parentId'])
    expect((await planner.put(`/api/tenants/${world.other.id}`, { name: 'x' })).status).toBe(404)
  })
})

describe('deleting', () => {
  it('refuses while something hangs on it, with counts', async () => {
    const used = await made()
    await made({ type: 4, parentId: used.Id })
    await world.app.make.user({ tenant: { ...world.branch, id: used.Id } })
    expect(await world.as.admin.post('/api/tenants/delete', { id: used.Id })).toMatchObject({
      status: 409,
      body: { code: 'STILL_IN_USE', details: { tenants: 1, users: 1, leads: 0 } },
    })
    const empty = await made()
    await world.app.make.lead({ tenant: { ...world.branch, id: empty.Id } })
    expect(await world.as.admin.post('/api/tenants/delete', { id: empty.Id })).toMatchObject({
      status: 409,
      body: { details: { leads: 1, users: 0 } },
    })
    expect((await world.as.admin.post('/api/tenants/delete', { id: world.company.id })).status).toBe(403)
  })
  it('frees the short code', async () => {
    const { Id, shortCode } = await made()
    expect((await world.as.admin.post('/api/tenants/delete', { id: Id })).status).toBe(200)
    expect((await world.as.admin.get(`/api/tenants/${Id}`)).status).toBe(404)
    await made({ shortCode })
  })
})

describe('founding a company', () => {
  const founding = {
    name: 'Baobab',
    shortCode: 'BAO',
    type: 2,
    country: 'za',
    currency: 'zar',
    timeZone: 'Africa/Johannesburg',
    phone: '0110000000',
  }

  it('is for the global administrator of a group, with all that a company needs behind walls of its own', async () => {
    const group = await world.app.make.group()
    const first = await world.app.make.company({ group })
    const global = await world.app.as(await world.app.make.user({ company: group, role: 'global' }))
    const answer = await global.post<{ tenant: Tenant }>('/api/tenants/', { ...founding, parentId: group.id })
    expect(answer.status, answer.text).toBe(200)
    const { Id } = answer.body.data.tenant
    expect(await rows('select "companyId", "groupId", path, country, currency, phone from tenant where id = $1', Id)).toEqual([
      { companyId: Id, groupId: group.id, path: [Id], country: 'ZA', currency: 'ZAR', phone: '0110000000' },
    ])
    const counts = await rows(
      `select (select count(*)::int from role where "companyId" = $1) as roles, (select count(*)::int from activity_type where "companyId" = $1) as types,
      (select count(*)::int from activity_status where "companyId" = $1) as statuses, (select count(*)::int from sync_stream where "companyId" = $1) as streams,
      (select count(*)::int from audit_log where "companyId" = $1 and action = 'tenant.found') as audit`,
      Id,
    )
    expect(counts).toEqual([
      {
        roles: defaultRoles('company').length,
        types: defaultActivityTypes.length,
        statuses: defaultActivityStatuses.length,
        streams: 1,
        audit: 1,
      },
    ])
    const there = await world.app.as(global.user, { tenant: { id: Id } })
    expect((await there.get('/api/roles')).body.meta).toMatchObject({ total: defaultRoles('company').length })
    expect((await there.get<Tree>('/api/tenants/descendantsByUserId')).body.data.tenantsArranged).toMatchObject([
      { Id: group.id, children: [{ name: 'Baobab' }, { name: first.name }] },
    ])
    const admin = await world.app.as(await world.app.make.user({ company: first }))
    expect((await admin.get(`/api/tenants/${Id}`)).status).toBe(404)
  })
  it('is for nobody else, and needs country, currency and time zone', async () => {
    expect((await world.as.admin.post('/api/tenants/', { ...founding, parentId: null })).status).toBe(403)
    const group = await world.app.make.group()
    await world.app.make.company({ group })
    const global = await world.app.as(await world.app.make.user({ company: group, role: 'global' }))
    expect(fieldsOf(await global.post('/api/tenants/', { name: 'A', shortCode: 'A', type: 2 }))).toEqual([
      'country',
      'currency',
      'timeZone',
    ])
    expect(fieldsOf(await global.post('/api/tenants/', { ...founding, parentId: world.company.id }))).toEqual(['parentId'])
  })
})

describe('screens', () => {
  it('show the tree to whoever administers it', async () => {
    expect((await world.as.admin.get('/api/console/screens/admin-tenants-list')).body.data).toMatchObject({
      view: { presentation: 'tree', parentKey: 'parentId', routes: { create: '/admin/tenants/create' } },
    })
    expect((await world.as.manager.get('/api/console/screens/admin-tenants-list')).status).toBe(403)
    expect((await world.as.admin.get('/api/console/screens/admin-tenants-edit-id')).body.data).toMatchObject({
      view: { kind: 'form', load: { path: '/api/tenants/:id' }, submit: { method: 'PUT' } },
    })
  })
})
