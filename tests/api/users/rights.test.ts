import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MadeUser } from '../../support/make.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

interface Told {
  note: string | null
  permissions: { hierarchy: string; comesFrom: string; sources: { kind: string; name: string }[] }[]
}
const rightsOf = async ({ id }: { id: string }, by = world.as.admin) => (await by.get<Told>(`/api/permissions/byUserId/${id}`)).body.data
const give = (user: { id: string }, permissions: string[], by = world.as.admin) => by.put(`/api/users/${user.id}`, { permissions })
const ownOf = async ({ id }: { id: string }) =>
  (await world.as.admin.get<{ user: { permissions: { hierarchy: string }[] } }>(`/api/users/${id}`)).body.data.user.permissions.map(
    ({ hierarchy }) => hierarchy,
  )

describe('permissions of one person', () => {
  it('are given beside the roles, hold at once, say where they come from, and are audited', async () => {
    const role = await world.app.make.role({ company: world.company, name: 'Walker', permissions: ['SALES/LEADS'] })
    const user = await world.app.make.user({ company: world.company, role })
    const client = await world.app.as(user)
    expect((await client.get('/api/roles')).status).toBe(403)
    const answer = await give(user, ['admin/roles', 'SALES/LEADS'])
    expect(answer.status, answer.text).toBe(200)
    const renewed = await world.app.as(user)
    expect((await renewed.get('/api/roles')).status).toBe(200)
    expect(await ownOf(user)).toEqual(['ADMIN/ROLES', 'SALES/LEADS'])
    expect((await rightsOf(user)).permissions.map(({ hierarchy, comesFrom }) => [hierarchy, comesFrom])).toEqual([
      ['ADMIN/ROLES', 'Given to this person'],
      ['SALES/LEADS', 'Role Walker, Given to this person'],
    ])
    const { rows } = await world.app.database.admin.query(
      `select action, "userId" from audit_log where "objectId" = $1 and action = 'user.permissions'`,
      [user.id],
    )
    expect(rows).toEqual([{ action: 'user.permissions', userId: world.people.admin.id }])
    // Read and sent back it stays; taken away it is gone.
    const read = (await world.as.admin.get<{ user: object }>(`/api/users/${user.id}`)).body.data.user
    expect((await world.as.admin.put(`/api/users/${user.id}`, read)).status).toBe(200)
    expect(await ownOf(user)).toEqual(['ADMIN/ROLES', 'SALES/LEADS'])
    expect((await give(user, [])).status).toBe(200)
    expect((await (await world.app.as(user)).get('/api/roles')).status).toBe(403)
    expect(fieldsOf(await give(user, ['NO/SUCH']))).toEqual(['permissions'])
  })

  it('are given by nobody who lacks them, to nobody above, to nobody elsewhere, and never to oneself', async () => {
    const role = await world.app.make.role({
      company: world.company,
      name: 'Desk',
      permissions: ['ADMIN/USERS', 'ADMIN/USERS/EDIT', 'ADMIN/USERS/CREATE', 'SALES/LEADS'],
    })
    const desk = await world.app.make.user({ tenant: world.branch, role })
    const client = await world.app.as(desk)
    const plain = await world.app.make.role({ company: world.company, name: 'Plain', permissions: ['SALES/LEADS'] })
    const user: MadeUser = await world.app.make.user({ tenant: world.team, role: plain })
    expect((await give(user, ['ADMIN/ROLES'], client)).status).toBe(403)
    expect((await give(user, ['ADMIN/USERS'], client)).status).toBe(200)
    expect((await give(desk, ['SALES/TEAMS'], client)).status).toBe(403)
    expect((await give(desk, ['SALES/LEADS'], client)).status).toBe(403)
    expect((await give(world.people.admin, ['SALES/LEADS'])).status).toBe(403)
    expect((await give(world.people.elsewhere, [], client)).status).toBe(404)
    expect((await give(user, [], world.as.foreign)).status).toBe(404)
    expect((await give(user, [], world.as.officer)).status).toBe(403)
    // Who has more than the caller is left alone, even when something is only taken away.
    expect((await give(user, ['ADMIN/USERS', 'ADMIN/ROLES'])).status).toBe(200)
    expect((await give(user, [], client)).status).toBe(403)
    expect(await ownOf(user)).toEqual(['ADMIN/ROLES', 'ADMIN/USERS'])
    const body = { firstName: 'A', lastName: 'B', userName: 'wide', emailAddress: 'wide@sunrise.test', permissions: ['LOAN/DISBURSEMENTS'] }
    expect((await client.post('/api/users', body)).status).toBe(403)
    expect((await world.as.admin.get('/api/users/by-email/wide@sunrise.test')).status).toBe(404)
    // A profile that was read and sent back gives nothing.
    const profile = await client.put(`/api/users/me/${desk.id}`, { id: desk.id, firstName: 'Desk', permissions: ['ADMIN/ROLES'] })
    expect(profile.status, profile.text).toBe(200)
    expect(await ownOf(desk)).toEqual([])
  })

  it('of a global administrator are said to be no limit', async () => {
    expect((await rightsOf(world.people.officer)).note).toBeNull()
    expect((await world.as.foreign.get(`/api/permissions/byUserId/${world.people.officer.id}`)).status).toBe(404)
  })
})
