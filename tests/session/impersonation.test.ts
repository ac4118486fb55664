import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SystemRoleKey } from '@outpost/contract/roles'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { testApp, type SignedInClient, type SignedInData, type TestApp } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'

let app: TestApp
let company: MadeTenant
let branch: MadeTenant
let admin: MadeUser
let officer: MadeUser

beforeAll(async () => {
  app = await testApp({ areas: (machine) => [authArea(machine)] })
  company = await app.make.company()
  branch = await app.make.tenant({ company })
  admin = await app.make.user({ company, role: 'admin' })
  officer = await app.make.user({ role: 'officer', tenant: branch })
})
afterAll(() => app.close())

const native = { 'x-native': '1' }
const start = (client: SignedInClient, target: MadeUser, reason = 'helping with a lead') =>
  client.post<SignedInData>('/api/auth/impersonate', { userName: target.userName, reason }, native)
const bearer = (token: string) => app.client({ authorization: `Bearer ${token}` })

async function acts(action: string): Promise<{ userId: string; realUserId: string; objectId: string; after: Record<string, unknown> }[]> {
  return (await app.database.admin.query('select * from audit_log where action = $1 order by seq', [action])).rows
}

describe('impersonating', () => {
  it('gives a session of the target that names who is behind it, for 30 minutes', async () => {
    const { status, body } = await start(await app.as(admin), officer)
    expect(status).toBe(200)
    const layout = await bearer(body.data.token).get<{
      user: { Id: string }
      realUser: { Id: string }
      impersonation: { reason: string; endsAt: string }
    }>('/api/console')
    expect(layout.body.data).toMatchObject({
      user: { Id: officer.id },
      realUser: { Id: admin.id },
      impersonation: { reason: 'helping with a lead' },
    })
    const minutes = (new Date(layout.body.data.impersonation.endsAt).getTime() - app.clock.now()) / 60_000
    expect(minutes).toBeGreaterThan(29)
    expect(minutes).toBeLessThanOrEqual(30)
  })

  it('logs both people and notifies the target', async () => {
    const client = await app.as(admin)
    const { body } = await start(client, officer, 'a reason of its own')
    await bearer(body.data.token).post('/api/auth/end-impersonation', {}, native)
    const [begun] = (await acts('impersonation.start')).filter(({ after }) => after.reason === 'a reason of its own')
    expect(begun).toMatchObject({ userId: admin.id, objectId: officer.id })
    expect((await acts('impersonation.end')).at(-1)).toMatchObject({ userId: officer.id, realUserId: admin.id, objectId: officer.id })
    const { rows } = await app.database.admin.query('select message, link from notification where "userId" = $1', [officer.id])
    expect(rows.map(({ message }) => message).join()).toContain('works in your name for up to 30 minutes: a reason of its own')
    expect(rows.map(({ link }) => link)).toContain('/profile/sign-ins')
  })

  it('needs a reason', async () => {
    const client = await app.as(admin)
    for (const reason of [undefined, '', '  ', 'ab', 'x'.repeat(301)]) {
      const { status, body } = await client.post('/api/auth/impersonate', { userName: officer.userName, reason })
      expect(status).toBe(422)
      expect(body.fields).toEqual([
        {
          field: 'reason',
          message: reason === undefined ? 'is required' : 'must say why you work as this user, in 3 to 300 characters; the user is told',
        },
      ])
    }
  })

  it('is refused for oneself, strangers, the unknown, the deactivated, other companies', async () => {
    const client = await app.as(admin)
    const stranger = await app.make.user({ role: 'officer' })
    const off = await app.make.user({ company, role: 'officer', status: 0 })
    for (const target of [admin, stranger, off, { ...officer, userName: 'nobody' }]) {
      const { status, body } = await start(client, target)
      expect([status, body.code, body.message]).toEqual([403, 'IMPERSONATION_FAILED', 'Impersonation Failed'])
    }
  })
})

