import { randomUUID } from 'node:crypto'
import type { ListView } from '@outpost/contract/views'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'

interface CategoryRow {
  Id: string
  name: string
  parentCategoryId: string | null
  reports: string[]
  roles: { Id: string; name: string; reportCatRolesId: string }[]
  tenants: { Id: string; name: string; reportCatTenantsId: string }[]
  reportCatRolesId: string[]
  reportCatTenantsId: string[]
  version: number
}
interface Seen {
  Id: string
  name: string
  reports: string[]
  children: Seen[]
}
type Who = keyof World['as']

const path = '/api/report-categories'
let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

let names = 0
const make = async (body: object = {}, by: Who = 'admin') => {
  const answer = await world.as[by].post<{ reportCategory: CategoryRow }>(path, { name: `Heading ${(names += 1)}`, ...body })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.reportCategory
}
const roleOf = async (who: Who) =>
  (await world.as[who].get<{ roles: { Id: string }[] }>(`/api/roles/users/${world.people[who].id}`)).body.data.roles.map(({ Id }) => Id)
const seenBy = async (who: Who, id = world.people[who].id) =>
  (await world.as[who].get<{ reportCategories: Seen[] }>(`${path}/by-user/${id}`)).body.data.reportCategories
const all = (nodes: readonly Seen[]): string[] => nodes.flatMap(({ Id, children }) => [Id, ...all(children)])
const grouped = async (who: Who) =>
  (await world.as[who].get<{ reports: { name: string; category: string | null }[] }>('/api/reports/grouped')).body.data.reports
const drop = (id: string, who: Who = 'admin') => world.as[who].post(`${path}/delete`, { id })

describe('the list of reports', () => {
  it('is plain until the company has a category; then its headings, and nobody loses a report that is in none', async () => {
    const viewOf = async (who: Who) => (await world.as[who].get<{ view: ListView }>('/api/console/screens/reports')).body.data.view
    expect(await viewOf('admin')).toMatchObject({ presentation: 'table', source: { path: '/api/reports' } })
    const before = (await world.as.manager.get<{ reports: { name: string }[] }>('/api/reports')).body.data.reports.map(({ name }) => name)
    const money = await make({ name: 'Money', reports: ['userLoginReport'] })
    const arrears = await make({ name: 'Arrears', parentCategoryId: money.Id, reports: ['newUsersReport', 'userLoginReport'] })
    expect(await viewOf('manager')).toMatchObject({ presentation: 'tree', groupBy: 'category', source: { path: '/api/reports/grouped' } })
    const rows = await grouped('manager')
    expect(rows.filter(({ category }) => category !== null)).toEqual([
      expect.objectContaining({ name: 'userLoginReport', category: 'Money' }),
      expect.objectContaining({ name: 'userLoginReport', category: 'Money › Arrears' }),
      expect.objectContaining({ name: 'newUsersReport', category: 'Money › Arrears' }),
    ])
    expect([...new Set(rows.map(({ name }) => name))].toSorted()).toEqual(before.toSorted())
    expect(await viewOf('foreign')).toMatchObject({ presentation: 'table' })
    for (const { Id } of [arrears, money]) expect((await drop(Id)).status).toBe(200)
    expect(await viewOf('admin')).toMatchObject({ presentation: 'table' })
  })

  it('shows no report that the caller may not run, whatever category it is in', async () => {
    const { Id } = await make({ reports: ['userLoginReport', 'parVarThirtyReport'] })
    const mayRun = (await world.as.officer.get<{ reports: { name: string }[] }>('/api/reports')).body.data.reports.map(({ name }) => name)
    expect([...new Set((await grouped('officer')).map(({ name }) => name))].toSorted()).toEqual(mayRun.toSorted())
    await drop(Id)
  })
})

