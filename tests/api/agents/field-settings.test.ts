import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedInClient } from '../../support/app.ts'
import type { MadeTenant } from '../../support/make.ts'
import { makeWorld, type World } from '../world.ts'

interface TenantRow {
  Id: string
  locationRequired: boolean
}
interface Origin {
  value: string
  inherited: string
  from: string | null
}

let world: World
let group: MadeTenant
let groupStaff: SignedInClient
beforeAll(async () => {
  world = await makeWorld()
  const { make } = world.app
  group = await make.group({ name: 'Holding' })
  await world.app.database.admin.query('update tenant set "groupId" = $1 where id = $2', [group.id, world.company.id])
  groupStaff = await world.app.as(await make.user({ company: group, role: 'global' }))
})
afterAll(() => world.app.close())

const choose = (id: string, values: object, by = world.as.admin) => by.put(`/api/settings/${id}`, values)
const originAt = async (id: string, name: string) =>
  (await world.as.admin.get<{ settings: { origins: Record<string, Origin> } }>(`/api/settings/${id}`)).body.data.settings.origins[name]
const startDay = (by: SignedInClient) => by.post<{ agentAction: { Id: string }[] }>('/api/agent/action', { action: 1 })

/** Where the rule holds, as the list of tenants, the tree, one tenant and the person's own tenants answer it. */
async function strictTenants(): Promise<Record<string, string[]>> {
  const { as, company, branch, team, other } = world
  const places = Object.entries({ company, branch, team, other })
  const namesOf = (rows: readonly TenantRow[]) =>
    places.filter(([, { id }]) => rows.some(({ Id, locationRequired }) => Id === id && locationRequired)).map(([name]) => name)
  const list = (await as.admin.get<{ tenants: TenantRow[] }>('/api/tenants')).body.data.tenants
  const tree = (await as.admin.get<{ tenants: TenantRow[] }>('/api/tenants/descendantsByUserId')).body.data.tenants
  const alone = await Promise.all(
    places.map(async ([, { id }]) => (await as.admin.get<{ tenant: TenantRow }>(`/api/tenants/${id}`)).body.data.tenant),
  )
  return { list: namesOf(list), tree: namesOf(tree), alone: namesOf(alone) }
}
const everywhere = (names: string[]) => ({ list: names, tree: names, alone: names })

describe('the location rule', () => {
  it('is inherited along group, company, branch and team, and answered as what counts', async () => {
    const { company, branch, team, other } = world
    expect(await strictTenants()).toEqual(everywhere([]))
    await choose(company.id, { locationRule: 'required' })
    expect(await strictTenants()).toEqual(everywhere(['company', 'branch', 'team', 'other']))
    await choose(branch.id, { locationRule: 'free' })
    expect(await strictTenants()).toEqual(everywhere(['company', 'other']))
    await choose(team.id, { locationRule: 'required' })
    expect(await strictTenants()).toEqual(everywhere(['company', 'team', 'other']))
    expect(await originAt(team.id, 'locationRule')).toEqual({ value: 'required', inherited: 'free', from: 'Nairobi' })
    await choose(other.id, { locationRule: 'free' })
    await choose(team.id, { locationRule: null })
    await choose(company.id, { locationRule: null })
    expect((await choose(group.id, { locationRule: 'required' }, groupStaff)).status).toBe(200)
    expect(await strictTenants()).toEqual(everywhere(['company']))
    expect(await originAt(company.id, 'locationRule')).toEqual({ value: 'required', inherited: 'required', from: 'Holding' })
  })

  it('holds for the people of a tenant from the moment it is chosen above', async () => {
    const { as, company, branch, team, people } = world
    await choose(branch.id, { locationRule: null })
    expect((await startDay(as.officer)).status).toBe(422)
    const { tenants } = (await as.admin.get<{ tenants: TenantRow[] }>(`/api/tenants/usertenants/${people.officer.id}`)).body.data
    expect(tenants).toMatchObject([{ Id: team.id, locationRequired: true }])
    const { user } = (await as.admin.get<{ user: { tenants: TenantRow[] } }>(`/api/users/${people.officer.id}`)).body.data
    expect(user.tenants).toMatchObject([{ Id: team.id, locationRequired: true }])
    await choose(company.id, { locationRule: 'free' })
    expect((await startDay(as.officer)).status).toBe(200)
  })

  it('is read only on a tenant: what was read may be sent back, and inherits as before', async () => {
    const { as, company, team } = world
    await choose(company.id, { locationRule: 'required' })
    const { tenant } = (await as.admin.get<{ tenant: TenantRow }>(`/api/tenants/${team.id}`)).body.data
    expect((await as.admin.put(`/api/tenants/${team.id}`, tenant)).status).toBe(200)
    expect(await originAt(team.id, 'locationRule')).toEqual({ value: 'required', inherited: 'required', from: 'Sunrise' })
    await choose(company.id, { locationRule: 'free' })
    expect(await strictTenants()).toEqual(everywhere([]))
  })

  it('takes its own words only, from those who may', async () => {
    const refused = await choose(world.branch.id, { locationRule: 'always' })
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { fields: [{ field: 'locationRule', message: 'must be one of free, required' }] },
    ])
    expect((await choose(world.branch.id, { locationRule: 'required' }, world.as.officer)).status).toBe(403)
    expect((await choose(world.branch.id, { locationRule: 'required' }, world.as.foreign)).status).toBe(404)
  })
})

