import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../support/until.ts'
import type { Client } from '../../support/app.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())
// The clock goes forward in some tests: sessions begin anew in each.
beforeEach(() => signIn())
async function signIn() {
  for (const name of ['admin', 'manager'] as const) world.as[name] = await world.app.as(world.people[name])
}

interface ApiUser {
  Id: string
  firstName: string
  tenants: { Id: string; label: string }[]
  permissions: { hierarchy: string }[]
  keyCount: number
  version: number
}
interface MadeKey {
  Id: string
  key: string
  prefix: string
  expiresAt: string
}
interface Key {
  Id: string
  prefix: string
  state: string
  lastUsedAt: string | null
  lastUsedIp: string | null
  createdBy: string
}

const body = (more: object = {}) => ({
  firstName: 'Payroll',
  tenants: [world.branch.id],
  permissions: ['SALES/LEADS', 'SALES/LEADS/CREATE'],
  ...more,
})
const made = async (more: object = {}, by: Client = world.as.admin) => {
  const answer = await by.post<{ apiUser: ApiUser }>('/api/api-users', body(more))
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.apiUser
}
const keyOf = async ({ Id }: { Id: string }, more: object = {}, by: Client = world.as.admin) => {
  const answer = await by.post<MadeKey>(`/api/api-users/${Id}/keys`, { name: 'Server', ...more })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const bearer = (key: string) => world.app.client({ authorization: `Bearer ${key}` })
const keysOf = async ({ Id }: { Id: string }) => (await world.as.admin.get<{ keys: Key[] }>(`/api/api-users/${Id}/keys`)).body.data.keys

describe('an API user', () => {
  it('reads and writes with its key, as far as its rights and tenants go, and is named in the audit', async () => {
    const payroll = await made()
    expect(payroll).toMatchObject({
      tenants: [{ Id: world.branch.id, label: 'Nairobi' }],
      permissions: [{ hierarchy: 'SALES/LEADS' }, { hierarchy: 'SALES/LEADS/CREATE' }],
    })
    const { key, prefix } = await keyOf(payroll)
    expect(key).toMatch(new RegExp(`^opk_${prefix}_[A-Za-z0-9_-]{43}$`))
    const system = bearer(key)
    const lead = await system.post<{ lead: { Id: string; tenantId: string } }>('/api/leads', {
      firstName: 'Wanjiku',
      lastName: 'Kamau',
      phonenumber: '0712345678',
    })
    expect(lead.status, lead.text).toBe(200)
    expect(lead.body.data.lead.tenantId).toBe(world.branch.id)
    const elsewhere = await world.as.elsewhere.post<{ lead: { Id: string } }>('/api/leads', {
      firstName: 'Otieno',
      lastName: 'Odhiambo',
      phonenumber: '0712345679',
    })
    expect((await system.get(`/api/leads/${elsewhere.body.data.lead.Id}`)).status).toBe(404)
    expect((await system.put(`/api/leads/${lead.body.data.lead.Id}`, { firstName: 'Other' })).body.code).toBe('FORBIDDEN')
    expect((await system.get('/api/roles')).body.code).toBe('FORBIDDEN')
    const { rows } = await world.app.database.admin.query(
      `select "userId" from audit_log where action = 'lead.create' and "objectId" = $1`,
      [lead.body.data.lead.Id],
    )
    expect(rows).toEqual([{ userId: payroll.Id }])
    const seen = await world.as.admin.get<{ lead: { createdByUserIdLabel?: string } }>(`/api/leads/${lead.body.data.lead.Id}`)
    expect(seen.text).toContain('Payroll')
  })

  it('is no person: nobody chooses it, gives it work, or sends it a password', async () => {
    const { Id } = await made({ firstName: 'Invisible' })
    expect((await world.as.admin.get('/api/users?size=500')).text).not.toContain('Invisible')
    expect((await world.as.admin.get(`/api/users/${Id}`)).status).toBe(404)
    expect((await world.as.admin.put(`/api/users/${Id}`, { firstName: 'Taken' })).status).toBe(404)
    expect((await world.as.admin.del('/api/users/delete', { userIds: [Id], leaveWork: true })).status).toBe(404)
    expect((await world.as.admin.get(`/api/api-users/${world.people.officer.id}`)).status).toBe(404)
    const lead = await world.as.admin.post('/api/leads', {
      firstName: 'Amina',
      lastName: 'Yusuf',
      phonenumber: '0712345670',
      assignedToUserId: Id,
    })
    expect(lead.status, lead.text).toBe(422)
    const { rows } = await world.app.database.admin.query<{ emailAddress: string; userName: string }>(
      'select "emailAddress", "userName" from app_user where id = $1',
      [Id],
    )
    expect((await world.as.admin.post('/api/auth/impersonate', { userName: rows[0]!.userName, reason: 'Curious' })).body.code).toBe(
      'IMPERSONATION_FAILED',
    )
    for (const email of [rows[0]!.emailAddress, rows[0]!.userName])
      expect((await world.app.nobody.post('/api/auth/forgot-password', { email })).status).toBe(200)
    const mails = await world.app.database.admin.query(`select 1 from outbox where "payload"::text like $1`, [`%${Id}%`])
    expect(mails.rows).toEqual([])
  })

  it('has no session of its own: what is about one is for people', async () => {
    const system = bearer((await keyOf(await made({ permissions: ['SALES/LEADS'] }))).key)
    const calls = world.app.areas.flatMap(({ routes }) => routes).filter(({ options }) => options.inPerson || options.peopleOnly)
    expect(calls.length).toBeGreaterThan(15)
    for (const { method, path, access } of calls) {
      const address = path.replaceAll(/:\w+/g, randomUUID())
      const answer = await (method === 'GET'
        ? system.get(address)
        : method === 'PUT'
          ? system.put(address, {})
          : method === 'DELETE'
            ? system.del(address, {})
            : system.post(address, {}))
      const isShut = access.kind === 'permission' && !access.anyOf.some((one) => one === 'SALES/LEADS')
      expect([path, answer.body.code]).toEqual([path, isShut ? 'FORBIDDEN' : 'PEOPLE_ONLY'])
    }
  })

  it('passes the same guard as people at every call', async () => {
    const system = bearer((await keyOf(await made({ permissions: ['CRM/REPORTS'] }))).key)
    const calls = world.app.areas
      .flatMap(({ routes }) => routes)
      .filter(({ access }) => access.kind === 'permission' && !access.anyOf.some((one) => one === 'CRM/REPORTS'))
    expect(calls.length).toBeGreaterThan(200)
    for (const { method, path } of calls) {
      const address = path.replaceAll(/:\w+/g, randomUUID())
      const answer = await (method === 'GET'
        ? system.get(address)
        : method === 'PUT'
          ? system.put(address, {})
          : method === 'DELETE'
            ? system.del(address, {})
            : system.post(address, {}))
      expect([`${method} ${path}`, answer.status, answer.body.code]).toEqual([`${method} ${path}`, 403, 'FORBIDDEN'])
    }
  })
})

describe('who makes one', () => {
  it('gives no right he lacks, none that decides who gets in, and no tenant beyond his reach', async () => {
    const { admin, manager, officer, foreign } = world.as
    expect((await admin.post('/api/api-users', body({ permissions: ['ADMIN/API/CREATE'] }))).body.fields).toEqual([
      { field: 'permissions', message: 'ADMIN/API/CREATE: for people only' },
    ])
    expect(fieldsOf(await admin.post('/api/api-users', body({ permissions: ['ADMIN/USERS/IMPERSONATE'] })))).toEqual(['permissions'])
    expect(fieldsOf(await admin.post('/api/api-users', body({ permissions: [] })))).toEqual(['permissions'])
    expect(fieldsOf(await admin.post('/api/api-users', body({ tenants: [] })))).toEqual(['tenants'])
    expect(fieldsOf(await admin.post('/api/api-users', body({ tenants: [world.stranger.id] })))).toEqual(['tenants'])
    expect((await officer.post('/api/api-users', body())).body.code).toBe('FORBIDDEN')
    expect((await manager.get('/api/api-users')).body.code).toBe('FORBIDDEN')
    const { Id } = await made()
    for (const answer of [
      await foreign.get(`/api/api-users/${Id}`),
      await foreign.get(`/api/api-users/${Id}/keys`),
      await foreign.post(`/api/api-users/${Id}/keys`, { name: 'x' }),
      await foreign.put(`/api/api-users/${Id}`, { firstName: 'x' }),
      await foreign.post('/api/api-users/delete', { ids: [Id] }),
    ])
      expect(answer.status).toBe(404)
  })

  it('makes no key of one that may more than he: it would be his way there', async () => {
    const { rows } = await world.app.database.admin.query<{ id: string }>(
      `select id from role where "companyId" = $1 and "systemRole" = 'branch'`,
      [world.company.id],
    )
    const insert = (hierarchy: string) =>
      world.app.database.admin.query('insert into role_permission ("companyId", "roleId", "hierarchy") values ($1, $2, $3)', [
        world.company.id,
        rows[0]!.id,
        hierarchy,
      ])
    for (const hierarchy of ['ADMIN/API', 'ADMIN/API/CREATE', 'ADMIN/API/EDIT', 'ADMIN/API/DELETE']) await insert(hierarchy)
    world.app.services.changed({ companyId: world.company.id })
    const [wider, wholeCompany] = [
      await made({ permissions: ['ADMIN/TENANTS/CREATE'] }),
      await made({ tenants: [world.company.id, world.branch.id] }),
    ]
    for (const { Id } of [wider, wholeCompany]) {
      expect((await world.as.manager.get(`/api/api-users/${Id}`)).status).toBe(200)
      expect((await world.as.manager.post(`/api/api-users/${Id}/keys`, { name: 'Mine' })).body.code).toBe('FORBIDDEN')
      expect((await world.as.manager.put(`/api/api-users/${Id}`, { permissions: ['SALES/LEADS'] })).body.code).toBe('FORBIDDEN')
      expect((await world.as.manager.post('/api/api-users/delete', { ids: [Id] })).body.code).toBe('FORBIDDEN')
      const { Id: key } = await keyOf({ Id })
      expect((await world.as.manager.post(`/api/api-keys/${key}/rotate`, {})).body.code).toBe('FORBIDDEN')
      expect((await world.as.manager.post(`/api/api-keys/${key}/revoke`)).body.code).toBe('FORBIDDEN')
    }
    const own = await made({ permissions: ['SALES/LEADS'] }, world.as.manager)
    expect((await bearer((await keyOf(own, {}, world.as.manager)).key).get('/api/leads')).status).toBe(200)
    expect((await world.as.elsewhere.get(`/api/api-users/${own.Id}`)).status).toBe(403)
  })
})

describe('a key', () => {
  it('is stored as a hash only, and says when and from where it was used last', async () => {
    const owner = await made()
    const { key, prefix } = await keyOf(owner)
    expect(JSON.stringify(await keysOf(owner))).not.toContain(key)
    const dump = await world.app.database.admin.query(
      'select k::text, (select string_agg(a::text, $1) from audit_log a) as log from api_key k',
      [' '],
    )
    expect(JSON.stringify(dump.rows)).not.toContain(key.slice(13))
    expect((await bearer(key).get('/api/leads')).status).toBe(200)
    await until(async () => (await keysOf(owner))[0]?.lastUsedAt != null)
    expect(await keysOf(owner)).toMatchObject([{ prefix, state: 'valid', lastUsedIp: '127.0.0.1', createdBy: 'Asha Admin' }])
  })

  it('ends by its time, by revoking, and with its API user, and comes back with it', async () => {
    const owner = await made()
    const [short, long, other] = [await keyOf(owner, { days: 1 }), await keyOf(owner, { days: 730 }), await keyOf(owner)]
    for (const { key } of [short, long, other]) expect((await bearer(key).get('/api/leads')).status).toBe(200)
    expect((await world.as.admin.post(`/api/api-keys/${other.Id}/revoke`)).status).toBe(200)
    expect((await bearer(other.key).get('/api/leads')).body.code).toBe('NO_SESSION')
    expect((await world.as.admin.post(`/api/api-keys/${other.Id}/revoke`)).status).toBe(404)
    world.app.clock.move(86_401)
    await signIn()
    expect((await bearer(short.key).get('/api/leads')).body.code).toBe('NO_SESSION')
    expect((await bearer(long.key).get('/api/leads')).status).toBe(200)
    expect((await world.as.admin.post('/api/api-users/delete', { ids: [owner.Id] })).status).toBe(200)
    expect((await bearer(long.key).get('/api/leads')).status).toBe(401)
    expect((await world.as.admin.post('/api/api-users/restore', { ids: [owner.Id] })).status).toBe(200)
    expect((await bearer(long.key).get('/api/leads')).status).toBe(200)
  })

  it('is replaced without a gap: old and new work side by side for the hours that were said', async () => {
    const owner = await made()
    const old = await keyOf(owner)
    const rotated = await world.as.admin.post<MadeKey>(`/api/api-keys/${old.Id}/rotate`, { overlapHours: 1 })
    expect(rotated.status, rotated.text).toBe(200)
    for (const { key } of [old, rotated.body.data]) expect((await bearer(key).get('/api/leads')).status).toBe(200)
    world.app.clock.move(3_601)
    await signIn()
    expect((await bearer(old.key).get('/api/leads')).body.code).toBe('NO_SESSION')
    expect((await bearer(rotated.body.data.key).get('/api/leads')).status).toBe(200)
    const again = await world.as.admin.post<MadeKey>(`/api/api-keys/${rotated.body.data.Id}/rotate`, { overlapHours: 0 })
    expect((await bearer(rotated.body.data.key).get('/api/leads')).body.code).toBe('NO_SESSION')
    expect((await bearer(again.body.data.key).get('/api/leads')).status).toBe(200)
    const timeline = await world.as.admin.get<{ timeline: { what: string }[] }>(`/api/api-users/${owner.Id}/timeline`)
    expect(timeline.body.data.timeline.map(({ what }) => what)).toEqual(expect.arrayContaining(['Key created', 'Key replaced']))
  })

  it('has bounds: ten a user however many ask at once, two years, and a name', async () => {
    const owner = await made()
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, place) => world.as.admin.post(`/api/api-users/${owner.Id}/keys`, { name: `Key ${place}` })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array<number>(10).fill(200), ...Array<number>(4).fill(409)])
    expect(fieldsOf(await world.as.admin.post(`/api/api-users/${owner.Id}/keys`, { name: ' ', days: 731 }))).toEqual(['days', 'name'])
    for (const overlapHours of [169, true, '0x10', '1e1', []])
      expect(fieldsOf(await world.as.admin.post(`/api/api-keys/${randomUUID()}/rotate`, { overlapHours }))).toEqual(['overlapHours'])
  })

  it('is refused when it is made up, cut, or of another shape', async () => {
    const { key } = await keyOf(await made())
    for (const wrong of [
      `${key}a`,
      key.slice(0, -1),
      key.replace('opk_', 'opk-'),
      key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      `opk_ABCDEFGH_${'A'.repeat(43)}`,
    ])
      expect([wrong, (await bearer(wrong).get('/api/leads')).body.code]).toEqual([wrong, 'NO_SESSION'])
  })

  it('works under fewer rights as soon as they are fewer', async () => {
    const owner = await made()
    const { key } = await keyOf(owner)
    expect((await bearer(key).get('/api/leads')).status).toBe(200)
    const saved = await world.as.admin.put<{ apiUser: ApiUser }>(`/api/api-users/${owner.Id}`, { permissions: ['CRM/REPORTS'] })
    expect(saved.status, saved.text).toBe(200)
    expect((await bearer(key).get('/api/leads')).body.code).toBe('FORBIDDEN')
  })
})
