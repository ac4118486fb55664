import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorTable } from '@outpost/contract/errors'
import type { Ctx, Operation, Route } from '../../apps/server/src/kernel/types.ts'
import { isProxied } from '../../apps/server/src/kernel/geo-client/proxy.ts'
import { openCtx } from '../../apps/server/src/kernel/session/guard.ts'
import { seed } from '../support/draws.ts'
import { isNightly } from '../support/size.ts'
import { tablesOf } from './support/fill.ts'
import { isPublic, targetB } from './support/probe.ts'
import { inputFor, send } from './support/requests.ts'
import { leaksThroughWalls } from './support/walls.ts'
import { clientOf, securityWorld, type SecurityWorld } from './support/world.ts'

let world: SecurityWorld
beforeAll(async () => {
  world = await securityWorld()
})
afterAll(() => world.close())

/** Some of the list, spread over it by the seed; all of it at night. */
function some<T>(all: readonly T[], most: number): T[] {
  if (isNightly) return [...all]
  console.log(`guard sample: TEST_SEED=${seed}`)
  return all.filter((_, index) => (index * 7_919 + seed) % Math.ceil(all.length / most) === 0)
}

/** Behind their guard a second permission is asked, by what the caller chose: it refuses in the same words. */
const askTwice = new Set(['activities.calendarLayer'])

/** What the probes of the suite say of a permission guard: true when they find it open. */
async function permissionProbeFails(route: Route): Promise<boolean> {
  const client = await clientOf(world, world.a, 'nobody')
  const { status, body } = await send(client, route, inputFor(route, targetB(world)))
  // A refusal that names a field, or has a name or words of its own, comes from a rule behind the guard.
  return !(status === 403 && body.code === 'FORBIDDEN' && body.fields === undefined && body.message === errorTable.FORBIDDEN.message)
}

/** A ctx of a session of its own, for some operations end the one they run in. */
async function adminCtx(): Promise<Ctx> {
  const { token } = await clientOf(world, world.a, 'admin')
  const { services } = world.app
  return openCtx(services, {
    authorization: `Bearer ${token}`,
    tenantId: undefined,
    requestId: 'mutant',
    ip: '127.0.0.1',
    log: services.log,
    method: 'GET',
    path: '/',
  })
}

/** The operation as a public one: it runs for whoever asks, in the name of an administrator. */
const withoutSession = (operation: Operation, ctx: Ctx): Route['operation'] => ({
  kind: 'public',
  input: operation.input,
  run: (input: unknown, facts) => ctx.transaction((inner) => operation.run(inner, input, facts)),
})

const sessionProbeFails = async (route: Route) => (await send(world.app.nobody, route, inputFor(route, targetB(world)))).status !== 401

describe('switching off a guard is noticed', () => {
  it('for permissions of routes', async () => {
    const survivors: string[] = []
    const guarded = some(
      world.routes.filter(({ access, name }) => access.kind === 'permission' && !askTwice.has(name)),
      12,
    )
    for (const route of guarded) {
      const { access } = route
      if (await permissionProbeFails(route)) survivors.push(`${route.name}: the probe fails with the guard on`)
      route.access = { kind: 'session' }
      if (!(await permissionProbeFails(route))) survivors.push(`${route.name}: nothing fails without its permission`)
      route.access = access
    }
    expect(survivors).toEqual([])
    expect(guarded.length).toBeGreaterThan(5)
  })

  it('for sessions of routes', async () => {
    const survivors: string[] = []
    for (const route of some(
      // The proxy of large reads admits before any operation: another operation leaves its guard on.
      world.routes.filter((one) => !isPublic(one) && !isProxied(one)),
      12,
    )) {
      const { operation } = route
      if (await sessionProbeFails(route)) survivors.push(`${route.name}: the probe fails with the guard on`)
      route.operation = withoutSession(operation as Operation, await adminCtx())
      if (!(await sessionProbeFails(route))) survivors.push(`${route.name}: nothing fails without its session`)
      route.operation = operation
    }
    expect(survivors).toEqual([])
  })
})

describe('switching off a policy is noticed', () => {
  it.each(['company_wall', 'scope_wall'] as const)(
    'for %s',
    async (wall) => {
      const { admin } = world.app.database
      const tables = await tablesOf(admin, wall)
      const { rows } = await admin.query<{ name: string; qual: string; check: string }>(
        `
      select polrelid::regclass::text as name, pg_get_expr(polqual, polrelid) as qual, pg_get_expr(polwithcheck, polrelid) as check from pg_policy
      where polname = $1 and (has_table_privilege('fx_app', polrelid, 'select') or has_table_privilege('fx_geo', polrelid, 'select'))`,
        [wall],
      )
      const survivors: string[] = []
      for (const { name, qual, check } of some(rows, 4)) {
        await admin.query(`alter policy ${wall} on ${name} using (true) with check (true)`)
        const leaks = await leaksThroughWalls(world)
        if (!leaks.some((leak) => leak.startsWith(`${name.replaceAll('"', '')}:`))) survivors.push(`${wall} on ${name}`)
        await admin.query(`alter policy ${wall} on ${name} using (${qual}) with check (${check})`)
      }
      expect(survivors).toEqual([])
      expect(tables.length).toBeGreaterThan(10)
      expect(await leaksThroughWalls(world)).toEqual([])
    },
    300_000,
  )
})
