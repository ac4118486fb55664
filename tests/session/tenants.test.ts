import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '@outpost/platform/db/sql'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { anySession, defineArea, may, route } from '../../apps/server/src/kernel/area.ts'
import { command, noInput, query } from '../../apps/server/src/kernel/resource/operations.ts'
import { makeJobCtx } from '../../apps/server/src/kernel/session/jobs.ts'
import { issueTicket, redeemTicket, renewCtx } from '../../apps/server/src/kernel/session/tokens/ticket.ts'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'
import { testApp, type TestApp } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'

interface Where {
  company: string
  tenant: string
  scope: '*' | string[]
  leads: number
}

/** Says where the caller works, and counts what the database lets through. */
const probe = defineArea({
  name: 'probe',
  routes: [
    route(
      'probe.where',
      'GET',
      '/api/probe/where',
      anySession,
      query(noInput, async (ctx) => {
        const { count } = await ctx.sql.one<{ count: number }>(sql`select count(*) as count from lead`)
        return { data: { company: ctx.company.id, tenant: ctx.tenant.id, scope: ctx.scope, leads: count } }
      }),
    ),
    route(
      'probe.users',
      'GET',
      '/api/probe/users',
      may('ADMIN/USERS'),
      query(noInput, () => ({ data: {} })),
    ),
    route(
      'probe.write',
      'POST',
      '/api/probe/write',
      anySession,
      command(noInput, () => ({ data: {} })),
    ),
  ],
})

let app: TestApp
let company: MadeTenant
let north: MadeTenant
let south: MadeTenant
let team: MadeTenant
let stranger: MadeTenant

beforeAll(async () => {
  app = await testApp({ areas: (machine) => [authArea(machine), probe] })
  company = await app.make.company()
  ;[north, south] = [await app.make.tenant({ company }), await app.make.tenant({ company })]
  team = await app.make.tenant({ parent: north })
  stranger = await app.make.company()
  for (const tenant of [north, south, team, stranger]) await app.make.lead({ tenant })
})
afterAll(() => app.close())

async function where(user: MadeUser, tenant?: { id: string }): Promise<Where | string> {
  const { status, body } = await (await app.as(user, tenant ? { tenant } : {})).get<Where & Record<string, unknown>>('/api/probe/where')
  return status === 200 ? body.data : `${status} ${body.code}`
}

describe('the tenant of a request', () => {
  it('at the company: all of it, nothing of a stranger', async () => {
    const user = await app.make.user({ company, role: 'md' })
    expect(await where(user)).toEqual({ company: company.id, tenant: company.id, scope: '*', leads: 3 })
  })

  it('in a branch: the branch and all below', async () => {
    const user = await app.make.user({ tenant: north, role: 'branch' })
    expect(await where(user)).toMatchObject({ tenant: north.id, scope: expect.arrayContaining([north.id, team.id]), leads: 2 })
    expect(await where(user, team)).toMatchObject({ tenant: team.id, scope: [team.id], leads: 1 })
  })

  it('x-tenant-id takes only the own tenants and what is below them', async () => {
    const user = await app.make.user({ tenant: north, role: 'branch' })
    for (const id of [south.id, company.id, stranger.id, randomUUID(), 'x', "' or 1=1", `${north.id}'`]) {
      expect(await where(user, { id }), id).toBe('403 TENANT_FORBIDDEN')
    }
    expect(await where(user, { id: north.id.toUpperCase() })).toMatchObject({ tenant: north.id })
  })

  it('without the header: the selected one, else the first', async () => {
    const user = await app.make.user({ tenants: [south, north], role: 'md' })
    expect(await where(user)).toMatchObject({ tenant: south.id })
    const client = await app.as(user)
    expect((await client.post('/api/auth/select-tenant', { tenantId: team.id })).body.data).toMatchObject({
      selectedTenant: { Id: team.id },
    })
    expect(await where(user)).toMatchObject({ tenant: team.id })
    expect((await client.post('/api/auth/select-tenant', { tenantId: stranger.id })).body.code).toBe('TENANT_FORBIDDEN')
    await app.database.admin.query('update tenant set status = 0 where id = $1', [team.id])
    app.clock.move(5)
    expect(await where(user)).toMatchObject({ tenant: south.id })
    await app.database.admin.query('update tenant set status = 1 where id = $1', [team.id])
  })

  it('loan officers and team leaders keep theirs', async () => {
    for (const role of ['officer', 'leader'] as const) {
      const client = await app.as(await app.make.user({ tenants: [north, south], role }))
      expect((await client.post('/api/auth/select-tenant', { tenantId: south.id })).body.code).toBe('FORBIDDEN')
    }
  })

  it('a user without any living tenant works nowhere', async () => {
    const gone = await app.make.tenant({ company, deletedAt: new Date() })
    expect(await where(await app.make.user({ tenant: gone, role: 'md' }))).toBe('403 TENANT_FORBIDDEN')
  })

  it('a tenant of another company in the list of a user counts for nothing', async () => {
    const user = await app.make.user({ tenants: [north, stranger], role: 'md' })
    expect(await where(user, stranger)).toBe('403 TENANT_FORBIDDEN')
  })
})

