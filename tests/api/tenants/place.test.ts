import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

interface Placed {
  Id: string
  location: string | null
  lat: number | null
  effectiveLocation: string | null
  effectiveLat: number | null
  effectiveLng: number | null
  version: number
}
const of = async (id: string) => (await world.as.admin.get<{ tenant: Placed }>(`/api/tenants/${id}`)).body.data.tenant

it('a tenant with a blank location has that of the nearest one above it: in trees, and beside its own where it can be sent back', async () => {
  for (const path of ['/api/tenants/descendantsByUserId', `/api/tenants/descendants-by-specific-tenantid/?tenantId=${world.branch.id}`]) {
    const { tenants } = (await world.as.admin.get<{ tenants: Placed[] }>(path)).body.data
    const at = new Map(tenants.map(({ Id, location, lat }) => [Id, [location, lat]]))
    expect(at.get(world.team.id), path).toEqual(['Nairobi', -1.28])
    expect(at.get(world.other.id) ?? [null, null]).toEqual([null, null])
  }
  expect(await of(world.team.id)).toMatchObject({
    location: null,
    lat: null,
    effectiveLocation: 'Nairobi',
    effectiveLat: -1.28,
    effectiveLng: 36.8,
  })
  const list = (await world.as.admin.get<{ tenants: Placed[] }>('/api/tenants')).body.data.tenants
  expect(list.find(({ Id }) => Id === world.team.id)).toMatchObject({ effectiveLocation: 'Nairobi' })
  // Sent back as it was read it stays blank, and so follows the branch when that moves.
  const saved = await world.as.admin.put(`/api/tenants/${world.team.id}`, await of(world.team.id))
  expect(saved.status, saved.text).toBe(200)
  expect((await world.as.admin.put(`/api/tenants/${world.branch.id}`, { location: 'Thika', lat: -1.03, lng: 37.07 })).status).toBe(200)
  expect(await of(world.team.id)).toMatchObject({ location: null, effectiveLocation: 'Thika', effectiveLat: -1.03 })
  // A name that says nothing is blank too.
  expect((await world.as.admin.put(`/api/tenants/${world.team.id}`, { location: 'Unknown' })).status).toBe(200)
  expect((await of(world.team.id)).effectiveLocation).toBe('Thika')
})
