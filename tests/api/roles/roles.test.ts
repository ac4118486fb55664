import { randomUUID } from 'node:crypto'
import { permissionHierarchies } from '@outpost/contract/permissions'
import { defaultPermissions } from '@outpost/rules/people/role-defaults'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

type Role = { Id: string; name: string; systemRole: string | null; permissions: { hierarchy: string }[]; userCount: number } & Record<
  string,
  unknown
>
const rows = async (text: string, ...values: unknown[]) =>
  (await world.app.database.admin.query(text, values)).rows as Record<string, unknown>[]
const systemId = async (key: string, company = world.company) =>
  String((await rows('select id from role where "companyId" = $1 and "systemRole" = $2', company.id, key))[0]?.['id'])
let count = 0
async function made(permissions: string[] = ['SALES', 'SALES/LEADS'], more: object = {}) {
  const answer = await world.as.admin.post<{ role: Role }>('/api/roles', { name: `Role ${(count += 1)}`, permissions, ...more })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.role
}
const paths = (role: Role | undefined) => role?.permissions.map(({ hierarchy }) => hierarchy)

describe('roles', () => {
  it("are listed with their users, newest first, the company's only", async () => {
    const answer = await world.as.admin.get<{ roles: Role[] }>('/api/roles')
    expect(answer.body.data.roles).toHaveLength(11)
    expect(answer.body.data.roles.find(({ systemRole }) => systemRole === 'officer')).toMatchObject({ name: 'Loan Officer', userCount: 2 })
    expect(answer.body.data.roles[0]).not.toHaveProperty('permissions')
    expect((await world.as.officer.get('/api/roles')).status).toBe(403)
  })
  it("show what they may, and are nobody else's", async () => {
    const id = await systemId('officer')
    const answer = await world.as.admin.get<{ role: Role }>(`/api/roles/${id}`)
    expect(answer.body.data.role.systemRole).toBe('officer')
    expect(paths(answer.body.data.role)).toEqual(defaultPermissions('officer'))
    expect((await world.as.foreign.get(`/api/roles/${id}`)).status).toBe(404)
    expect((await world.as.foreign.put(`/api/roles/${id}`, { description: 'x' })).status).toBe(404)
    expect((await world.as.foreign.del(`/api/roles/${id}`)).status).toBe(404)
  })
  it('are made with permissions, as paths or records, any case', async () => {
    const role = await made(['sales/leads '], { description: 'Sees leads', permissions: [{ hierarchy: 'SALES' }, 'sales/leads '] })
    expect(paths(role)).toEqual(['SALES', 'SALES/LEADS'])
    expect((await rows('select action from audit_log where "objectId" = $1 order by seq', role.Id)).map((row) => row['action'])).toEqual([
      'role.create',
      'role.permissions',
    ])
  })
  it.each([
    ['no name', { name: ' ' }, ['name']],
    ['unknown permission', { name: 'A', permissions: ['SALES/NOTHING'] }, ['permissions']],
    ['not a list', { name: 'A', permissions: 'SALES' }, ['permissions']],
    ['unknown', { name: 'A', nickname: 'x' }, ['nickname']],
    ['a name that makes administrators', { name: ' global ADMINISTRATOR' }, ['name']],
    ['another such name', { name: 'Company Admin' }, ['name']],
  ])('answers 422 naming the field: %s', async (_, body, fields) => {
    const answer = await world.as.admin.post('/api/roles', body)
    expect([answer.status, fieldsOf(answer)], answer.text).toEqual([422, fields])
  })
  it('refuse a name that is taken', async () => {
    const { name } = await made()
    expect(await world.as.admin.post('/api/roles', { name })).toMatchObject({ status: 409, body: { fields: [{ field: 'name' }] } })
  })
  it('need the permission to be written', async () => {
    const { Id } = await made()
    const reader = await world.app.as(await world.app.make.user({ company: world.company, role: 'md' }))
    expect((await reader.get(`/api/roles/${Id}`)).status).toBe(200)
    for (const answer of [
      await reader.post('/api/roles', { name: 'x' }),
      await reader.put(`/api/roles/${Id}`, { name: 'x' }),
      await reader.del(`/api/roles/${Id}`),
      await reader.post(`/api/roles/${Id}/clone`, { name: 'x' }),
    ]) {
      expect(answer.status).toBe(403)
    }
  })
  it('cannot be given rights that their maker lacks', async () => {
    const maker = await world.app.make.role({
      company: world.company,
      name: 'Maker',
      permissions: ['ADMIN/ROLES', 'ADMIN/ROLES/CREATE', 'ADMIN/ROLES/EDIT', 'SALES'],
    })
    const client = await world.app.as(await world.app.make.user({ company: world.company, roles: [maker] }))
    expect((await client.post('/api/roles', { name: 'Wide', permissions: ['SALES', 'ADMIN/USERS'] })).body).toMatchObject({
      status: 403,
      fields: [{ field: 'permissions', message: 'you do not hold ADMIN/USERS' }],
    })
    const own = await client.post<{ role: Role }>('/api/roles', { name: 'Narrow', permissions: ['SALES'] })
    expect(own.status).toBe(200)
    expect((await client.put(`/api/roles/${own.body.data.role.Id}`, { permissions: ['ADMIN/SETTINGS'] })).status).toBe(403)
    expect((await client.put(`/api/roles/${maker.id}`, { permissions: [...permissionHierarchies] })).status).toBe(403)
    expect((await client.post(`/api/roles/${await systemId('officer')}/clone`, { name: 'Copy' })).status).toBe(403)
    expect((await client.put(`/api/roles/${await systemId('admin')}`, { permissions: [] })).status).toBe(403)
  })
  it('let changed rights hold at once', async () => {
    const role = await made(['SALES', 'SALES/LEADS'])
    const user = await world.app.make.user({ tenant: world.team, roles: [{ id: role.Id, companyId: world.company.id, name: role.name }] })
    const client = await world.app.as(user)
    expect((await client.get('/api/leads')).status).toBe(200)
    expect(paths((await world.as.admin.put<{ role: Role }>(`/api/roles/${role.Id}`, { permissions: ['SALES'] })).body.data.role)).toEqual([
      'SALES',
    ])
    expect((await client.get('/api/leads')).status).toBe(401)
    expect((await (await world.app.as(user)).get('/api/leads')).status).toBe(403)
  })
  it('leave sessions alone when only a name changes', async () => {
    const role = await made()
    const client = await world.app.as(
      await world.app.make.user({ tenant: world.team, roles: [{ id: role.Id, companyId: world.company.id, name: role.name }] }),
    )
    expect((await world.as.admin.put(`/api/roles/${role.Id}`, { name: 'Renamed', permissions: role.permissions })).status).toBe(200)
    expect((await client.get('/api/leads')).status).toBe(200)
  })
})