describe('the hour that ends a day', () => {
  it('is the one nearest above; never ends none', async () => {
    const { as, company, team } = world
    const booked = async () => {
      const { body } = await startDay(as.officer)
      const { rows } = await world.app.database.admin.query<{ hour: string }>(
        `select to_char("runAt" at time zone 'Africa/Nairobi', 'HH24:MI') as hour from outbox where type = 'agents.endDay' and payload->>'actionId' = $1`,
        [body.data.agentAction[0]?.Id],
      )
      return rows.map(({ hour }) => hour)
    }
    expect(await booked()).toEqual([])
    await choose(company.id, { dayEnd: '19' })
    expect(await booked()).toEqual(['19:00'])
    await choose(team.id, { dayEnd: '0' })
    expect(await booked()).toEqual(['00:00'])
    await choose(team.id, { dayEnd: 'never' })
    expect(await booked()).toEqual([])
  })
})

describe('what tenants chose before there were settings', () => {
  it('holds as it did: each kept what it had, whatever is above it', async () => {
    const { company, branch, team, other } = world
    const { admin } = world.app.database
    await admin.query(`delete from setting where "name" in ('locationRule', 'dayEnd')`)
    const had: [id: string, isRequired: boolean, hour: number | null][] = [
      [company.id, true, 18],
      [branch.id, false, null],
      [team.id, true, 20],
      [other.id, true, null],
    ]
    for (const [id, isRequired, hour] of had)
      await admin.query('update tenant set "locationRequired" = $2, "dayEndHour" = $3 where "id" = $1', [id, isRequired, hour])
    const migration = await readFile(
      new URL('../../../prisma/migrations/20261209010001_location_rule/migration.sql', import.meta.url),
      'utf8',
    )
    await admin.query(migration.slice(0, migration.indexOf('-- The nearest tenant')))
    const { rows } = await admin.query<{ tenantId: string; name: string; value: string }>(
      `select "tenantId", "name", "value" from setting where "name" in ('locationRule', 'dayEnd') and "companyId" = $1`,
      [company.id],
    )
    const chosen = (name: string) =>
      Object.fromEntries(rows.filter((row) => row.name === name).map(({ tenantId, value }) => [tenantId, value]))
    expect(chosen('locationRule')).toEqual({ [company.id]: 'required', [branch.id]: 'free', [team.id]: 'required' })
    expect(chosen('dayEnd')).toEqual({ [company.id]: '18', [team.id]: '20' })
  })
})
