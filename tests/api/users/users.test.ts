import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeJobCtx } from '../../../apps/server/src/kernel/session/jobs.ts'
import { until } from '../../support/until.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

type User = {
  Id: string
  fullName: string
  roles: { Id: string; name: string }[]
  tenants: { Id: string }[]
  tenantId: string
  userName: string
  emailAddress: string
  version: number
} & Record<string, unknown>
const rows = async (text: string, ...values: unknown[]) =>
  (await world.app.database.admin.query(text, values)).rows as Record<string, never>[]
const roleId = async (systemRole: string, company = world.company) =>
  (await rows('select id from role where "companyId" = $1 and "systemRole" = $2', company.id, systemRole))[0]?.['id'] as unknown as string
let count = 0
const body = (more: object = {}) => ({
  firstName: 'Wanjiku',
  lastName: 'Kamau',
  userName: `wanjiku${(count += 1)}`,
  emailAddress: `wanjiku${count}@sunrise.test`,
  ...more,
})
async function made(more: object = {}) {
  const answer = await world.as.admin.post<{ user: User }>('/api/users', body(more))
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.user
}
const names = (answer: { body: { data: { users?: User[] } } }) => (answer.body.data.users ?? []).map((user) => user.fullName).toSorted()
const everybody = ['Asha Admin', 'Baraka Manager', 'Chidi Officer', 'Dalia Elsewhere']
type List = { users: User[] }