describe('system roles and roles in use', () => {
  it('keep their names and stay', async () => {
    const id = await systemId('officer')
    expect(await world.as.admin.put(`/api/roles/${id}`, { name: 'Agent' })).toMatchObject({
      status: 403,
      body: { fields: [{ field: 'name' }] },
    })
    expect((await world.as.admin.put(`/api/roles/${id}`, { name: 'Loan Officer', description: 'In the field' })).status).toBe(200)
    expect((await world.as.admin.del(`/api/roles/${id}`)).status).toBe(403)
  })
  it('do not let administrators lock themselves out', async () => {
    const answer = await world.as.admin.put(`/api/roles/${await systemId('admin')}`, {
      permissions: permissionHierarchies.filter((path) => path !== 'ADMIN/ROLES/EDIT'),
    })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, ['permissions']])
  })
  it('are deleted only when nobody has them', async () => {
    const role = await made()
    const user = await world.app.make.user({ tenant: world.team, roles: [{ id: role.Id, companyId: world.company.id, name: role.name }] })
    expect(await world.as.admin.del(`/api/roles/${role.Id}`)).toMatchObject({
      status: 409,
      body: { code: 'STILL_IN_USE', details: { users: 1 } },
    })
    await world.as.admin.put(`/api/users/${user.id}`, { roles: [] })
    expect((await world.as.admin.del(`/api/roles/${role.Id}`)).status).toBe(200)
    expect((await world.as.admin.get(`/api/roles/${role.Id}`)).status).toBe(404)
    expect(await rows('select 1 from role_permission where "roleId" = $1', role.Id)).toEqual([])
  })
})