describe('a category', () => {
  it('has roles and tenants with the ids of the links, changes, and may be sent back as it was read', async () => {
    const [role] = await roleOf('manager')
    const made = await make({ name: 'Field', reports: ['userLoginReport'], roles: [role], tenants: [world.branch.id] })
    expect(made.roles).toEqual([{ Id: role, name: 'Branch Manager', label: 'Branch Manager', reportCatRolesId: made.reportCatRolesId[0] }])
    expect(made.tenants).toMatchObject([{ Id: world.branch.id, name: 'Nairobi', reportCatTenantsId: made.reportCatTenantsId[0] }])
    const put = await world.as.admin.put<{ reportCategory: CategoryRow }>(`${path}/${made.Id}`, made)
    expect(put.status, put.text).toBe(200)
    expect(put.body.data.reportCategory.roles).toEqual(made.roles)
    const changed = await world.as.admin.put<{ reportCategory: CategoryRow }>(`${path}/${made.Id}`, { name: 'Field work', roles: [] })
    expect(changed.body.data.reportCategory).toMatchObject({
      name: 'Field work',
      roles: [],
      reportCatRolesId: [],
      reports: ['userLoginReport'],
    })
    const empty = await world.as.admin.put<{ reportCategory: CategoryRow }>(`${path}/${made.Id}`, { reports: null })
    expect([empty.status, empty.body.data.reportCategory.reports]).toEqual([200, []])
    const bare = await make({ reports: null })
    expect(bare.reports).toEqual([])
    await drop(bare.Id)
    const { data, meta } = (await world.as.admin.get<{ reportCategories: CategoryRow[] }>(`${path}?page=1&size=10&search=field`)).body
    expect([data.reportCategories.map(({ Id }) => Id), meta?.total]).toEqual([[made.Id], 1])
    await drop(made.Id)
  })

  it('is seen by role and tenant: those above and below the tenant too; what lies in it with it', async () => {
    const [role] = await roleOf('officer')
    const everybody = await make()
    const officers = await make({ roles: [role] })
    const here = await make({ tenants: [world.branch.id] })
    const within = await make({ parentCategoryId: officers.Id })
    const both = await make({ roles: [role], tenants: [world.other.id] })
    const seen = async (who: Who) => all(await seenBy(who)).toSorted()
    expect(await seen('officer')).toEqual([everybody, officers, here, within].map(({ Id }) => Id).toSorted())
    expect(await seen('elsewhere')).toEqual([everybody, officers, within, both].map(({ Id }) => Id).toSorted())
    expect(await seen('manager')).toEqual([everybody, here].map(({ Id }) => Id).toSorted())
    expect(await seen('admin')).toEqual([everybody, here].map(({ Id }) => Id).toSorted())
    expect(await seen('foreign')).toEqual([])
    const [node] = (await seenBy('officer')).filter(({ Id }) => Id === officers.Id)
    expect(node).toMatchObject({ children: [{ Id: within.Id, parentCategoryId: officers.Id, children: [] }] })
    expect(node).not.toHaveProperty('roles')
    // Who manages categories asks for a colleague; others only for themselves, and nobody for a stranger.
    expect(all(await seenBy('admin', world.people.officer.id)).toSorted()).toEqual(await seen('officer'))
    expect((await world.as.officer.get(`${path}/by-user/${world.people.manager.id}`)).status).toBe(403)
    expect((await world.as.admin.get(`${path}/by-user/${world.people.foreign.id}`)).status).toBe(404)
    for (const { Id } of [within, officers, here, both, everybody]) expect((await drop(Id)).status).toBe(200)
  })

  it('lies in no circle, whoever closes it and however many at once, and exists once beside another', async () => {
    const top = await make({ name: 'Top' })
    const mid = await make({ name: 'Mid', parentCategoryId: top.Id })
    const low = await make({ name: 'Low', parentCategoryId: mid.Id })
    for (const parentCategoryId of [top.Id, mid.Id, low.Id]) {
      const answer = await world.as.admin.put(`${path}/${top.Id}`, { parentCategoryId })
      expect([answer.status, fieldsOf(answer), answer.body.message]).toEqual([
        422,
        ['parentCategoryId'],
        'Failed to update report category',
      ])
    }
    const [one, two] = [await make(), await make()]
    const closing = await Promise.all([
      world.as.admin.put(`${path}/${one.Id}`, { parentCategoryId: two.Id }),
      world.as.admin.put(`${path}/${two.Id}`, { parentCategoryId: one.Id }),
    ])
    expect(closing.map(({ status }) => status).toSorted()).toEqual([200, 422])
    const same = await Promise.all(Array.from({ length: 5 }, () => world.as.admin.post(path, { name: 'Once' })))
    expect(same.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422])
    expect(fieldsOf(same.find(({ status }) => status === 422) ?? same[0]!)).toEqual(['name'])
  })

  it('fails in the words of the specification, with what is wrong beside them', async () => {
    const gone = randomUUID()
    const held = await make()
    const child = await make({ parentCategoryId: held.Id })
    const said = [
      await world.as.admin.get(`${path}/${gone}`),
      await world.as.admin.put(`${path}/${gone}`, { name: 'x' }),
      await drop(gone),
      await world.as.admin.post(path, { name: 'x', parentCategoryId: gone }),
      await world.as.admin.get(`${path}?sortField=nothing`),
    ]
    expect(said.map(({ status, body: { message } }) => [status, message])).toEqual([
      [404, 'Failed to retrieve report_category details'],
      [404, 'Failed to update report category'],
      [404, 'Failed to delete report'],
      [422, 'Failed to create report category'],
      [422, 'Failed to retrieve report categories'],
    ])
    const refused = await drop(held.Id)
    expect([refused.status, refused.body.message, refused.body.fields]).toEqual([
      409,
      'Failed to delete report',
      [{ field: 'id', message: 'Other categories lie in it. Move them first.' }],
    ])
    expect(fieldsOf(await world.as.admin.post(path, { name: 'x', reports: ['noReport'] }))).toEqual([expect.stringMatching(/^reports/)])
    for (const { Id } of [child, held]) await drop(Id)
  })

  it('is the company’s alone, and of who works for all of it and may', async () => {
    const made = await make()
    const [role] = await roleOf('foreign')
    for (const answer of [
      await world.as.foreign.get(`${path}/${made.Id}`),
      await world.as.foreign.put(`${path}/${made.Id}`, { name: 'Ours' }),
      await drop(made.Id, 'foreign'),
    ])
      expect(answer.status).toBe(404)
    for (const [field, over] of [
      ['roles', { roles: [role] }],
      ['tenants', { tenants: [world.stranger.id] }],
      ['parentCategoryId', { parentCategoryId: made.Id }],
    ] as const) {
      const by = field === 'parentCategoryId' ? 'foreign' : 'admin'
      expect(fieldsOf(await world.as[by].post(path, { name: `Far ${field}`, ...over }))).toEqual([field])
    }
    expect((await world.as.manager.get(path)).status).toBe(403)
    expect((await world.as.manager.post(path, { name: 'x' })).status).toBe(403)
    const { make: makes } = world.app
    const keeper = await makes.role({
      company: world.company,
      name: 'Keeper',
      permissions: ['ADMIN/REPORTS', 'ADMIN/REPORTS/CREATE', 'ADMIN/REPORTS/EDIT'],
    })
    const branch = await world.app.as(await makes.user({ tenant: world.branch, role: keeper }))
    expect((await branch.get(`${path}/${made.Id}`)).status).toBe(200)
    expect((await branch.put(`${path}/${made.Id}`, { name: 'Mine' })).status).toBe(403)
    await drop(made.Id)
  })

  it('keeps its role while it is there, and neither role nor tenant after', async () => {
    const role = await world.app.make.role({ company: world.company, name: 'Passing', permissions: ['CRM/REPORTS'] })
    const made = await make({ roles: [role.id] })
    expect((await world.as.admin.del(`/api/roles/${role.id}`)).status).toBe(409)
    await drop(made.Id)
    expect((await world.as.admin.del(`/api/roles/${role.id}`)).status).toBe(200)
  })
})
