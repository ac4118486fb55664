import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../apps/server/src/kernel/types.ts'
import { outsiders, type Outsider } from './support/attackers.ts'
import { attackWatched, insiders, isPublic, targetB, type Hole } from './support/probe.ts'
import { inputFor, send } from './support/requests.ts'
import { companyMark, clientOf, securityWorld, siblingMark, type SecurityWorld } from './support/world.ts'

let world: SecurityWorld
beforeAll(async () => { world = await securityWorld() }, 60_000)
afterAll(() => world.close())

/** These end the attacker's own session, so that the probes after them would say nothing. */
const endsSession = new Set(['auth.logout', 'auth.endSessions', 'auth.impersonate', 'auth.selectTenant', 'users.changePassword'])

const makes = ({ name, operation }: Route) => operation.kind === 'create' || /create|save|keep|upload|push/i.test(name)

describe('every operation', () => {
  it('answers 401 to whoever is not signed in, whatever the token', async () => {
    const strangers: Outsider[] = await outsiders(world)
    const holes: Hole[] = []
    for (const route of world.routes.filter((one) => !isPublic(one))) {
      const input = inputFor(route, targetB(world))
      for (const { name, client } of strangers) {
        const { status } = await send(client, route, input)
        if (status !== 401) holes.push({ route: route.name, probe: name, why: `status ${status}` })
      }
    }
    expect(holes).toEqual([])
  }, 120_000)

  it('answers 403 to a user without its permission', async () => {
    const client = await clientOf(world, world.a, 'nobody')
    const holes: Hole[] = []
    for (const route of world.routes.filter(({ access }) => access.kind === 'permission')) {
      const { status } = await send(client, route, inputFor(route, targetB(world)))
      if (status !== 403) holes.push({ route: route.name, probe: 'no permission', why: `status ${status}` })
    }
    expect(holes).toEqual([])
  })

  it('gives and changes nothing of another company or another branch', async () => {
    const attacks = await insiders(world)
    const holes: Hole[] = []
    // Creating comes last: a client may choose the id, and then has a record of its own under it.
    const routes = world.routes.filter(({ name }) => !endsSession.has(name)).toSorted((x, y) => Number(makes(x)) - Number(makes(y)))
    for (const route of routes) holes.push(...await attackWatched(world, route, attacks))
    expect(holes).toEqual([])
    expect(attacks.length).toBeGreaterThan(3)
  }, 180_000)

  it('writes no canary into the log', () => {
    const logged = world.logged()
    expect(logged.length).toBeGreaterThan(0)
    expect(logged).not.toContain(`${companyMark}-`)
    expect(logged).not.toContain(`${siblingMark}-`)
    expect(logged).not.toMatch(/\$argon2|eyJhbGciOiJFZERTQSI/)
  })
})
