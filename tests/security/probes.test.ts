import { randomUUID } from 'node:crypto'
import { chunk } from 'es-toolkit/array/chunk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../apps/server/src/kernel/types.ts'
import { isNightly } from '../support/size.ts'
import { outsiders, type Outsider } from './support/attackers.ts'
import { fingerprint } from './support/fill.ts'
import { closedKeys, machineAttacks, withoutRights } from './support/machines.ts'
import {
  attack,
  attackWatched,
  endsSession,
  identityAttacks,
  insiders,
  isPublic,
  lookAtOthers,
  targetB,
  targetOwn,
  twins,
  type Hole,
} from './support/probe.ts'
import { seenWithoutCompany } from './support/schema-rules.ts'
import { goodInputFor, inputFor, send } from './support/requests.ts'
import { byTurns } from './support/turns.ts'
import { companyMark, clientOf, securityWorld, siblingMark, type SecurityWorld } from './support/world.ts'

let world: SecurityWorld
beforeAll(async () => {
  world = await securityWorld()
})
afterAll(() => world.close())

/** A fingerprint costs more than the calls. At night each call is watched by itself, by day some together: all of them are named when something changed. */
const watchedAtOnce = isNightly ? 1 : 25

const makes = ({ name, operation }: Route) => operation.kind === 'create' || /create|save|keep|upload|push/i.test(name)

describe('every operation', () => {
  it('answers 401 to whoever is not signed in, whatever the token', async () => {
    const [nobody, ...others]: Outsider[] = [...(await outsiders(world)), ...(await closedKeys(world))]
    const holes: Hole[] = []
    const routes = world.probed.filter((one) => !isPublic(one))
    const othersAt = byTurns(routes, others)
    for (const route of routes) {
      const input = inputFor(route, targetB(world))
      for (const { name, client } of [nobody!, ...othersAt(route)]) {
        const { status } = await send(client, route, input)
        if (status !== 401) holes.push({ route: route.name, probe: name, why: `status ${status}` })
      }
    }
    expect(holes).toEqual([])
    expect(others.length).toBeGreaterThan(11)
  })

  it('answers 403 to a user without its permission', async () => {
    const nobody: Outsider = { name: 'no permission', client: await clientOf(world, world.a, 'nobody') }
    const others = await withoutRights(world)
    const holes: Hole[] = []
    const routes = world.probed.filter(({ access }) => access.kind === 'permission')
    const othersAt = byTurns(routes, others)
    for (const route of routes) {
      for (const { name, client } of [nobody, ...othersAt(route)]) {
        const { status } = await send(client, route, inputFor(route, targetB(world)))
        if (status !== 403) holes.push({ route: route.name, probe: name, why: `status ${status}` })
      }
    }
    expect(holes).toEqual([])
  })

  it('gives and changes nothing of another company or another branch', async () => {
    const { plain, withTenant } = await insiders(world)
    const machines = await machineAttacks(world)
    const holes: Hole[] = []
    // Creating comes last: a client may choose the id, and then has a record of its own under it.
    const routes = world.probed.filter(({ name }) => !endsSession.includes(name)).toSorted((x, y) => Number(makes(x)) - Number(makes(y)))
    const tenantAt = byTurns(routes, withTenant)
    const machineAt = byTurns(routes, machines)
    const attacks = (route: Route) => [...plain, ...tenantAt(route), ...machineAt(route)]
    // What some routes left is where the next ones begin.
    let before = await lookAtOthers(world)
    for (const some of chunk(routes, watchedAtOnce)) {
      const looked = await attackWatched(world, some, { attacks, before })
      holes.push(...looked.holes)
      before = looked.after
    }
    expect(holes).toEqual([])
    expect([plain.length, withTenant.length, machines.length]).toEqual([2, 2, 5])
  }, 900_000)

  it('takes no id of an identity for its own, wherever it is put', async () => {
    const attacks = await identityAttacks(world)
    const holes: Hole[] = []
    const before = await fingerprint(world.app.database.admin, world.b.company.id)
    // Creating comes last, as above. What all of them left is looked at once: a fingerprint costs more than the calls.
    const routes = world.probed.filter(({ name }) => !endsSession.includes(name)).toSorted((x, y) => Number(makes(x)) - Number(makes(y)))
    const attacksOn = byTurns(routes, attacks, { each: 2 })
    for (const route of routes) {
      for (const one of attacksOn(route)) {
        holes.push(...(await attack(world, route, { ...one, input: inputFor(route, one.target) })))
        // A record that is good in all but this: it would come to be if the id were taken.
        if (makes(route))
          holes.push(
            ...(await attack(world, route, { ...one, input: { ...goodInputFor(route, targetOwn(world)), Id: one.target.userId } })),
          )
      }
    }
    expect(holes).toEqual([])
    expect(await fingerprint(world.app.database.admin, world.b.company.id)).toEqual(before)
    expect(
      await twins(
        world,
        attacks.map(({ target }) => target.userId),
      ),
    ).toEqual([])
  }, 900_000)

  it('chooses the ids of identities itself', async () => {
    const { rows } = await world.app.database.admin.query<{ name: string }>(
      `select s.oid::regclass::text as name from (${seenWithoutCompany}) s(oid)`,
    )
    const tables = new Set(rows.map(({ name }) => name.replaceAll('"', '')))
    const creates = world.routes.filter(
      ({ operation }) => operation.kind === 'create' && operation.resource !== undefined && tables.has(operation.resource.table),
    )
    const client = await clientOf(world, world.a, 'admin')
    const holes: Hole[] = []
    for (const route of creates) {
      const { status, body } = await send(client, route, { ...goodInputFor(route, targetOwn(world)), Id: randomUUID() })
      if (status !== 422 || !body.fields?.some(({ field }) => field === 'Id'))
        holes.push({ route: route.name, probe: 'an Id of the client', why: `status ${status} ${JSON.stringify(body.fields)}` })
    }
    expect(holes).toEqual([])
    expect(creates.map(({ name }) => name).toSorted()).toEqual([
      'apiUsers.create',
      'ipAddresses.create',
      'oauthClients.create',
      'roles.create',
      'samlProviders.create',
      'tenants.create',
      'users.create',
    ])
  })

  it('writes no canary into the log', () => {
    const logged = world.logged()
    expect(logged.length).toBeGreaterThan(0)
    expect(logged).not.toContain(`${companyMark}-`)
    expect(logged).not.toContain(`${siblingMark}-`)
    expect(logged).not.toMatch(/\$argon2|eyJhbGciOiJFZERTQSI/)
  })
})
