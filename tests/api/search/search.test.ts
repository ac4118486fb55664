import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
type Client = World['as']['admin']
const find = async (client: Client, q: string) =>
  (
    await client.get<{
      results: { resource: string; Id: string; title: string; subtitle: string; place: string | null; screen: string; isPerson: boolean }[]
    }>(`/api/search?q=${encodeURIComponent(q)}`)
  ).body.data.results
const kinds = async (client: Client, q: string) => (await find(client, q)).map(({ resource, title }) => `${resource} ${title}`)

beforeAll(async () => {
  world = await makeWorld()
  const { make } = world.app
  await make.lead({ tenant: world.team, firstName: 'Nairo', lastName: 'Kamau' })
  await make.lead({ tenant: world.other, firstName: 'Nairobie', lastName: 'Otieno' })
  await make.lead({ tenant: world.stranger, firstName: 'Nairobis', lastName: 'Banda' })
  await make.lead({ tenant: world.team, firstName: 'Nairogone', lastName: 'Gone', deletedAt: new Date() })
})
afterAll(() => world.app.close())

describe('search', () => {
  it('finds records of all kinds the caller may see', async () => {
    expect(await kinds(world.as.admin, 'nairo')).toEqual(['lead Nairobie Otieno', 'lead Nairo Kamau', 'tenant Nairobi'])
    expect(await kinds(world.as.manager, 'nairo')).toEqual(['lead Nairo Kamau'])
    expect(await kinds(world.as.elsewhere, 'nairo')).toEqual(['lead Nairobie Otieno'])
    expect(await kinds(world.as.foreign, 'nairo')).toEqual(['lead Nairobis Banda'])
  })
  it('finds people and roles for their administrators only', async () => {
    expect(await kinds(world.as.admin, 'officer')).toEqual(['user Chidi Officer', 'role Credit Officer', 'role Loan Officer'])
    expect(await kinds(world.as.manager, 'officer')).toEqual(['user Chidi Officer'])
    expect(await kinds(world.as.officer, 'officer')).toEqual([])
  })
  it('opens the view of a record, never its form, and says the branch it is filed in', async () => {
    const [user] = await find(world.as.admin, 'chidi')
    expect(user).toMatchObject({
      screen: `/admin/users/list?peek=${world.people.officer.id}`,
      subtitle: `${world.people.officer.userName} · ${world.people.officer.emailAddress}`,
      place: expect.any(String),
    })
    const [lead, , branch] = await find(world.as.admin, 'nairo')
    expect(lead).toMatchObject({ screen: `/sales/leads/${lead?.Id}/view`, place: expect.any(String) })
    expect(branch).toMatchObject({ resource: 'tenant', screen: `/admin/tenants/list?peek=${branch?.Id}` })
    expect((await find(world.as.admin, 'credit officer')).at(-1)).toMatchObject({ resource: 'role', place: null })
  })
  it('says which of its records are persons', async () => {
    expect((await find(world.as.admin, 'nairo')).map(({ resource, isPerson }) => [resource, isPerson])).toEqual([
      ['lead', true],
      ['lead', true],
      ['tenant', false],
    ])
    expect((await find(world.as.admin, 'officer')).map(({ resource, isPerson }) => [resource, isPerson])).toEqual([
      ['user', true],
      ['role', false],
      ['role', false],
    ])
  })
  it('takes text as it is', async () => {
    expect(await kinds(world.as.admin, '%_%')).toEqual([])
    expect(await kinds(world.as.admin, 'N')).toEqual([])
    expect(await kinds(world.as.admin, "o'x\\")).toEqual([])
    expect(fieldsOf(await world.as.admin.get('/api/search'))).toEqual(['q'])
    expect((await world.app.nobody.get('/api/search?q=nairo')).status).toBe(401)
  })
})