describe('reading', () => {
  it('counts who signed in a moment ago, in a list that was counted just before', async () => {
    const filter = encodeURIComponent(JSON.stringify([{ field: 'lastSeenAt', op: 'empty' }]))
    const total = async () => (await world.as.admin.get<List>(`/api/users?size=1&filter=${filter}`)).body.meta?.total
    const { officer } = world.people
    await rows('update app_user set "lastSeenAt" = null where id = $1', officer.id)
    const before = await total()
    expect((await world.app.login(officer)).status).toBe(200)
    expect(await total()).toBe((before ?? 0) - 1)
  })

  it('lists the company to an administrator, with roles and tenants, and never a stranger', async () => {
    const answer = await world.as.admin.get<List>('/api/users')
    expect(names(answer)).toEqual(everybody)
    expect(answer.body.meta).toMatchObject({ page: 1, total: 4 })
    const officer = answer.body.data.users.find(({ Id }) => Id === world.people.officer.id)
    expect(officer).toMatchObject({
      roles: [{ name: 'Loan Officer' }],
      tenants: [{ Id: world.team.id, name: 'Westlands', locationRequired: false }],
      roleNames: 'Loan Officer',
    })
    expect(answer.text).not.toMatch(/argon2|passwordHash/)
  })
  it('cuts to the branch of a manager', async () => {
    expect(names(await world.as.manager.get('/api/users'))).toEqual(['Baraka Manager', 'Chidi Officer'])
  })
  it('gives those who only choose people names and tenants, and searches nothing else for them', async () => {
    const answer = await world.as.elsewhere.get<List>('/api/users')
    expect(answer.body.data.users.map((user) => Object.keys(user).toSorted())).toEqual([
      ['Id', 'dateCreated', 'dateModified', 'firstName', 'fullName', 'lastName', 'tenantId', 'tenantIdLabel', 'userName', 'version'],
    ])
    expect(names(await world.as.elsewhere.get('/api/users?search=dali'))).toEqual(['Dalia Elsewhere'])
    expect(names(await world.as.elsewhere.get('/api/users?search=outpost.test'))).toEqual([])
    const one = await world.as.elsewhere.get<{ user: User }>(`/api/users/${world.people.elsewhere.id}`)
    expect(one.body.data.user).not.toHaveProperty('emailAddress')
  })
  it('filters by role name, by a user and by search', async () => {
    expect(names(await world.as.admin.get('/api/users?roleName=%20loan%20OFFICER'))).toEqual(['Chidi Officer', 'Dalia Elsewhere'])
    expect(names(await world.as.admin.get(`/api/users?usrId=${world.people.manager.id}`))).toEqual(['Baraka Manager', 'Chidi Officer'])
    expect(names(await world.as.admin.get('/api/users?search=%%'))).toEqual(everybody)
    expect(names(await world.as.admin.get('/api/users?search=Chidi'))).toEqual(['Chidi Officer'])
    expect(fieldsOf(await world.as.admin.get('/api/users?usrId=x'))).toEqual(['usrId'])
  })
  it('finds users of a tenant, of a team, and below a user or tenant however deep', async () => {
    const { admin } = world.as
    expect(names(await admin.get(`/api/users/bytenantid/${world.branch.id}`))).toEqual(['Baraka Manager'])
    expect(names(await admin.get(`/api/users/by-team-id/${world.team.id}`))).toEqual(['Chidi Officer'])
    expect(names(await admin.get(`/api/users/by-team-id/${world.branch.id}`))).toEqual([])
    expect(names(await admin.get(`/api/users/getagentscte/${world.branch.id}`))).toEqual(['Baraka Manager', 'Chidi Officer'])
    expect(names(await admin.get(`/api/users/getagentscte/${world.people.manager.id}`))).toEqual(['Chidi Officer'])
    expect(names(await world.as.foreign.get(`/api/users/getagentscte/${world.branch.id}`))).toEqual([])
  })
  it('gives a list of ids whole or not at all', async () => {
    const { officer, manager, elsewhere, foreign } = world.people
    expect(names(await world.as.manager.get(`/api/users/list/${officer.id},${manager.id}`))).toEqual(['Baraka Manager', 'Chidi Officer'])
    for (const outside of [elsewhere.id, foreign.id, randomUUID()]) {
      expect((await world.as.manager.get(`/api/users/list/${officer.id},${outside}`)).status).toBe(404)
    }
    expect(fieldsOf(await world.as.manager.get('/api/users/list/abc'))).toEqual(['ids.0'])
  })
  it('answers 404 alike beyond reach, company and for nobody; 403 without the permission', async () => {
    for (const path of ['/api/users/', '/api/users/me/', '/api/users/detailswithhighleveltenants/']) {
      for (const id of [world.people.elsewhere.id, world.people.foreign.id, randomUUID()])
        expect((await world.as.manager.get(path + id)).status, path).toBe(404)
    }
    for (const path of [
      '/api/users/deleted',
      '/api/users/password_changed_history',
      '/api/users/loginreport',
      '/api/users/dashboard/new-users',
      `/api/users/me/${world.people.manager.id}`,
      '/api/users/by-email/x@y.zz',
    ]) {
      expect((await world.as.officer.get(path)).status, path).toBe(403)
    }
  })
  it('finds by e-mail in reach only', async () => {
    expect((await world.as.manager.get(`/api/users/by-email/${world.people.officer.emailAddress.toUpperCase()}`)).body.data).toMatchObject({
      user: { Id: world.people.officer.id },
    })
    expect((await world.as.manager.get(`/api/users/by-email/${world.people.foreign.emailAddress}`)).status).toBe(404)
  })
  it('shows oneself as the console keeps a user', async () => {
    const answer = await world.as.officer.get(`/api/users/me/${world.people.officer.id}`)
    expect(answer.body.data).toMatchObject({
      user: {
        Id: world.people.officer.id,
        roles: [{ name: 'Loan Officer' }],
        selectedTenant: { Id: world.team.id },
        tours: {},
        preferences: {},
        mobile: null,
      },
    })
  })
  it('shows the tenants above a user, the company first', async () => {
    const answer = await world.as.manager.get<{ user: User & { highLevelTenants: { name: string }[]; company: object } }>(
      `/api/users/detailswithhighleveltenants/${world.people.officer.id}`,
    )
    expect(answer.body.data.user.highLevelTenants.map(({ name }) => name)).toEqual(['Sunrise', 'Nairobi'])
    expect(answer.body.data.user.company).toMatchObject({ Id: world.company.id })
  })
})

