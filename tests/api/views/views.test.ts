import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

type View = { Id: string; name: string; scope: string; isDefault: boolean; isMine: boolean; state: object }
type Client = World['as']['admin']
const save = (client: Client, more: object = {}) =>
  client.post<{ view: View }>('/api/views', {
    screen: 'sales-leads',
    name: 'Mine',
    scope: 'user',
    isDefault: false,
    state: { search: 'x' },
    ...more,
  })
const list = async (client: Client, screen = 'sales-leads') =>
  (await client.get<{ views: View[]; defaultId: string | null }>(`/api/views?screen=${screen}`)).body.data
const names = async (client: Client) => (await list(client)).views.map(({ name }) => name)

describe('saved views', () => {
  it("are one's own unless shared, narrowest first", async () => {
    const role = await world.app.database.admin.query<{ id: string }>(
      'select id from role where "companyId" = $1 and "systemRole" = \'officer\'',
      [world.company.id],
    )
    await save(world.as.officer, { name: 'Own' })
    await save(world.as.admin, { name: 'All', scope: 'company' })
    await save(world.as.admin, { name: 'Nairobi', scope: 'tenant', tenantId: world.branch.id })
    await save(world.as.admin, { name: 'Officers', scope: 'role', roleId: role.rows[0]?.id })
    expect(await names(world.as.officer)).toEqual(['Own', 'Officers', 'Nairobi', 'All'])
    expect(await names(world.as.elsewhere)).toEqual(['Officers', 'All'])
    expect(await names(world.as.manager)).toEqual(['Nairobi', 'All'])
    expect(await names(world.as.foreign)).toEqual([])
    expect((await list(world.as.officer, 'other')).views).toEqual([])
    expect((await list(world.as.officer)).views[0]).toMatchObject({ isMine: true, state: { search: 'x' } })
  })
  it('have one default a screen and owner; the narrowest counts', async () => {
    const wide = (await save(world.as.admin, { name: 'Wide', scope: 'company', isDefault: true })).body.data.view
    expect((await list(world.as.officer)).defaultId).toBe(wide.Id)
    const first = (await save(world.as.officer, { name: 'A', isDefault: true })).body.data.view
    const second = (await save(world.as.officer, { name: 'B' })).body.data.view
    await world.as.officer.put(`/api/views/${second.Id}`, { isDefault: true })
    const { views, defaultId } = await list(world.as.officer)
    expect(defaultId).toBe(second.Id)
    expect(views.filter(({ isDefault }) => isDefault).map(({ Id }) => Id)).toEqual([second.Id, wide.Id])
    expect(views.find(({ Id }) => Id === first.Id)?.isDefault).toBe(false)
  })
  it('change only what is named, and end', async () => {
    const { Id } = (await save(world.as.officer, { name: 'Old' })).body.data.view
    expect((await world.as.officer.put(`/api/views/${Id}`, { name: 'New' })).body.data).toMatchObject({
      view: { name: 'New', state: { search: 'x' }, scope: 'user' },
    })
    expect((await world.as.officer.del(`/api/views/${Id}`)).status).toBe(200)
    expect(await names(world.as.officer)).not.toContain('New')
  })
  it('of others are out of sight; shared ones only an administrator writes', async () => {
    const own = (await save(world.as.officer)).body.data.view
    for (const client of [world.as.manager, world.as.admin, world.as.foreign]) {
      expect((await client.put(`/api/views/${own.Id}`, { name: 'x' })).status).toBe(404)
      expect((await client.del(`/api/views/${own.Id}`)).status).toBe(404)
    }
    const shared = (await save(world.as.admin, { name: 'Shared', scope: 'company' })).body.data.view
    expect(await world.as.officer.put(`/api/views/${shared.Id}`, { name: 'x' })).toMatchObject({
      status: 403,
      body: { fields: [{ field: 'scope' }] },
    })
    expect((await world.as.officer.del(`/api/views/${shared.Id}`)).status).toBe(403)
    expect((await world.as.officer.put(`/api/views/${own.Id}`, { scope: 'company' })).status).toBe(403)
    expect((await save(world.as.officer, { scope: 'tenant' })).status).toBe(403)
    expect([await list(world.as.officer), await list(world.as.admin)]).toMatchObject([{ mayShare: false }, { mayShare: true }])
  })
  it('name what is wrong', async () => {
    expect(fieldsOf(await save(world.as.officer, { name: '', scope: 'all', state: 'x' }))).toEqual(['name', 'scope', 'state'])
    expect(fieldsOf(await save(world.as.admin, { scope: 'tenant', tenantId: world.stranger.id }))).toEqual(['tenantId'])
    expect(fieldsOf(await save(world.as.officer, { state: { a: 'x'.repeat(20_001) } }))).toEqual(['state'])
    expect(fieldsOf(await world.as.officer.get('/api/views'))).toEqual(['screen'])
  })
})