describe('a group', () => {
  it('works in one of its companies at a time; the group itself means the first', async () => {
    const group = await app.make.group()
    const [beta, alpha] = [await app.make.company({ group, name: 'Beta' }), await app.make.company({ group, name: 'Alpha' })]
    const branch = await app.make.tenant({ company: beta })
    const user = await app.make.user({ company: group, role: 'global' })
    expect(await where(user)).toMatchObject({ company: alpha.id, tenant: alpha.id, scope: '*' })
    expect(await where(user, group)).toMatchObject({ company: alpha.id })
    expect(await where(user, beta)).toMatchObject({ company: beta.id, scope: '*' })
    expect(await where(user, branch)).toMatchObject({ company: beta.id, tenant: branch.id, scope: [branch.id] })
    expect(await where(user, company)).toBe('403 TENANT_FORBIDDEN')
    expect(await where(user, stranger)).toBe('403 TENANT_FORBIDDEN')
  })

  it('a global administrator passes permissions, and every access is on record: once a minute, each write', async () => {
    const group = await app.make.group()
    const one = await app.make.company({ group })
    const client = await app.as(await app.make.user({ company: group, role: 'global' }), { tenant: one })
    // No minute turns meanwhile.
    app.clock.stand()
    expect((await client.get('/api/probe/users')).status).toBe(200)
    for (let turn = 0; turn < 3; turn += 1) await client.get('/api/probe/where')
    await client.post('/api/probe/write', {})
    await client.post('/api/probe/write', {})
    const { rows } = await app.database.admin.query<{ action: string; after: { path: string } }>(
      'select action, after from audit_log where "companyId" = $1 order by seq',
      [one.id],
    )
    expect(rows.map(({ action }) => action)).toEqual(['global.access', 'global.write', 'global.write'])
    app.clock.move(60)
    await client.get('/api/probe/where')
    const again = await app.database.admin.query('select 1 from audit_log where "companyId" = $1', [one.id])
    expect(again.rowCount).toBe(4)
  })

  it('a role called " Global ADMINISTRATOR " counts as one, inside its own company only', async () => {
    const role = await app.make.role({ company, name: ' Global ADMINISTRATOR ' })
    const user = await app.make.user({ company, roles: [role] })
    expect((await (await app.as(user)).get('/api/probe/users')).status).toBe(200)
    expect(await where(user, stranger)).toBe('403 TENANT_FORBIDDEN')
  })
})