describe('no way up', () => {
  const roles: SystemRoleKey[] = [
    'admin',
    'company-admin',
    'officer',
    'credit',
    'leader',
    'branch',
    'regional',
    'zonal',
    'sales',
    'product',
    'md',
  ]

  it('role by role: only who holds the permission, only towards fewer rights, never to an administrator', async () => {
    const users = await Promise.all(roles.map((role) => app.make.user({ company, role })))
    const rights = await Promise.all(
      users.map(async (user) => {
        const identity = await app.services.identities.load({ companyId: company.id, userId: user.id, sessionId: null, tenantId: null })
        return identity.permissions
      }),
    )
    const surprises: string[] = []
    let allowed = 0
    for (const [from, actor] of users.entries()) {
      const client = await app.as(actor)
      for (const [to, target] of users.entries()) {
        const [own, theirs] = [rights[from] ?? new Set<string>(), rights[to] ?? new Set<string>()]
        const isWithin = [...theirs].every((permission) => own.has(permission))
        const isExpected = own.has('ADMIN/USERS/IMPERSONATE') && isWithin && to > 1 && from !== to
        const { status } = await start(client, target)
        if (status === 200) allowed += 1
        if ((status === 200) !== isExpected) surprises.push(`${roles[from]} -> ${roles[to]}: ${status}`)
      }
    }
    expect(surprises).toEqual([])
    expect(allowed).toBeGreaterThanOrEqual(18)
  })

  it('an administrator of a branch does not become somebody of another branch', async () => {
    const local = await app.make.role({ company, name: 'Helper', permissions: ['ADMIN/USERS/IMPERSONATE', 'SALES/LEADS'] })
    const small = await app.make.role({ company, name: 'Small', permissions: ['SALES/LEADS'] })
    const helper = await app.make.user({ tenant: branch, roles: [local] })
    const near = await app.make.user({ tenant: branch, roles: [small] })
    const far = await app.make.user({ tenant: await app.make.tenant({ company }), roles: [small] })
    const client = await app.as(helper)
    expect((await start(client, near)).status).toBe(200)
    expect((await start(client, far)).status).toBe(403)
  })

  it('nobody becomes somebody who may more', async () => {
    const local = await app.make.role({ company, name: 'Desk', permissions: ['ADMIN/USERS/IMPERSONATE', 'SALES/LEADS'] })
    const [less, more] = [
      await app.make.role({ company, name: 'Less', permissions: ['SALES/LEADS'] }),
      await app.make.role({ company, name: 'More', permissions: ['SALES/LEADS', 'CRM/REPORTS'] }),
    ]
    const client = await app.as(await app.make.user({ company, roles: [local] }))
    expect((await start(client, await app.make.user({ company, roles: [less] }))).status).toBe(200)
    expect((await start(client, await app.make.user({ company, roles: [more] }))).status).toBe(403)
    expect((await start(client, await app.make.user({ company, roles: [less], permissions: ['ADMIN/SETTINGS'] }))).status).toBe(403)
  })

  it('a global administrator becomes users of the chosen company, not of another', async () => {
    const group = await app.make.group()
    const [one, other] = [await app.make.company({ group, name: 'A one' }), await app.make.company({ group, name: 'B other' })]
    const global = await app.make.user({ company: group, role: 'global' })
    const [here, there] = [await app.make.user({ company: one, role: 'md' }), await app.make.user({ company: other, role: 'md' })]
    const client = await app.as(global, { tenant: one })
    expect((await start(client, here)).status).toBe(200)
    expect((await start(client, there)).status).toBe(403)
  })
})

