import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '../../apps/server/src/kernel/types.ts'
import type { Client } from '../support/app.ts'
import { isNightly } from '../support/size.ts'
import { endsSession, isPublic, isRemoval, targetB } from './support/probe.ts'
import { goodInputFor, send } from './support/requests.ts'
import { securityWorld, userOf, type SecurityWorld } from './support/world.ts'

let world: SecurityWorld
let client: Client
beforeAll(async () => {
  world = await securityWorld()
  client = await world.app.as(userOf(world.b, 'admin'), { tenant: world.b.company })
  // Connections that have to be opened first would put what comes at once in a row.
  await Promise.all(Array.from({ length: 8 }, () => client.get('/api/leads')))
})
afterAll(() => world.close())

const endsCaller = ({ name }: Route) => [...endsSession, 'auth.endImpersonation', 'sync.signOutDevice'].includes(name)

/** Calls that may succeed more than once and are refused later, and why that is right. */
const mayBeRefusedLater: Readonly<Record<string, string>> = {
  'apiKeys.rotate': 'each makes a key, up to ten',
  'clients.startImport': 'two may wait at a time',
  'reports.run': 'some may wait at a time',
  'views.remove': 'it is gone for each of them',
}

/** By day what makes records, where two of one kind stay, and what moves them; at night every call. */
const isCalled = ({ method, operation, name }: Route) =>
  method !== 'GET' && (isNightly || operation.kind === 'create' || /move|assign|import/i.test(name))

it(
  'the same request five times at once makes no more than it would one after the other, and none fails by a fault of ours',
  async () => {
    const faults: string[] = []
    const routes = world.probed
      .filter((route) => !isPublic(route) && isCalled(route) && !endsCaller(route))
      .toSorted((x, y) => Number(isRemoval(x)) - Number(isRemoval(y)))
    for (const route of routes) {
      const input = goodInputFor(route, targetB(world))
      const answers = await Promise.all(Array.from({ length: 5 }, () => send(client, route, input)))
      const fault = answers.find(({ status, body }) => status >= 500 && body.code !== 'NOT_CONFIGURED')
      if (fault) faults.push(`${route.name} ${fault.status} ${fault.text.slice(0, 200)}`)
      const done = answers.filter(({ status }) => status < 300).length
      if (done < 2 || Object.hasOwn(mayBeRefusedLater, route.name)) continue
      const last = await send(client, route, input)
      if (last.status >= 300)
        faults.push(`${route.name} went through ${done} times at once, then ${last.status} ${last.text.slice(0, 200)}`)
    }
    expect(faults).toEqual([])
    if (world.probed === world.routes) expect(routes.length).toBeGreaterThan(isNightly ? 450 : 80)
  },
  isNightly ? 600_000 : 120_000,
)