describe('creating', () => {
  it('makes a user with roles and tenants, invites by mail and audits; no password passes through', async () => {
    const user = await made({ roles: [await roleId('officer')], tenants: [{ Id: world.team.id }, world.branch.id], mobile: '0712345678' })
    expect(user).toMatchObject({
      roles: [{ name: 'Loan Officer' }],
      tenants: [{ Id: world.team.id }, { Id: world.branch.id }],
      tenantId: world.team.id,
      tenantIdLabel: 'Westlands',
      status: 1,
    })
    expect(await rows("select type, payload from outbox where payload ->> 'userId' = $1", user.Id)).toEqual([
      { type: 'auth.mail', payload: { kind: 'invite', userId: user.Id } },
    ])
    expect((await rows('select action from audit_log where "objectId" = $1 order by seq', user.Id)).map(({ action }) => action)).toEqual([
      'user.create',
      'user.roles',
      'user.tenants',
    ])
    expect(fieldsOf(await world.as.admin.post('/api/users', body({ password: 'outpost-demo-2026' })))).toEqual(['password'])
  })
  it('lets the invited choose a password by the link of the mail, and sign in', async () => {
    const user = await made({ roles: [await roleId('officer')], tenants: [world.team.id] })
    const { areas, machine, services } = world.app
    const job = areas.flatMap(({ jobs }) => jobs).find(({ name }) => name === 'auth.mail')
    await job?.run(
      await makeJobCtx(services, { companyId: world.company.id, userId: null }),
      { userId: user.Id, kind: 'invite' },
      { id: randomUUID(), attempt: 1, signal: new AbortController().signal },
    )
    const [letter] = await machine.mail.written()
    const text = (await machine.mail.read(letter?.file ?? ''))?.replace(/=\r?\n/g, '') ?? ''
    const token = new RegExp(`/account/verification/${user.Id}/([\\w-]+)`).exec(text)?.[1]
    const verified = await world.app.nobody.post<{ resetToken: string }>('/api/auth/verification', { userId: user.Id, token })
    expect(verified.status, verified.text).toBe(200)
    expect(
      (await world.app.nobody.post('/api/auth/reset-password', { token: verified.body.data.resetToken, password: 'a quiet green valley' }))
        .status,
    ).toBe(200)
    expect((await world.app.login({ ...user, password: 'a quiet green valley' })).body.data).toMatchObject({ user: { Id: user.Id } })
  })
  it('files under the tenant worked in when none is named', async () => {
    expect(await made()).toMatchObject({ tenantId: world.company.id, tenants: [{ Id: world.company.id }], roles: [] })
  })
  it.each([
    ['missing names', { firstName: '', lastName: undefined }, ['firstName', 'lastName']],
    ['bad e-mail', { emailAddress: 'a@b' }, ['emailAddress']],
    ['bad user name', { userName: 'a b' }, ['userName']],
    ['role that is none', { roles: [randomUUID()] }, ['roles']],
    ['tenant that is none', { tenants: [randomUUID()] }, ['tenants']],
    ['company', { companyId: randomUUID() }, ['companyId']],
    ['unknown', { nickname: 'x' }, ['nickname']],
    ['roles not ids', { roles: ['admin'] }, ['roles.0']],
  ])('answers 422 naming the field: %s', async (_, more, fields) => {
    const answer = await world.as.admin.post('/api/users', body(more))
    expect([answer.status, fieldsOf(answer)], answer.text).toEqual([422, fields])
  })
  it('takes neither role nor tenant of another company', async () => {
    expect(fieldsOf(await world.as.admin.post('/api/users', body({ roles: [await roleId('officer', world.stranger)] })))).toEqual(['roles'])
    expect(fieldsOf(await world.as.admin.post('/api/users', body({ tenants: [world.stranger.id] })))).toEqual(['tenants'])
  })
  it('names what is taken, also by a deactivated user', async () => {
    const { Id, userName, emailAddress } = await made()
    await world.as.admin.del('/api/users/delete', { userIds: [Id] })
    expect(await world.as.admin.post('/api/users', body({ userName }))).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_EXISTS', fields: [{ field: 'userName' }] },
    })
    expect(
      (await world.as.admin.post('/api/users/exist', { emailAddress: emailAddress.toUpperCase(), userName: 'nobody' })).body.data,
    ).toEqual({ exists: true, fields: ['emailAddress'] })
    expect((await world.as.admin.post('/api/users/exist', { emailAddress: world.people.foreign.emailAddress })).body.data).toEqual({
      exists: false,
      fields: [],
    })
  })
  it('lets nobody without the permission', async () => {
    for (const who of [world.as.manager, world.as.officer]) {
      expect((await who.post('/api/users', body())).status).toBe(403)
      expect((await who.put(`/api/users/${world.people.officer.id}`, { firstName: 'X' })).status).toBe(403)
      expect((await who.del('/api/users/delete', { userIds: [world.people.officer.id] })).status).toBe(403)
    }
    expect((await world.as.officer.post('/api/users/exist', { userName: 'x' })).status).toBe(403)
  })
})