describe('while impersonating', () => {
  it('no second impersonation, device, session or token call', async () => {
    const { body } = await start(await app.as(admin), officer)
    const client = bearer(body.data.token)
    const calls = [
      await client.post('/api/auth/impersonate', { userName: admin.userName, reason: 'once more' }),
      await client.post('/api/auth/token', { email: officer.emailAddress, token: 'x' }),
      await client.post('/api/auth/device', { deviceId: '0b9f5e0a-3f4e-4f6e-9d6a-111111111111', password: officer.password }),
      await client.post('/api/auth/sessions/end', { others: true }),
    ]
    // The officer lacks the permission anyway, so the guard is the one to refuse the first.
    expect(calls.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(calls.slice(1).map(({ body: { code } }) => code)).toEqual(['WHILE_IMPERSONATING', 'WHILE_IMPERSONATING', 'WHILE_IMPERSONATING'])
  })

  it('a target who may impersonate does not help: nesting is refused', async () => {
    const deputy = await app.make.role({ company, name: 'Deputy', permissions: ['ADMIN/USERS/IMPERSONATE', 'SALES/LEADS'] })
    const target = await app.make.user({ company, roles: [deputy] })
    const { body } = await start(await app.as(admin), target)
    const nested = await bearer(body.data.token).post('/api/auth/impersonate', { userName: officer.userName, reason: 'once more' })
    expect([nested.status, nested.body.code]).toEqual([403, 'WHILE_IMPERSONATING'])
  })

  it('dies with the session, the account and the right of the one who started it', async () => {
    const endings: Record<string, (client: SignedInClient) => Promise<unknown>> = {
      session: (client) => client.get('/api/auth/logout'),
      account: ({ user }) => app.database.admin.query('update app_user set status = 0 where id = $1', [user.id]),
      right: ({ user }) => app.database.admin.query('delete from user_role where "userId" = $1', [user.id]),
    }
    for (const [name, end] of Object.entries(endings)) {
      const client = await app.as(await app.make.user({ company, role: 'admin' }))
      const { body } = await start(client, officer)
      expect((await bearer(body.data.token).get('/api/auth/sessions')).status, name).toBe(200)
      await end(client)
      app.clock.move(5)
      expect((await bearer(body.data.token).get('/api/auth/sessions')).status, name).toBe(401)
      expect((await app.nobody.post('/api/auth/refresh', { refreshToken: body.data.refreshToken })).status, name).toBe(401)
    }
  })

  it('is over after 30 minutes however often it is refreshed', async () => {
    const { body } = await start(await app.as(admin), officer)
    let { refreshToken, token } = body.data
    for (const minutes of [9, 9, 9]) {
      app.clock.move(minutes * 60)
      const next = await app.nobody.post<SignedInData>('/api/auth/refresh', { refreshToken })
      expect(next.status).toBe(200)
      ;({ refreshToken, token } = next.body.data)
    }
    app.clock.move(3 * 60 + 1)
    expect((await bearer(token).get('/api/auth/sessions')).status).toBe(401)
    expect((await app.nobody.post('/api/auth/refresh', { refreshToken })).status).toBe(401)
  })

  it('logout ends it, and only it', async () => {
    const client = await app.as(admin)
    const { body } = await start(client, officer)
    const out = await bearer(body.data.token).get('/api/auth/logout')
    expect(out.body.data).toEqual({ impersonationEnded: true })
    expect((await bearer(body.data.token).get('/api/auth/sessions')).status).toBe(401)
    expect((await client.get('/api/auth/sessions')).status).toBe(200)
  })

  it('leaves the target’s chosen tenant alone', async () => {
    const team = await app.make.tenant({ parent: branch })
    const md = await app.make.user({ company, role: 'md' })
    const { body } = await start(await app.as(admin), md)
    expect((await bearer(body.data.token).post('/api/auth/select-tenant', { tenantId: team.id })).status).toBe(200)
    const { rows } = await app.database.admin.query('select "selectedTenantId" from app_user where id = $1', [md.id])
    expect(rows[0].selectedTenantId).toBeNull()
  })
})

describe('in a browser', () => {
  const page = { 'x-ui-version': '0.9.9', origin: 'http://outpost.test', 'sec-fetch-site': 'same-origin' }

  it('a reload goes on impersonating, ending it gives the own session back', async () => {
    const own = await app.nobody.post<SignedInData>('/api/auth/login', { email: admin.emailAddress, password: admin.password }, page)
    const jar: Record<string, string> = { ...own.cookies }
    const send = async (path: string, token: string | undefined, body: unknown = {}) => {
      const cookie = Object.entries(jar)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => `${name}=${value}`)
        .join('; ')
      const answer = await app.nobody.post<SignedInData>(path, body, {
        ...page,
        cookie,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      })
      Object.assign(jar, answer.cookies)
      return answer
    }
    const child = await send('/api/auth/impersonate', own.body.data.token, { userName: officer.userName, reason: 'helping' })
    expect(child.text).not.toContain('refreshToken')
    const reloaded = await send('/api/auth/refresh', undefined)
    expect(reloaded.body.data).toMatchObject({ user: { Id: officer.id }, impersonation: { reason: 'helping' } })
    const ended = await send('/api/auth/end-impersonation', reloaded.body.data.token)
    expect(ended.body.data).toMatchObject({ ended: true, user: { Id: admin.id } })
    expect(jar['outpost-as']).toBe('')
    expect((await send('/api/auth/refresh', undefined)).body.data.user.Id).toBe(admin.id)
  })

  it('a reload after the 30 minutes is the own session again, which did not fall asleep', async () => {
    const own = await app.nobody.post<SignedInData>('/api/auth/login', { email: admin.emailAddress, password: admin.password }, page)
    const child = await app.nobody.post<SignedInData>(
      '/api/auth/impersonate',
      { userName: officer.userName, reason: 'helping' },
      { ...page, authorization: `Bearer ${own.body.data.token}`, cookie: `outpost=${own.cookies.outpost}` },
    )
    app.clock.move(20 * 60)
    const middle = await app.nobody.post(
      '/api/auth/refresh',
      {},
      { ...page, cookie: `outpost=${own.cookies.outpost}; outpost-as=${child.cookies['outpost-as']}` },
    )
    expect(middle.status).toBe(200)
    app.clock.move(20 * 60)
    const late = await app.nobody.post<SignedInData>(
      '/api/auth/refresh',
      {},
      { ...page, cookie: `outpost=${own.cookies.outpost}; outpost-as=${middle.cookies['outpost-as']}` },
    )
    expect(late.body.data.user.Id).toBe(admin.id)
    expect(late.cookies['outpost-as']).toBe('')
  })
})

