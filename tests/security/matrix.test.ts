import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ignoredNames } from '../../apps/server/src/kernel/resource/define.ts'
import { openCtx } from '../../apps/server/src/kernel/session/guard.ts'
import { isPermitted } from '../../apps/server/src/kernel/session/permission.ts'
import type { Route } from '../../apps/server/src/kernel/types.ts'
import type { SignedInClient } from '../support/app.ts'
import { seed } from '../support/draws.ts'
import { isNightly } from '../support/size.ts'
import { fingerprint } from './support/fill.ts'
import { isPublic, targetB } from './support/probe.ts'
import { inputFor, send } from './support/requests.ts'
import { companyRoles, clientOf, probedArea, securityWorld, userOf, type SecurityWorld } from './support/world.ts'

const file = join(import.meta.dirname, 'matrix.json')
type Matrix = Record<string, string>

let world: SecurityWorld
beforeAll(async () => {
  world = await securityWorld()
})
afterAll(() => world.close())

const endsSession = new Set(['auth.logout', 'auth.endSessions', 'auth.impersonate', 'auth.endImpersonation', 'auth.selectTenant'])
const guarded = () => world.probed.filter((route) => !isPublic(route) && !endsSession.has(route.name))

/** Somebody of this role, as a caller and as the guard knows them. */
async function personOf(role: string) {
  const client = await clientOf(world, world.a, role)
  const { services } = world.app
  const ctx = await openCtx(services, {
    authorization: `Bearer ${client.token}`,
    tenantId: undefined,
    requestId: 'matrix',
    ip: '127.0.0.1',
    log: services.log,
    method: 'GET',
    path: '/',
  })
  return { role, client, ctx }
}

describe('who may do what', () => {
  it('is exactly what matrix.json says, role by role and operation by operation', async () => {
    const found: Matrix = {}
    const otherwise: string[] = []
    const people = await Promise.all(companyRoles.map(personOf))
    for (const [index, route] of guarded().entries()) {
      const allowed = people.filter(({ ctx }) => isPermitted(ctx, route.access))
      found[`${route.method} ${route.path}`] = allowed.map(({ role }) => role).join(' ')
      const refused = people.filter((one) => !allowed.includes(one))
      // What is declared is asked of the call too: by day of one person on either side, other ones from call to call.
      for (const one of isNightly ? people : [allowed, refused].flatMap((side) => side[(seed + index) % side.length] ?? [])) {
        // An unknown property stops the call at its input, after the guard has spoken.
        const { body } = await send(one.client, route, { ...inputFor(route, targetB(world)), unknownProperty: true })
        if ((body.code !== 'FORBIDDEN') !== allowed.includes(one)) otherwise.push(`${route.name} for ${one.role}: ${body.code}`)
      }
    }
    expect(otherwise).toEqual([])
    const stored = JSON.parse(await readFile(file, 'utf8')) as Matrix
    const written = probedArea === undefined ? found : { ...stored, ...found }
    if (process.env.WRITE_MATRIX === '1') await writeFile(file, `${JSON.stringify(written, null, 1)}\n`)
    const said = Object.entries(JSON.parse(await readFile(file, 'utf8')) as Matrix).filter(
      ([call]) => probedArea === undefined || call in found,
    )
    expect(found).toEqual(Object.fromEntries(said))
  }, 300_000)
})

/** Columns that no body may set, beside those a resource's form offers. What its records show on the wire may be sent back and is ignored: see put-back.test.ts. */
const forbidden = [
  'companyId',
  'version_',
  'searchText',
  'syncSeq',
  'deletedAt',
  'passwordHash',
  'isGlobalAdministrator',
  'permissions_',
  'createdByUserId',
  'dateCreated',
  'realUserId',
  'path',
]

const isIgnored = ({ operation }: Route, name: string) =>
  'resource' in operation && operation.resource !== undefined && ignoredNames(operation.resource).includes(name)

describe('mass assignment', () => {
  it('is refused by name for every write and every forbidden property its records do not show; nothing changes', async () => {
    const { admin } = world.app.database
    const client = await world.app.as(userOf(world.b, 'admin'), { tenant: world.b.company })
    const writes = guarded().filter(
      ({ operation, options }) => ['create', 'update', 'setField'].includes(operation.kind) && !options.upload,
    )
    const before = await fingerprint(admin, world.b.company.id)
    const taken: string[] = []
    for (const route of writes) {
      const properties = forbidden.filter((name) => !isIgnored(route, name))
      // All in one body by day: each is named. At night each alone, too.
      for (const some of isNightly ? [properties, ...properties.map((one) => [one])] : [properties])
        taken.push(...(await tryProperties(client, route, some)))
    }
    expect(taken).toEqual([])
    expect(writes.length).toBeGreaterThan(probedArea === undefined ? 5 : -1)
    const after = await fingerprint(admin, world.b.company.id)
    expect(Object.keys(after).filter((table) => after[table] !== before[table] && table !== 'session')).toEqual([])
  })

  async function tryProperties(client: SignedInClient, route: Route, properties: readonly string[]): Promise<string[]> {
    const odd = Object.fromEntries(properties.map((property) => [property, 'x']))
    const { status, body } = await send(client, route, { ...inputFor(route, targetB(world)), ...odd })
    const named = new Set(body.fields?.map(({ field }) => field))
    return properties.filter((one) => status !== 422 || !named.has(one)).map((one) => `${route.name} ${one}: ${status}`)
  }
})
