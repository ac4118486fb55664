import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attack, insiders, isPublic, type Hole } from './support/probe.ts'
import { leaksThroughWalls } from './support/walls.ts'
import { securityWorld, type SecurityWorld } from './support/world.ts'

let world: SecurityWorld
beforeAll(async () => {
  world = await securityWorld()
})
afterAll(() => world.close())

describe('two walls between companies', () => {
  it('the database’s alone lets nothing through, whatever the kernel asks', async () => {
    expect(await leaksThroughWalls(world)).toEqual([])
  })

  it('the kernel’s alone lets nothing through when the database’s is open', async () => {
    const { admin } = world.app.database
    const { rows } = await admin.query<{ name: string }>(
      `select polrelid::regclass::text as name from pg_policy where polname = 'company_wall'`,
    )
    for (const { name } of rows) await admin.query(`alter policy company_wall on ${name} using (true) with check (true)`)
    const attacks = (await insiders(world)).plain.filter(({ probe }) => probe === 'another company')
    const holes: Hole[] = []
    const reads = world.routes.filter(
      (route) =>
        !isPublic(route) &&
        (['list', 'get', 'history', 'files', 'download', 'query'].includes(route.operation.kind) ||
          (route.operation.kind === 'pass' && route.method === 'GET')),
    )
    for (const route of reads) for (const one of attacks) holes.push(...(await attack(world, route, one)))
    expect(holes).toEqual([])
    expect(reads.length).toBeGreaterThan(40)
  })
})