describe('clone and compare', () => {
  it('copies the rights under another name', async () => {
    const copy = await world.as.admin.post<{ role: Role }>(`/api/roles/${await systemId('officer')}/clone`, { name: 'Junior officer' })
    expect(copy.body.data.role).toMatchObject({ name: 'Junior officer', systemRole: null })
    expect(paths(copy.body.data.role)).toEqual(defaultPermissions('officer'))
  })
  it('shows what only one may', async () => {
    const [one, two] = [await made(['SALES', 'SALES/LEADS']), await made(['SALES', 'CLIENTS'])]
    expect((await world.as.admin.get(`/api/roles/compare?a=${one.Id}&b=${two.Id}`)).body.data).toMatchObject({
      a: { Id: one.Id },
      onlyA: ['SALES/LEADS'],
      onlyB: ['CLIENTS'],
      both: ['SALES'],
    })
    expect((await world.as.admin.get(`/api/roles/compare?a=${one.Id}&b=${randomUUID()}`)).status).toBe(404)
    expect(fieldsOf(await world.as.admin.get(`/api/roles/compare?a=${one.Id}`))).toEqual(['b'])
  })
})

describe('permissions', () => {
  it('are all named, with their place in the tree', async () => {
    const answer = await world.as.admin.get<{ permissions: { hierarchy: string; parent: string | null }[] }>('/api/permissions')
    expect(answer.body.data.permissions).toHaveLength(permissionHierarchies.length)
    expect(answer.body.data.permissions).toContainEqual({
      Id: 'SALES/LEADS/EDIT',
      hierarchy: 'SALES/LEADS/EDIT',
      name: 'EDIT',
      parent: 'SALES/LEADS',
    })
    expect((await world.as.officer.get('/api/permissions')).status).toBe(403)
  })
  it('of a user say where each comes from', async () => {
    const role = await made(['SALES'])
    const user = await world.app.make.user({
      tenant: world.team,
      roles: [{ id: role.Id, companyId: world.company.id, name: role.name }],
      permissions: ['SALES', 'CLIENTS'],
    })
    const answer = await world.as.manager.get(`/api/permissions/byUserId/${user.id}`)
    expect(answer.body.data).toEqual({
      note: null,
      permissions: [
        { hierarchy: 'CLIENTS', comesFrom: 'Given to this person', sources: [{ kind: 'user', name: 'given to the user' }] },
        {
          hierarchy: 'SALES',
          comesFrom: expect.stringMatching(new RegExp(`Role ${role.name}`)) as unknown,
          sources: [
            { kind: 'role', Id: role.Id, name: role.name },
            { kind: 'user', name: 'given to the user' },
          ].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
        },
      ].map((one) => ({ ...one, sources: expect.arrayContaining(one.sources) as unknown })),
    })
  })
  it('and roles of others are for administration, of users in reach', async () => {
    const { officer, elsewhere, foreign } = world.people
    for (const path of ['/api/permissions/byUserId/', '/api/roles/users/']) {
      expect((await world.as.officer.get(path + officer.id)).status).toBe(200)
      expect((await world.as.officer.get(path + elsewhere.id)).status).toBe(403)
      expect((await world.as.manager.get(path + officer.id)).status).toBe(200)
      expect((await world.as.manager.get(path + elsewhere.id)).status).toBe(404)
      expect((await world.as.admin.get(path + foreign.id)).status).toBe(404)
    }
    expect((await world.as.manager.get(`/api/roles/users/${officer.id}`)).body.data).toMatchObject({
      roles: [{ name: 'Loan Officer', systemRole: 'officer' }],
    })
    expect((await world.as.manager.get(`/api/permissions/${await systemId('officer')}`)).body.data).toMatchObject({
      role: { name: 'Loan Officer' },
    })
  })
})

describe('screens', () => {
  it('offer the permission tree to whoever may edit', async () => {
    const form = await world.as.admin.get<{ view: { fields: { key: string; kind: string; readOnly?: boolean }[] } }>(
      '/api/console/screens/admin-roles-edit-id',
    )
    expect(form.body.data.view.fields.find(({ key }) => key === 'permissions')).toEqual({
      key: 'permissions',
      kind: 'permissionTree',
      label: 'Permissions',
    })
    for (const id of ['admin-roles', 'admin-roles-list'])
      expect((await world.as.admin.get(`/api/console/screens/${id}`)).body.data).toMatchObject({
        view: { kind: 'list', routes: { create: '/admin/roles/add' } },
      })
    expect((await world.as.officer.get('/api/console/screens/admin-roles')).status).toBe(403)
  })
})
