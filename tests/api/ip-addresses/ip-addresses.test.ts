import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../../support/app.ts'
import { fieldsOf, makeWorld } from '../world.ts'

const world = await makeWorld()
afterAll(() => world.app.close())
beforeEach(async () => {
  await world.app.database.admin.query('delete from ip_rule')
  world.app.services.changed({ companyId: world.company.id })
})

const office = { name: 'Head office', range: '127.0.0.0/8' }
const away = { name: 'Elsewhere', range: '196.201.214.0/24' }
const path = '/api/ip-addresses'
const rows = (text: string, ...values: unknown[]) =>
  world.app.database.admin.query<{ id: string }>(text, values).then((found) => found.rows)
const roleOf = async (systemRole: string) =>
  (await rows('select id from role where "companyId" = $1 and "systemRole" = $2', world.company.id, systemRole))[0]!.id
const made = async (body: object) => {
  const answer = await world.as.admin.post<{ ipAddress: { Id: string; version: number } }>(path, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.ipAddress
}
const codeOf = async (client: Client) => (await client.get('/api/leads')).body.code

describe('a list of addresses', () => {
  it('holds for everybody of the company at once, and for nobody else', async () => {
    await made(office)
    expect([await codeOf(world.as.officer), await codeOf(world.as.foreign)]).toEqual([undefined, undefined])
    const role = await roleOf('officer')
    await made({ ...away, appliesTo: 'role', roleId: role, mayLockOut: true })
    expect(await codeOf(world.as.officer)).toBe('ADDRESS_FORBIDDEN')
    expect([await codeOf(world.as.manager), await codeOf(world.as.foreign)]).toEqual([undefined, undefined])
    const refused = await world.app.login(world.people.officer)
    expect([refused.status, refused.body.code]).toEqual([403, 'ADDRESS_FORBIDDEN'])
    expect(await rows(`select id from session where "userId" = $1 and "userAgent" <> 'test'`, world.people.officer.id)).toEqual([])
    const ticket = await world.as.officer.post('/api/auth/ticket')
    expect(ticket.body.code).toBe('ADDRESS_FORBIDDEN')
  })

  it('is the narrower one where there are several: a role’s in place of the company’s', async () => {
    await rows(
      `insert into ip_rule ("companyId", "id", "name", "range") values ($1, gen_random_uuid(), 'Elsewhere', '196.201.214.0/24')`,
      world.company.id,
    )
    world.app.services.changed({ companyId: world.company.id })
    expect(await codeOf(world.as.officer)).toBe('ADDRESS_FORBIDDEN')
    await rows(
      `insert into ip_rule ("companyId", "id", "name", "range", "appliesTo", "roleId") values ($1, gen_random_uuid(), 'Field', '0.0.0.0/0', 'role', $2)`,
      world.company.id,
      await roleOf('officer'),
    )
    world.app.services.changed({ companyId: world.company.id })
    expect(await codeOf(world.as.officer)).toBeUndefined()
    expect(await codeOf(world.as.manager)).toBe('ADDRESS_FORBIDDEN')
  })

  it('of an API user holds for its keys, and a forwarded header of its own making changes nothing', async () => {
    const user = await world.as.admin.post<{ apiUser: { Id: string } }>('/api/api-users', {
      firstName: 'Payroll',
      tenants: [world.branch.id],
      permissions: ['SALES/LEADS'],
    })
    const { Id } = user.body.data.apiUser
    const { key } = (await world.as.admin.post<{ key: string }>(`/api/api-users/${Id}/keys`, { name: 'Server' })).body.data
    const system = world.app.client({ authorization: `Bearer ${key}`, 'x-forwarded-for': '196.201.214.7' })
    expect(await codeOf(system)).toBeUndefined()
    await made({ ...away, appliesTo: 'user', userId: Id, mayLockOut: true })
    expect(await codeOf(system)).toBe('ADDRESS_FORBIDDEN')
    expect(await codeOf(world.as.officer)).toBeUndefined()
  })

  it('ends with its last entry, and comes back with it', async () => {
    const role = await roleOf('officer')
    const { Id } = await made({ ...away, appliesTo: 'role', roleId: role, mayLockOut: true })
    expect(await codeOf(world.as.officer)).toBe('ADDRESS_FORBIDDEN')
    expect((await world.as.admin.post(`${path}/delete`, { ids: [Id] })).status).toBe(200)
    expect(await codeOf(world.as.officer)).toBeUndefined()
    expect((await world.as.admin.post(`${path}/restore`, { ids: [Id], mayLockOut: true })).status).toBe(200)
    expect(await codeOf(world.as.officer)).toBe('ADDRESS_FORBIDDEN')
  })

  it('does not count where the operator has switched the lists off', async () => {
    await made({ ...away, appliesTo: 'role', roleId: await roleOf('officer'), mayLockOut: true })
    Object.assign(world.app.services, { hasIpLists: false })
    expect(await codeOf(world.as.officer)).toBeUndefined()
    Object.assign(world.app.services, { hasIpLists: true })
    expect(await codeOf(world.as.officer)).toBe('ADDRESS_FORBIDDEN')
  })
})

describe('who writes one', () => {
  it('never locks himself out, not by adding, changing, deleting or bringing back', async () => {
    const own = await world.as.admin.post(path, { ...away, mayLockOut: true })
    expect([own.status, fieldsOf(own)]).toEqual([422, ['range']])
    expect(own.text).toContain('127.0.0.1')
    const first = await made(office)
    const second = await made(away)
    expect(fieldsOf(await world.as.admin.put(`${path}/${first.Id}`, { range: '10.0.0.0/8', mayLockOut: true }))).toEqual(['range'])
    expect((await world.as.admin.post(`${path}/delete`, { ids: [first.Id] })).status).toBe(422)
    expect((await world.as.admin.post(`${path}/delete`, { ids: [second.Id] })).status).toBe(200)
    expect((await world.as.admin.post(`${path}/delete`, { ids: [first.Id] })).status).toBe(200)
    expect((await world.as.admin.post(`${path}/restore`, { ids: [second.Id] })).status).toBe(422)
    expect(await codeOf(world.as.admin)).toBeUndefined()
  })

  it('reads who would be locked out before they do it, and must confirm it', async () => {
    await rows(
      `insert into login_event ("companyId", "id", "userId", "kind", "ip") values ($1, gen_random_uuid(), $2, 'login', '41.90.64.1')`,
      world.company.id,
      world.people.officer.id,
    )
    // His sessions went with him.
    await rows(`update session set "lastIp" = '41.90.64.1' where "userId" = $1`, world.people.officer.id)
    const refused = await world.as.admin.post(path, office)
    expect([refused.status, fieldsOf(refused)]).toEqual([422, ['mayLockOut']])
    expect(refused.text).toContain('Chidi Officer (41.90.64.1)')
    const dry = await world.as.admin.post<{ lockedOut: object[] }>(`${path}/dry-run`, { range: office.range })
    expect(dry.body.data.lockedOut).toEqual([{ Id: world.people.officer.id, name: 'Chidi Officer', ip: '41.90.64.1' }])
    expect((await world.as.admin.post(`${path}/dry-run`, { range: '41.90.0.0/16' })).text).not.toContain('Chidi')
    await made({ ...office, mayLockOut: true })
    await rows(`update session set "lastIp" = null where "userId" = $1`, world.people.officer.id)
  })

  it('is warned of a change and of a deletion as of a new entry, each time anew', async () => {
    await rows(
      `insert into login_event ("companyId", "id", "userId", "kind", "ip") values ($1, gen_random_uuid(), $2, 'login', '41.90.64.1')`,
      world.company.id,
      world.people.officer.id,
    )
    const home = await made({ ...office, mayLockOut: true })
    const [first, second] = [await made({ name: 'A', range: '41.90.0.0/16' }), await made({ name: 'B', range: '41.90.64.0/24' })]
    const dry = async (body: object) =>
      (await world.as.admin.post<{ message: string; fields: string[]; lockedOut: object[] }>(`${path}/dry-run`, body)).body.data
    const remove = (body: object) => world.as.admin.post(`${path}/delete`, body)
    // Each alone leaves him the other.
    expect((await dry({ ids: [first.Id] })).message).toBe('')
    const both = { ids: [first.Id, second.Id] }
    const warned = await dry(both)
    expect([warned.message, warned.fields]).toEqual([
      'would lock out 1 person who worked from there in the last 60 days: Chidi Officer (41.90.64.1)',
      ['mayLockOut'],
    ])
    const refused = await remove(both)
    expect([refused.status, fieldsOf(refused), refused.text.includes(warned.message)]).toEqual([422, ['mayLockOut'], true])
    // Without any entry everybody may work from anywhere; with only those of elsewhere the caller could not.
    expect((await dry({ ids: [home.Id, ...both.ids] })).message).toBe('')
    expect((await dry({ ids: [home.Id] })).fields).toEqual(['range'])
    expect(fieldsOf(await remove({ ids: [home.Id], mayLockOut: true }))).toEqual(['range'])
    expect((await remove({ ids: [first.Id] })).status).toBe(200)
    const change = { range: '10.0.0.0/8' }
    expect((await dry({ Id: second.Id, ...change })).lockedOut).toHaveLength(1)
    expect(fieldsOf(await world.as.admin.put(`${path}/${second.Id}`, change))).toEqual(['mayLockOut'])
    // Said once, it does not count for the next change.
    expect((await world.as.admin.put(`${path}/${second.Id}`, { name: 'C', mayLockOut: true })).status).toBe(200)
    expect(fieldsOf(await world.as.admin.put(`${path}/${second.Id}`, change))).toEqual(['mayLockOut'])
    expect((await remove({ ids: [second.Id], mayLockOut: true })).status).toBe(200)
    expect(await codeOf(world.as.officer)).toBeUndefined()
  })

  it('is warned of whom a restored entry would lock out, and must confirm that too', async () => {
    const role = await roleOf('officer')
    const { Id } = await made({ ...away, appliesTo: 'role', roleId: role, mayLockOut: true })
    expect((await world.as.admin.post(`${path}/delete`, { ids: [Id] })).status).toBe(200)
    await rows(
      `insert into login_event ("companyId", "id", "userId", "kind", "ip") values ($1, gen_random_uuid(), $2, 'login', '41.90.64.1')`,
      ...[world.company.id, world.people.officer.id],
    )
    const restore = (body: object = {}, by = world.as.admin) => by.post(`${path}/restore`, { ids: [Id], ...body })
    const warned = await restore()
    expect([warned.status, fieldsOf(warned)]).toEqual([422, ['mayLockOut']])
    expect(warned.text).toContain('Chidi Officer (41.90.64.1)')
    expect(await codeOf(world.as.officer)).toBeUndefined()
    expect((await restore({ mayLockOut: true }, world.as.foreign)).status).toBeGreaterThan(400)
    expect((await restore({ mayLockOut: true })).status).toBe(200)
    expect(await codeOf(world.as.officer)).toBe('ADDRESS_FORBIDDEN')
  })

  it('reads from where somebody works now, not only from where he signed in once', async () => {
    const walker = await world.app.make.user({ tenant: world.team, role: 'officer', firstName: 'Wema', lastName: 'Walker' })
    const signedIn = await world.app.login(walker)
    expect(signedIn.status, signedIn.text).toBe(200)
    const refreshed = await world.app.http.inject({
      method: 'POST',
      url: '/api/auth/refresh',
      payload: { refreshToken: (signedIn.body.data as unknown as { refreshToken: string }).refreshToken },
      remoteAddress: '105.161.7.7',
    })
    expect(refreshed.statusCode, refreshed.body).toBe(200)
    // Signed in so long ago that the sign-in itself is no news.
    await rows(`update login_event set "dateCreated" = now() - interval '59 days' where "userId" = $1`, walker.id)
    const lockedOut = async (range: string) =>
      (await world.as.admin.post<{ lockedOut: { name: string; ip: string }[] }>(`${path}/dry-run`, { range })).body.data.lockedOut
        .filter(({ name }) => name === 'Wema Walker')
        .map(({ ip }) => ip)
    expect(await lockedOut('127.0.0.0/8')).toEqual(['105.161.7.7'])
    expect(await lockedOut('0.0.0.0/0')).toEqual([])
    // An ended session tells nothing.
    await rows(`update session set "endedAt" = now() where "userId" = $1`, walker.id)
    expect(await lockedOut('127.0.0.0/8')).toEqual([])
  })

  it('reads of people of the group who work in the company, and of nobody of another group', async () => {
    const { make } = world.app
    const [group, other] = [await make.group({ name: 'Holding' }), await make.group({ name: 'Elsewhere' })]
    await rows('update tenant set "groupId" = $1 where id = $2', group.id, world.company.id)
    const staff = async (company: typeof group, firstName: string) => {
      const user = await make.user({ company, role: 'global', firstName, lastName: 'Global' })
      await rows(
        `insert into login_event ("companyId", "id", "userId", "kind", "ip") values ($1, gen_random_uuid(), $2, 'login', '41.90.77.7')`,
        ...[company.id, user.id],
      )
      return user
    }
    const own = await staff(group, 'Grace')
    await staff(other, 'Olu')
    const named = async () =>
      (await world.as.admin.post<{ lockedOut: { name: string }[] }>(`${path}/dry-run`, { range: office.range })).body.data.lockedOut
        .map(({ name }) => name)
        .filter((name) => name.endsWith('Global'))
    expect(await named()).toEqual(['Grace Global'])
    // A list of their own in the group is narrower, and holds in place of the company's.
    await rows(
      `insert into ip_rule ("companyId", "id", "name", "range", "appliesTo", "userId") values ($1, gen_random_uuid(), 'Own', '41.90.77.7/32', 'user', $2)`,
      ...[group.id, own.id],
    )
    expect(await named()).toEqual([])
  })

  it('gives a range that is one, names of his own company, and has the right to all of it', async () => {
    for (const range of ['', 'x', '196.201.214', '196.201.214.0/33', '300.1.1.1', '0127.0.0.1', '::ffff:1.2.3.4/200'])
      expect([range, fieldsOf(await world.as.admin.post(path, { name: 'x', range }))]).toEqual([range, ['range']])
    expect(fieldsOf(await world.as.admin.post(path, { ...office, appliesTo: 'role' }))).toEqual(['roleId'])
    const foreign = (await rows('select id from role where "companyId" = $1 limit 1', world.stranger.id))[0]!.id
    expect(fieldsOf(await world.as.admin.post(path, { ...office, appliesTo: 'role', roleId: foreign }))).toEqual(['roleId'])
    expect(
      fieldsOf(await world.as.admin.post(path, { ...office, appliesTo: 'user', userId: world.people.officer.id, mayLockOut: true })),
    ).toEqual(['userId'])
    expect((await world.as.manager.post(path, office)).status).toBe(403)
    const { Id } = await made({ ...office, mayLockOut: true })
    for (const answer of [
      await world.as.foreign.get(`${path}/${Id}`),
      await world.as.foreign.put(`${path}/${Id}`, { name: 'x' }),
      await world.as.foreign.post(`${path}/delete`, { ids: [Id] }),
    ])
      expect(answer.status).toBe(404)
  })
})
