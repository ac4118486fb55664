import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '../../apps/server/src/kernel/types.ts'
import type { MadeUser } from '../support/make.ts'
import { isPublic, targetB } from './support/probe.ts'
import { goodInputFor, send } from './support/requests.ts'
import { clientOf, securityWorld, userOf, type AnyClient, type SecurityWorld } from './support/world.ts'

let world: SecurityWorld
let target: MadeUser
let impersonator: AnyClient
let sessionId: string
beforeAll(async () => {
  world = await securityWorld()
  target = await mightyUser()
  await (await world.app.as(target)).post('/api/calendar/feed', {})
  const { body } = await (
    await clientOf(world, world.b, 'admin')
  ).post<{ token: string }>('/api/auth/impersonate', { userName: target.userName, reason: 'checking a report' })
  impersonator = world.app.client({ authorization: `Bearer ${body.data.token}` })
  const { rows } = await world.app.database.admin.query<{ id: string }>(
    'select id from session where "userId" = $1 and "actorUserId" is not null',
    [target.id],
  )
  sessionId = rows[0]?.id ?? ''
})
afterAll(() => world.close())

/** All that an administrator may do, without being one: nobody impersonates those. */
async function mightyUser(): Promise<MadeUser> {
  const { make, database } = world.app
  const { company } = world.b
  const { rows } = await database.admin.query<{ hierarchy: string }>(
    `select hierarchy from role_permission p join role r on r.id = p."roleId" where r."companyId" = $1 and r."systemRole" = 'admin'`,
    [company.id],
  )
  const role = await make.role({ company, name: 'May everything', permissions: rows.map(({ hierarchy }) => hierarchy) })
  return make.user({ roles: [role], tenant: company })
}

/** 256 random bits as text, or a signed token: whatever such an answer holds opens a door. */
const keyShapes = [/(?<![\w-])[A-Za-z0-9_-]{43}(?![\w-])/g, /eyJ[\w-]+\.[\w-]+\.[\w-]+/g]
/** Not the name of a screen or a column that happens to be as long. */
const isDrawn = (text: string) => [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(text))
/** These keys name the session they were asked for in and end with it, see the second test. */
const endsWithSession = new Set(['auth.ticket', 'reports.link'])
/** They end the impersonation, or change what the next call sees. */
const last = new Set(['auth.logout', 'auth.endImpersonation'])

const tried = (route: Route) => !isPublic(route) && !last.has(route.name)

it('no answer to whoever acts in another’s name holds a key that outlasts it', async () => {
  const leaks: string[] = []
  const answered: string[] = []
  for (const route of world.routes.filter(tried)) {
    const { status, text } = await send(impersonator, route, goodInputFor(route, targetB(world)))
    if (status < 300) answered.push(route.name)
    const key = keyShapes.some((shape) => text.match(shape)?.some(isDrawn))
    if (key && !endsWithSession.has(route.name)) leaks.push(`${route.method} ${route.path}: ${text.slice(0, 300)}`)
  }
  expect(leaks).toEqual([])
  expect(answered.length).toBeGreaterThan(150)
})

it('and none was made meanwhile: what is new hangs on the impersonated session', async () => {
  const { admin } = world.app.database
  const { rows: columns } = await admin.query<{ name: string }>(`
    select distinct c.oid::regclass::text as name from pg_class c join pg_attribute u on u.attrelid = c.oid and u.attname = 'userId' and not u.attisdropped
    where c.relkind = 'r' and exists (select from pg_attribute a where a.attrelid = c.oid and not a.attisdropped and a.attname ~ '(tokenHash|passwordHash|nonce|sessionId)$') order by 1`)
  const keys = await Promise.all(
    columns.map(async ({ name }) => {
      const { rows } = await admin.query<{ row: Record<string, unknown> }>(`select to_jsonb(t) as row from ${name} t where "userId" = $1`, [
        target.id,
      ])
      return rows.map(({ row }) => ({ name, row }))
    }),
  )
  const lasting = keys
    .flat()
    .filter(({ row }) => row['sessionId'] !== sessionId)
    .map(({ name }) => name)
  // The user's own: the password, its history is empty yet, and the calendar made before.
  expect(lasting).toEqual(['calendar_feed', 'credential'])
  expect((await admin.query('select id from session where "userId" = $1 and "parentId" is null', [target.id])).rows).toHaveLength(1)
  expect(userOf(world.b, 'admin').id).not.toBe(target.id)
})

it('no key of a tracker is chosen in another’s name', async () => {
  const token = 'chosen-by-somebody-else'
  for (const answer of [
    await impersonator.post('/geo/devices', { name: 'Van', uniqueId: '860000000000001', token }),
    await impersonator.put(`/geo/devices/${target.id}`, { token: null }),
  ]) {
    expect(answer).toMatchObject({ status: 403, body: { code: 'WHILE_IMPERSONATING' } })
  }
  expect((await impersonator.put(`/geo/devices/${target.id}`, { name: 'Van' })).text).not.toContain('WHILE_IMPERSONATING')
})