describe('logImpersonation', () => {
  it('believes only what really happens', async () => {
    const client = await app.as(admin)
    const body = { adminId: admin.id, impersonateId: officer.id }
    const fresh = await app.make.user({ company, role: 'officer' })
    expect((await client.post('/api/auth/logImpersonation', { ...body, impersonateId: fresh.id, state: 'ended' })).status).toBe(403)
    expect((await client.post('/api/auth/logImpersonation', { ...body, state: 'in-progress' })).status).toBe(403)
    const child = bearer((await start(client, officer)).body.data.token)
    expect((await child.post('/api/auth/logImpersonation', { ...body, state: 'in-progress' })).status).toBe(200)
    expect(
      (await child.post('/api/auth/logImpersonation', { adminId: fresh.id, impersonateId: officer.id, state: 'in-progress' })).status,
    ).toBe(403)
    expect(
      (await child.post('/api/auth/logImpersonation', { adminId: admin.id, impersonateId: fresh.id, state: 'in-progress' })).status,
    ).toBe(403)
    await child.post('/api/auth/end-impersonation', {}, native)
    expect((await client.post('/api/auth/logImpersonation', { ...body, state: 'ended' })).status).toBe(200)
    expect((await client.post('/api/auth/logImpersonation', { ...body, state: 'over' })).status).toBe(422)
  })
})