describe('rights may not be widened', () => {
  const editor = async (permissions: string[], tenant = world.branch) => {
    const role = await world.app.make.role({ company: world.company, name: `Editor ${(count += 1)}`, permissions })
    const user = await world.app.make.user({ tenant, roles: [role] })
    return { role, user, client: await world.app.as(user) }
  }
  const editing = ['ADMIN/USERS', 'ADMIN/USERS/CREATE', 'ADMIN/USERS/EDIT', 'ADMIN/USERS/DELETE']

  it('gives only roles whose permissions the giver holds', async () => {
    const { client, role } = await editor([...editing, 'SALES'])
    expect(await client.post('/api/users', body({ roles: [await roleId('officer')] }))).toMatchObject({
      status: 403,
      body: { fields: [{ field: 'roles' }] },
    })
    expect((await client.post('/api/users', body({ roles: [role.id], tenants: [world.team.id] }))).status).toBe(200)
  })
  it('keeps a caller with all permissions from making or changing an administrator', async () => {
    const all = (await rows('select hierarchy from role_permission where "roleId" = $1', await roleId('admin'))).map(({ hierarchy }) =>
      String(hierarchy),
    )
    const { client } = await editor(all, world.company)
    expect((await client.post('/api/users', body({ roles: [await roleId('admin')] }))).status).toBe(403)
    expect((await client.put(`/api/users/${world.people.admin.id}`, { jobTitle: 'X' })).status).toBe(403)
    expect((await client.put(`/api/users/change-password/${world.people.admin.id}`, { password: 'a quiet green valley' })).status).toBe(403)
    expect((await client.del('/api/users/delete', { userIds: [world.people.admin.id] })).status).toBe(403)
  })
  it('keeps from changing a user who may more, and from tenants out of reach', async () => {
    const { client, role } = await editor(editing)
    expect((await client.put(`/api/users/${world.people.officer.id}`, { jobTitle: 'X' })).status).toBe(403)
    const low = await world.app.make.user({ tenant: world.team, roles: [role] })
    expect((await client.put(`/api/users/${low.id}`, { jobTitle: 'Agent' })).status).toBe(200)
    expect(fieldsOf(await client.put(`/api/users/${low.id}`, { tenants: [world.team.id, world.other.id] }))).toEqual(['tenants'])
    const wide = await world.app.make.user({ tenants: [world.team, world.other], roles: [role] })
    expect((await client.put(`/api/users/${wide.id}`, { emailAddress: 'mine@sunrise.test' })).status).toBe(403)
    expect((await client.put(`/api/users/change-password/${wide.id}`, { password: 'a quiet green valley' })).status).toBe(403)
    const hidden = await world.app.make.user({ tenant: world.other, roles: [role] })
    expect((await client.put(`/api/users/${hidden.id}`, { jobTitle: 'X' })).status).toBe(404)
  })
})

describe('changing', () => {
  it('changes what is named; a new address must be confirmed anew', async () => {
    const user = await made()
    await rows('update app_user set "emailVerifiedAt" = now() where id = $1', user.Id)
    const answer = await world.as.admin.put<{ user: User }>(`/api/users/${user.Id}`, {
      emailAddress: 'New.Address@sunrise.test',
      version: 1,
    })
    expect(answer.body.data.user).toMatchObject({
      emailAddress: 'new.address@sunrise.test',
      firstName: 'Wanjiku',
      emailVerifiedAt: null,
      version: 2,
    })
    expect(
      (await rows("select payload ->> 'kind' as kind from outbox where payload ->> 'userId' = $1 order by \"dateCreated\"", user.Id)).map(
        ({ kind }) => kind,
      ),
    ).toEqual(['invite', 'verify'])
    expect((await world.as.admin.put(`/api/users/${user.Id}`, { jobTitle: 'X', version: 1 })).status).toBe(409)
  })
  it('keeps the main tenant among the tenants', async () => {
    const user = await made({ tenants: [world.branch.id] })
    expect(fieldsOf(await world.as.admin.put(`/api/users/${user.Id}`, { tenantId: world.other.id }))).toEqual(['tenantId'])
    expect(fieldsOf(await world.as.admin.put(`/api/users/${user.Id}`, { tenants: [] }))).toEqual(['tenants'])
    const moved = await world.as.admin.put<{ user: User }>(`/api/users/${user.Id}`, { tenants: [world.other.id, world.team.id] })
    expect(moved.body.data.user).toMatchObject({ tenantId: world.other.id, tenants: [{ Id: world.other.id }, { Id: world.team.id }] })
  })
  it('lets changed roles hold at once: the old token asks for a new one', async () => {
    const user = await world.app.make.user({ tenant: world.team, role: 'officer' })
    const client = await world.app.as(user)
    expect((await client.get('/api/leads')).status).toBe(200)
    expect((await world.as.admin.put(`/api/users/${user.id}`, { roles: [] })).status).toBe(200)
    expect((await client.get('/api/leads')).status).toBe(401)
    const [row] = await rows('select version from session where id = $1', client.sessionId)
    expect(row).toEqual({ version: 2 })
    expect((await (await world.app.as(user)).get('/api/leads')).status).toBe(403)
  })
  it('answers 404 for another company and changes nothing', async () => {
    expect((await world.as.foreign.put(`/api/users/${world.people.officer.id}`, { jobTitle: 'Stolen' })).status).toBe(404)
    expect(await rows('select "jobTitle" from app_user where id = $1', world.people.officer.id)).toEqual([{ jobTitle: null }])
  })
})

