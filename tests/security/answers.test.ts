import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Permission } from '@outpost/contract/permissions'
import type { PushAnswer } from '@outpost/contract/sync/protocol'
import type { Route } from '../../apps/server/src/kernel/types.ts'
import { endsSession, targetB } from './support/probe.ts'
import { goodInputFor, inputFor, send } from './support/requests.ts'
import { clientOf, companyMark, securityWorld, type AnyClient, type SecurityWorld } from './support/world.ts'

let world: SecurityWorld
beforeAll(async () => {
  world = await securityWorld()
})
afterAll(() => world.close())

/** Tables whose filled rows show in a text. */
const tablesIn = (text: string) =>
  [...new Set([...text.matchAll(new RegExp(`${companyMark}-((?:geo\\.)?[a-z_]+)-\\d`, 'g'))].map(([, table = '']) => table))].toSorted()

const endsCaller = ({ name }: Route) => endsSession.includes(name) || name === 'auth.endImpersonation'

/** Calls that ask for nothing but a session and give rows of the company: which ones, and why whoever works there may see them. */
const forAnybody: Readonly<Record<string, { tables: string[]; because: string }>> = {
  'activities.statuses': { tables: ['activity_status'], because: 'the words of the company’s own forms, without a person in them' },
  'activities.types': { tables: ['activity_type'], because: 'the words of the company’s own forms, without a person in them' },
  'console.layout': { tables: ['language_label'], because: 'the company’s own words, which every screen shows' },
  'auth.signIns': { tables: ['ip_rule'], because: 'the name that the company gave the address which the caller signed in from' },
}

describe('calls that ask for a session only', () => {
  it('give a person without any permission no record but those listed here', async () => {
    const client = await clientOf(world, world.b, 'nobody')
    const found: Record<string, string[]> = {}
    const routes = world.routes.filter((route) => route.access.kind === 'session' && !endsCaller(route))
    for (const route of routes) {
      for (const make of [inputFor, goodInputFor]) {
        const tables = tablesIn((await send(client, route, make(route, targetB(world)))).text)
        if (tables.length > 0) found[route.name] = [...new Set([...(found[route.name] ?? []), ...tables])].toSorted()
      }
    }
    expect(found).toEqual(Object.fromEntries(Object.entries(forAnybody).map(([name, { tables }]) => [name, tables])))
    expect(routes.length).toBeGreaterThan(30)
  })
})

/** A person of company B's branch, among whose canaries they work, with these permissions and nothing else. */
async function holderOf(permissions: readonly string[]): Promise<AnyClient> {
  const { app, b } = world
  const role = await app.make.role({ company: b.company, name: `probe ${randomUUID()}`, permissions })
  return app.as(await app.make.user({ roles: [role], tenant: b.branch }))
}

/** True when the same permission opens a list or record of what the call works on. */
const mayRead = ({ operation }: Route, permission: string) =>
  operation.kind !== 'public' &&
  world.routes.some(
    (other) =>
      ['list', 'get'].includes(other.operation.kind) &&
      other.operation.kind !== 'public' &&
      other.operation.resource === operation.resource &&
      (other.access.kind === 'session' || (other.access.kind === 'permission' && other.access.anyOf.includes(permission as Permission))),
  )

/** The same call refused for several reasons: what its schema lacks, what no rule takes, what others changed meanwhile. */
function refusals(route: Route): Record<string, unknown>[] {
  const target = targetB(world)
  const good = goodInputFor(route, target)
  return [inputFor(route, target), route.operation.kind === 'update' ? { ...good, version: 987_654 } : good]
}

describe('a refused call', () => {
  it('reveals nothing of the records to a person who may make it but not read them', async () => {
    const holes: string[] = []
    const clients = new Map<string, AnyClient>()
    let probed = 0
    for (const route of world.routes.filter((route) => !endsCaller(route))) {
      if (route.access.kind !== 'permission') continue
      const [permission = ''] = route.access.anyOf
      if (mayRead(route, permission)) continue
      probed += 1
      const client = clients.get(permission) ?? (await holderOf([permission]))
      clients.set(permission, client)
      for (const input of refusals(route)) {
        const { status, text } = await send(client, route, input)
        const tables = status >= 400 ? tablesIn(text) : []
        if (tables.length > 0) holes.push(`${route.name} ${status}: ${tables.join()} in ${text.slice(0, 300)}`)
      }
    }
    expect(holes).toEqual([])
    expect(probed).toBeGreaterThan(50)
  })

  it('of a device, by whatever verdict, neither', async () => {
    const { b, inB } = world
    const holes: string[] = []
    for (const permissions of [
      [],
      ['SALES/LEADS/CREATE', 'SALES/LEADS/EDIT', 'SALES/LEADS/DELETE'],
      ['SALES/ACTIVITIES/EDIT', 'SALES/AGENTS/MYWORK'],
    ]) {
      const client = (await holderOf(permissions)) as Awaited<ReturnType<typeof clientOf>>
      const deviceId = randomUUID()
      const common = {
        clientSeq: 1,
        schema: 1,
        deviceId,
        tenantId: b.branch.id,
        userId: client.user.id,
        version: 0,
        dateModified: '2026-11-22T06:00:00.000Z',
      }
      const changes = ['lead', 'activity'].flatMap((entityType) =>
        [
          { changeType: 'INSERT', snapshot: { firstName: 'A', lastName: 'B', phonenumber: '0700123123' } },
          { changeType: 'DELETE', version: 99 },
          { changeType: 'UPDATE', patch: {} },
          { changeType: 'UPDATE', patch: { city: ['x', 'y'] } },
          { changeType: 'UPDATE', patch: { status: ['New', 'Approved'] } },
          { changeType: 'UPDATE', patch: { visit: [null, {}] } },
          { changeType: 'UPDATE', patch: { constructor: [null, 1] } },
        ].map((change) => ({ ...common, ...change, entityType, entityId: inB[entityType], changeId: randomUUID() })),
      )
      const body = {
        protocol: 1,
        deviceId,
        clientNow: common.dateModified,
        pendingCount: 0,
        oldestPendingAt: null,
        persisted: false,
        maxClientSeq: 1,
        changes,
      }
      // The second time the receipts answer.
      for (const answer of [await client.post('/api/sync/push', body), await client.post('/api/sync/push', body)]) {
        expect((answer.body as unknown as PushAnswer).results).toHaveLength(changes.length)
        for (const table of tablesIn(answer.text))
          holes.push(
            `${permissions.join()}: ${table} in ${answer.text.slice(Math.max(0, answer.text.indexOf(`${companyMark}-${table}`) - 200)).slice(0, 400)}`,
          )
      }
    }
    expect(holes).toEqual([])
  })
})