describe('stale rights', () => {
  const within5s = async (change: (user: MadeUser) => Promise<unknown>, path = '/api/probe/users') => {
    const user = await app.make.user({ company, role: 'admin' })
    const client = await app.as(user)
    expect((await client.get(path)).status).toBe(200)
    await change(user)
    app.clock.move(5)
    const { status, body } = await client.get(path)
    return `${status} ${body.code}`
  }
  const admin = (text: string) => (user: MadeUser) => app.database.admin.query(text, [user.id])

  it('are gone after five seconds at the latest', async () => {
    expect(await within5s(admin('update app_user set status = 0 where id = $1'))).toBe('401 USER_DISABLED')
    expect(await within5s(admin('update app_user set "deletedAt" = now() where id = $1'))).toBe('401 USER_DISABLED')
    expect(await within5s(admin('delete from user_role where "userId" = $1'))).toBe('403 FORBIDDEN')
    expect(await within5s(admin('delete from user_tenant where "userId" = $1'))).toBe('403 TENANT_FORBIDDEN')
    expect(await within5s(admin('update session set version = 2 where "userId" = $1'))).toBe('401 SESSION_EXPIRED')
    expect(await within5s(admin('update session set "endedAt" = now() where "userId" = $1'))).toBe('401 SESSION_EXPIRED')
    expect(await within5s(admin('delete from session where "userId" = $1'))).toBe('401 NO_SESSION')
  })

  it('are gone at once when the change is announced', async () => {
    const user = await app.make.user({ company, role: 'admin' })
    const client = await app.as(user)
    expect((await client.get('/api/probe/users')).status).toBe(200)
    await app.database.admin.query('delete from user_role where "userId" = $1', [user.id])
    expect((await client.get('/api/probe/users')).status).toBe(200)
    app.services.changed({ companyId: company.id, userId: user.id })
    expect((await client.get('/api/probe/users')).status).toBe(403)
  })

  it('permissions are exact paths: SALES does not give SALES/LEADS, in any case of letters', async () => {
    const [upper, above] = [
      await app.make.role({ company, name: 'Mixed', permissions: ['admin/Users'] }),
      await app.make.role({ company, name: 'Above', permissions: ['ADMIN', 'ADMIN/USERS/CREATE'] }),
    ]
    expect((await (await app.as(await app.make.user({ company, roles: [upper] }))).get('/api/probe/users')).status).toBe(200)
    expect((await (await app.as(await app.make.user({ company, roles: [above] }))).get('/api/probe/users')).status).toBe(403)
    const own = await app.make.user({ company, roles: [above], permissions: ['admin/users'] })
    expect((await (await app.as(own)).get('/api/probe/users')).status).toBe(200)
  })
})

describe('logging out', () => {
  it('ends the session at once, needs the header, and leaves other sessions alone', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const [one, two] = [await app.as(user), await app.as(user)]
    expect((await app.nobody.get('/api/auth/logout', { cookie: 'outpost=x', 'sec-fetch-mode': 'navigate' })).status).toBe(401)
    expect((await one.get('/api/auth/logout')).status).toBe(200)
    expect((await one.get('/api/auth/sessions')).body.code).toBe('SESSION_EXPIRED')
    expect((await two.get('/api/auth/sessions')).status).toBe(200)
  })
})