describe('the work of somebody who leaves', () => {
  it('is counted, asked for, handed over and comes back with the person', async () => {
    const { app, as, people, team } = world
    const leaver = await app.make.user({ tenant: team, role: 'officer', firstName: 'Neema', lastName: 'Leaver' })
    const by = await app.as(leaver)
    const {
      body: {
        data: { lead },
      },
    } = await by.post<{ lead: { Id: string } }>('/api/leads', { firstName: 'Wanjiru', lastName: 'Kamau', phonenumber: '0714555666' })
    await as.manager.post('/api/leads/assignlead', { leadId: lead.Id, userId: leaver.id })
    const {
      body: {
        data: { case: made },
      },
    } = await as.manager.post<{ case: { Id: string } }>('/api/cases', { title: 'Papers', ownerUserId: leaver.id })
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const planned = await as.manager.post<{ activity: { Id: string } }>('/api/activities', {
      name: 'Visit',
      startDate: at(2),
      endDate: at(3),
      assignedUsers: [leaver.id],
    })
    expect(planned.status, planned.text).toBe(200)
    const remove = (over: object = {}) => as.admin.del('/api/users/delete', { userIds: [leaver.id], ...over })
    const asked = await remove()
    const nothingElse = {
      ...{ tasks: 0, plans: 0, teams: 0, complaints: 0, applications: 0, clients: 0, loans: 0, ussdRequests: 0 },
      ...{ clientGroups: 0, maintenancePlans: 0 },
    }
    expect([asked.status, asked.body.code, asked.body.details?.['work']]).toEqual([
      409,
      'STILL_IN_USE',
      [{ userId: leaver.id, name: 'Neema Leaver', leads: 1, activities: 1, cases: 1, ...nothingElse }],
    ])
    expect([fieldsOf(asked), asked.body.message]).toEqual([['toUserId'], expect.stringContaining('1 open lead, 1 activity, 1 open case')])
    expect((await by.get('/api/leads')).status).toBe(200)
    for (const toUserId of [leaver.id, people.foreign.id]) expect(fieldsOf(await remove({ toUserId }))).toEqual(['toUserId'])
    const gone = await remove({ toUserId: people.officer.id })
    expect([gone.status, gone.body.message], gone.text).toEqual([200, 'User deactivated. Chidi Officer takes over the open work.'])
    const holders = async () => [
      (await as.manager.get<{ lead: { assignedUserId: string } }>(`/api/leads/${lead.Id}`)).body.data.lead.assignedUserId,
      (await as.manager.get<{ case: { ownerUserId: string } }>(`/api/cases/${made.Id}`)).body.data.case.ownerUserId,
      ...(
        await app.database.admin.query<{ userId: string }>('select "userId" from activity_assignment where "activityId" = $1', [
          planned.body.data.activity.Id,
        ])
      ).rows.map(({ userId }) => userId),
    ]
    expect(await holders()).toEqual([people.officer.id, people.officer.id, people.officer.id])
    expect((await as.admin.post('/api/users/undelete', { userIds: [leaver.id] })).status).toBe(200)
    expect(await holders()).toEqual([leaver.id, leaver.id, leaver.id])
    expect((await remove({ leaveWork: true })).status).toBe(200)
    expect(await holders()).toEqual([leaver.id, leaver.id, leaver.id])
  })
})

