import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ignoredNames } from '../../apps/server/src/kernel/resource/define.ts'
import type { Route } from '../../apps/server/src/kernel/types.ts'
import { fingerprint } from './support/fill.ts'
import { isPublic, targetB } from './support/probe.ts'
import { inputFor, send } from './support/requests.ts'
import { companyRoles, clientOf, probedArea, securityWorld, userOf, type SecurityWorld } from './support/world.ts'

const file = join(import.meta.dirname, 'matrix.json')
type Matrix = Record<string, string>

let world: SecurityWorld
beforeAll(async () => {
  world = await securityWorld()
}, 60_000)
afterAll(() => world.close())

const endsSession = new Set(['auth.logout', 'auth.endSessions', 'auth.impersonate', 'auth.endImpersonation', 'auth.selectTenant'])
const guarded = () => world.probed.filter((route) => !isPublic(route) && !endsSession.has(route.name))

describe('who may do what', () => {
  it('is exactly what matrix.json says, role by role and operation by operation', async () => {
    const found: Matrix = {}
    const clients = await Promise.all(companyRoles.map(async (role) => ({ role, client: await clientOf(world, world.a, role) })))
    for (const route of guarded()) {
      const allowed: string[] = []
      for (const { role, client } of clients) {
        // An unknown property stops the call at its input, after the guard has spoken.
        const { body } = await send(client, route, { ...inputFor(route, targetB(world)), unknownProperty: true })
        if (body.code !== 'FORBIDDEN') allowed.push(role)
      }
      found[`${route.method} ${route.path}`] = allowed.join(' ')
    }
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
    for (const route of writes)
      for (const property of forbidden.filter((name) => !isIgnored(route, name)))
        taken.push(...(await tryProperty(client, route, property)))
    expect(taken).toEqual([])
    expect(writes.length).toBeGreaterThan(probedArea === undefined ? 5 : -1)
    const after = await fingerprint(admin, world.b.company.id)
    expect(Object.keys(after).filter((table) => after[table] !== before[table] && table !== 'session')).toEqual([])
  }, 60_000)

  async function tryProperty(client: Awaited<ReturnType<typeof clientOf>>, route: Route, property: string): Promise<string[]> {
    const { status, body } = await send(client, route, { ...inputFor(route, targetB(world)), [property]: 'x' })
    const isNamed = body.fields?.some(({ field }) => field === property) === true
    return status === 422 && isNamed ? [] : [`${route.name} ${property}: ${status}`]
  }
})