describe('jobs and sockets', () => {
  it('a job works with the rights its person has now', async () => {
    const user = await app.make.user({ tenant: north, role: 'branch' })
    const ctx = await makeJobCtx(app.services, { companyId: company.id, userId: user.id })
    expect(ctx).toMatchObject({ company: { id: company.id }, tenant: { id: north.id }, isGlobalAdministrator: false })
    await expect(makeJobCtx(app.services, { companyId: company.id, userId: user.id, tenantId: south.id })).rejects.toMatchObject({
      failure: 'TENANT_FORBIDDEN',
    })
    await expect(makeJobCtx(app.services, { companyId: stranger.id, userId: user.id })).rejects.toMatchObject({ failure: 'USER_DISABLED' })
    await app.database.admin.query('update app_user set status = 0 where id = $1', [user.id])
    app.clock.move(5)
    await expect(makeJobCtx(app.services, { companyId: company.id, userId: user.id })).rejects.toMatchObject({ failure: 'USER_DISABLED' })
  })

  it('a job of the program, or of somebody of the group, stays in its company', async () => {
    const count = async (ctx: Ctx) => (await ctx.sql.one<{ count: number }>(sql`select count(*) as count from lead`)).count
    expect(await count(await makeJobCtx(app.services, { companyId: company.id, userId: null }))).toBe(3)
    const group = await app.make.group()
    const [one, two] = [await app.make.company({ group }), await app.make.company({ group })]
    const user = await app.make.user({ company: group, role: 'global' })
    expect((await makeJobCtx(app.services, { companyId: two.id, userId: user.id })).company.id).toBe(two.id)
    expect((await makeJobCtx(app.services, { companyId: one.id, userId: user.id })).company.id).toBe(one.id)
  })

  it('a ticket opens one socket, within 30 seconds, in the caller’s tenant', async () => {
    const user = await app.make.user({ tenant: north, role: 'branch' })
    const client = await app.as(user, { tenant: team })
    const fresh = async () => (await client.post<{ ticket: string }>('/api/auth/ticket', {})).body.data.ticket
    const open = (ticket: string) => redeemTicket({ ticket, ip: null, log: app.machine.log }, app.services)
    const ticket = await fresh()
    const ctx = await open(ticket)
    expect(ctx).toMatchObject({ user: { id: user.id }, tenant: { id: team.id }, sessionId: client.sessionId })
    await expect(open(ticket)).rejects.toMatchObject({ failure: 'NO_SESSION' })
    const late = await fresh()
    app.clock.move(31)
    await expect(open(late)).rejects.toMatchObject({ failure: 'NO_SESSION' })
    await expect(open(client.token)).rejects.toMatchObject({ failure: 'NO_SESSION' })
    expect((await renewCtx(ctx, app.services)).sessionId).toBe(client.sessionId)
    const last = await issueTicket(ctx, app.services)
    await client.get('/api/auth/logout')
    await expect(open(last)).rejects.toMatchObject({ failure: 'SESSION_EXPIRED' })
    await expect(renewCtx(ctx, app.services)).rejects.toMatchObject({ failure: 'SESSION_EXPIRED' })
  })
})

describe('ctx.transaction', () => {
  it('undoes an inner one alone, and runs effects only after the outermost commit', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const ctx = await makeJobCtx(app.services, { companyId: company.id, userId: user.id })
    const seen: string[] = []
    const add = (on: Ctx, name: string) =>
      on.sql.exec(
        sql`insert into language_label ("companyId", "id", "label", "value") values (${company.id}::uuid, uuidv7(), ${name}, 'x')`,
      )
    await ctx.transaction(async (outer) => {
      await add(outer, 'outer')
      outer.afterCommit(() => void seen.push('outer'))
      await expect(
        outer.transaction(async (inner) => {
          await add(inner, 'inner')
          inner.afterCommit(() => void seen.push('inner'))
          throw new Error('no')
        }),
      ).rejects.toThrow('no')
      await outer.transaction(async (inner) => {
        await add(inner, 'second')
        inner.afterCommit(() => void seen.push('second'))
      })
      expect(seen).toEqual([])
    })
    expect(seen).toEqual(['outer', 'second'])
    const rows = await ctx.sql.query<{ label: string }>(sql`select label from language_label order by label`)
    expect(rows.map(({ label }) => label)).toEqual(['outer', 'second'])
    await expect(
      ctx.transaction(async (inner) => {
        inner.afterCommit(() => void seen.push('never'))
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(seen).toEqual(['outer', 'second'])
  })

  it('outside of one, statements only read', async () => {
    const ctx = await makeJobCtx(app.services, { companyId: company.id, userId: null })
    await expect(ctx.sql.exec(sql`update tenant set name = 'x'`)).rejects.toThrow(/read-only/)
  })
})