describe('deactivating', () => {
  it('ends the sessions at once, hides the user and brings back on restore', async () => {
    const user = await world.app.make.user({ tenant: world.team, role: 'officer', firstName: 'Zuri' })
    const client = await world.app.as(user)
    const signed = (await world.app.login(user)).body.data
    expect((await client.get('/api/leads')).status).toBe(200)
    expect((await world.as.admin.del('/api/users/delete', { userIds: [user.id] })).status).toBe(200)
    expect(await client.get('/api/leads')).toMatchObject({ status: 401, body: { code: 'USER_DISABLED' } })
    // A phone that comes back with nothing but the token to refresh with hears why, until its person is back.
    const refresh = () => world.app.nobody.post('/api/auth/refresh', { refreshToken: signed.refreshToken })
    expect(await refresh()).toMatchObject({ status: 401, body: { code: 'USER_DISABLED' } })
    expect(await rows('select "endReason" from session where id = $1', client.sessionId)).toEqual([{ endReason: 'disabled' }])
    expect((await world.as.admin.get(`/api/users/${user.id}`)).status).toBe(404)
    const gone = await world.as.admin.get<List>('/api/users/deleted?search=Zuri')
    expect(gone.body.data.users).toMatchObject([{ Id: user.id, status: 0 }])
    expect((await world.app.login(user)).status).toBe(401)
    expect((await world.as.admin.post('/api/users/undelete', { userIds: [user.id] })).status).toBe(200)
    expect(await refresh()).toMatchObject({ status: 401, body: { code: 'SESSION_EXPIRED' } })
    expect((await world.app.login(user)).status).toBe(200)
  })
  it('is all or none', async () => {
    const user = await made()
    expect((await world.as.admin.del('/api/users/delete', { userIds: [user.Id, world.people.foreign.id] })).status).toBe(404)
    expect((await world.as.admin.get(`/api/users/${user.Id}`)).status).toBe(200)
    expect(fieldsOf(await world.as.admin.del('/api/users/delete', { userIds: [] }))).toEqual(['userIds'])
  })
  it('spares oneself and the last administrator, two at the same time too', async () => {
    expect((await world.as.admin.del('/api/users/delete', { userIds: [world.people.admin.id] })).status).toBe(403)
    const company = await world.app.make.company()
    const two = [await world.app.make.user({ company }), await world.app.make.user({ company })]
    const clients = await Promise.all(two.map((user) => world.app.as(user)))
    expect(await clients[0]?.put(`/api/users/${two[0]?.id}`, { roles: [] })).toMatchObject({ status: 200 })
    const first = await world.app.as(await world.app.make.user({ company }))
    // Now two administrators again, each removing the other, both let go at the same moment.
    const gate = await world.app.database.admin.connect()
    await gate.query('begin')
    await gate.query('select 1 from app_user where "companyId" = $1 for update', [company.id])
    const removals = Promise.all([
      clients[1]?.del('/api/users/delete', { userIds: [first.user.id] }),
      first.del('/api/users/delete', { userIds: [two[1]?.id] }),
    ])
    await until(
      async () =>
        (await rows("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).length === 2,
    )
    await gate.query('rollback')
    gate.release()
    const answers = await removals
    expect(answers.map((answer) => answer?.status === 200).toSorted()).toEqual([false, true])
    const left = await rows(
      'select count(*)::int as n from app_user u join user_role m on m."userId" = u.id join role r on r.id = m."roleId" where u."companyId" = $1 and u.status = 1 and r."systemRole" = \'admin\'',
      company.id,
    )
    expect(left).toEqual([{ n: 1 }])
  })
  it('refuses to take the role from the last administrator', async () => {
    const company = await world.app.make.company()
    const last = await world.app.as(await world.app.make.user({ company }))
    expect(await last.put(`/api/users/${last.user.id}`, { roles: [] })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  })
})

describe('oneself', () => {
  it('changes the own profile, but nothing of it that gives rights, and nobody else', async () => {
    const { officer, manager } = world.people
    expect(
      (await world.as.officer.put(`/api/users/me/${officer.id}`, { mobile: '0712 345 678', jobTitle: 'Agent' })).body.data,
    ).toMatchObject({ user: { jobTitle: 'Agent' } })
    expect(
      fieldsOf(await world.as.officer.put(`/api/users/me/${officer.id}`, { emailAddress: 'x@y.zz', tenantId: world.company.id })),
    ).toEqual(['emailAddress', 'tenantId'])
    expect((await world.as.officer.put(`/api/users/me/${manager.id}`, { jobTitle: 'X' })).status).toBe(403)
  })
  it('lets staff of a group change their own record while working in a company', async () => {
    const group = await world.app.make.group()
    await world.app.make.company({ group })
    const client = await world.app.as(await world.app.make.user({ company: group, role: 'global' }))
    expect((await client.put(`/api/users/me/${client.user.id}`, { jobTitle: 'Chief' })).body.data).toMatchObject({
      user: { jobTitle: 'Chief' },
    })
    expect((await client.post('/api/users/tour', { name: 'home', status: 'done' })).status).toBe(200)
    expect((await client.get(`/api/users/me/${client.user.id}`)).body.data).toMatchObject({
      user: { jobTitle: 'Chief', tours: { home: { status: 'done' } } },
    })
  })
  it('remembers tours', async () => {
    await world.as.officer.post('/api/users/tour', { name: 'leads', status: 'started', step: 2 })
    const answer = await world.as.officer.post('/api/users/tour', { name: 'home', status: 'skipped', version: 3 })
    expect(answer.body.data).toMatchObject({ tours: { leads: { status: 'started', step: 2 }, home: { status: 'skipped', version: 3 } } })
    expect(fieldsOf(await world.as.officer.post('/api/users/tour', { name: 'a b', status: 'maybe' }))).toEqual(['name', 'status'])
  })
  it('changes the own password with the old one and ends the other sessions', async () => {
    const user = await world.app.make.user({ tenant: world.team, role: 'officer' })
    const [here, there] = [await world.app.as(user), await world.app.as(user)]
    const path = `/api/users/change-password/${user.id}`
    expect(fieldsOf(await here.put(path, { password: 'a quiet green valley' }))).toEqual(['oldPassword'])
    expect(fieldsOf(await here.put(path, { password: 'a quiet green valley', oldPassword: 'wrong' }))).toEqual(['oldPassword'])
    expect(await here.put(path, { password: 'short', oldPassword: user.password })).toMatchObject({
      status: 422,
      body: { code: 'WEAK_PASSWORD', fields: [{ field: 'password' }] },
    })
    expect((await here.put(path, { password: 'a quiet green valley', oldPassword: user.password })).status).toBe(200)
    expect([(await here.get('/api/leads')).status, (await there.get('/api/leads')).status]).toEqual([200, 401])
    expect((await world.app.login({ ...user, password: 'a quiet green valley' })).status).toBe(200)
  })
  it('tries no more of 12 old passwords at once than one by one', async () => {
    world.app.clock.stand()
    const user = await world.app.make.user({ tenant: world.team, role: 'officer' })
    const here = await world.app.as(user)
    const change = { password: 'a quiet green valley', oldPassword: 'wrong' }
    const answers = await Promise.all(Array.from({ length: 12 }, () => here.put(`/api/users/change-password/${user.id}`, change)))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([...Array.from({ length: 5 }, () => 422), ...Array.from({ length: 7 }, () => 429)])
  })
  it('lets an administrator set another password, to be changed at the next sign-in', async () => {
    const user = await world.app.make.user({ tenant: world.team, role: 'officer' })
    const client = await world.app.as(user)
    const path = `/api/users/change-password/${user.id}`
    expect((await world.as.manager.put(path, { password: 'a quiet green valley' })).status).toBe(403)
    expect((await world.as.foreign.put(path, { password: 'a quiet green valley' })).status).toBe(404)
    expect((await world.as.admin.put(path, { password: 'a quiet green valley' })).status).toBe(200)
    expect(await rows('select "mustChange" from credential where "userId" = $1', user.id)).toEqual([{ mustChange: true }])
    expect((await client.get('/api/leads')).status).toBe(401)
    const history = await world.as.admin.get<{ passwordHistory: object[] }>('/api/users/password_changed_history')
    expect(history.body.data.passwordHistory[0]).toMatchObject({
      userId: user.id,
      changedByUserId: world.people.admin.id,
      changedBy: 'Asha Admin',
    })
    expect(history.text).not.toContain('argon2')
    expect(
      (
        await world.as.manager.get<{ passwordHistory: object[] }>(
          '/api/users/password_changed_history?startDate=2020-01-01&endDate=2020-12-31',
        )
      ).body.data.passwordHistory,
    ).toEqual([])
  })
})

describe('reports', () => {
  it('shows logins of users in reach, in the window asked for', async () => {
    type Logins = { logins: { userName: string; kind: string }[] }
    const seen = (answer: { body: { data: Logins } }) => [...new Set(answer.body.data.logins.map(({ userName }) => userName))]
    const all = await world.as.admin.get<Logins>('/api/users/loginreport')
    expect(seen(all)).toEqual(expect.arrayContaining([world.people.admin.userName, world.people.elsewhere.userName]))
    expect(seen(all)).not.toContain(world.people.foreign.userName)
    expect(seen(await world.as.manager.get('/api/users/loginreport'))).not.toContain(world.people.elsewhere.userName)
    expect(seen(await world.as.admin.get('/api/users/loginreport?startDate=2020-01-01&endDate=2020-02-01'))).toEqual([])
    expect((await world.as.admin.get<Logins>('/api/users/loginreport?size=1')).body.data.logins).toHaveLength(1)
    const filter = encodeURIComponent(JSON.stringify([{ field: 'userId', op: 'eq', value: world.people.manager.id }]))
    const { logins } = (
      await world.as.admin.get<{ logins: { userId: string; userIdLabel: string }[] }>(`/api/users/loginreport?filter=${filter}`)
    ).body.data
    expect(new Set(logins.map(({ userId }) => userId))).toEqual(new Set([world.people.manager.id]))
    expect(logins[0]?.userIdLabel).toContain(world.people.manager.firstName)
    const { view } = (await world.as.admin.get<{ view: { title: string; fields: object[] } }>('/api/console/screens/admin-users-logins'))
      .body.data
    expect(view).toMatchObject({
      title: 'Sign-ins',
      fields: expect.arrayContaining([expect.objectContaining({ key: 'userId' })]) as object[],
    })
    expect((await world.as.officer.get('/api/console/screens/admin-users-logins')).status).toBe(403)
  })
  it('counts logins and new users a day', async () => {
    const logins = await world.as.manager.get<{ loginHistory: { logins: number; users: number }[] }>('/api/users/dashboard/login-history')
    expect(logins.body.data.loginHistory[0]?.logins).toBeGreaterThan(0)
    const fresh = await world.as.manager.get<{ newUsers: { users: number }[]; users: object[] }>('/api/users/dashboard/new-users')
    expect(fresh.body.data.users.length).toBeGreaterThan(1)
    expect(fieldsOf(await world.as.manager.get('/api/users/dashboard/new-users?startDate=yesterday'))).toEqual(['startDate'])
  })
})

describe('screens', () => {
  it('are cut to the caller', async () => {
    const view = await world.as.admin.get<{ view: { actions: { key: string }[]; routes: object; kind: string } }>(
      '/api/console/screens/admin-users-list',
    )
    expect(view.body.data.view).toMatchObject({
      kind: 'list',
      routes: { create: '/admin/users/add', edit: '/admin/users/edit/:id' },
      actions: [
        { key: 'users.impersonate', open: '/impersonate/:id/:userName', visibleIf: { in: ['status', [1, '1']] } },
        { key: 'users.import', open: '/admin/users/import' },
        { key: 'users.invite', many: true },
        { key: 'users.revokeInvitation', many: true },
        { key: 'users.resetSecondFactor', many: true },
        { key: 'users.remove', undo: { path: '/api/users/undelete' } },
      ],
    })
    const managers = await world.as.manager.get<{ view: { actions: object[]; routes: object } }>('/api/console/screens/admin-users-list')
    expect(managers.body.data.view).toMatchObject({ routes: {}, actions: [] })
    expect((await world.as.officer.get('/api/console/screens/admin-users-list')).status).toBe(403)
    expect((await world.as.manager.get('/api/console/screens/admin-users-list-deleted')).status).toBe(403)
    expect((await world.as.admin.get('/api/console/screens/admin-users-list-deleted')).body.data).toMatchObject({
      view: { title: 'Deactivated Users', actions: [{ label: 'Restore' }] },
    })
  })
  it('are in the menu of whoever may open them', async () => {
    const menu = async (client: World['as']['admin']) =>
      (
        await client.get<{ menu: { key: string; hiddenOffline?: boolean; children?: { path: string }[] }[] }>('/api/console')
      ).body.data.menu.find(({ key }) => key === 'administration')
    const all = await menu(world.as.admin)
    expect(all?.hiddenOffline).toBe(true)
    expect(all?.children?.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/admin/users/list',
        '/admin/users/list-deleted',
        '/admin/roles/list',
        '/admin/tenants/list',
        '/admin/settings',
      ]),
    )
    expect((await menu(world.as.manager))?.children?.map(({ path }) => path)).toEqual([
      '/admin/users/list',
      '/admin/users/logins',
      '/admin/sales/assignment-rules',
      '/admin/work-devices',
      '/admin/dead-letters',
      '/admin/conflicts',
    ])
    expect(await menu(world.as.officer)).toBeUndefined()
  })
  it('let forms set roles and tenants', async () => {
    const view = await world.as.admin.get<{ view: { fields: { key: string; readOnly?: boolean; reference?: { path: string } }[] } }>(
      '/api/console/screens/admin-users-edit-id',
    )
    const field = (key: string) => view.body.data.view.fields.find((one) => one.key === key)
    expect(field('roles')).toMatchObject({ kind: 'multiReference', reference: { path: '/api/roles' } })
    expect(field('roles')?.readOnly).toBeUndefined()
    expect(field('tenants')).toMatchObject({ reference: { path: '/api/tenants' } })
  })
})
