import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PushResult } from '@outpost/contract/sync/protocol'
import { startChaos, type Chaos, type Toxic } from '../support/chaos.ts'
import { checkStream, person, syncWorld, type Device, type SyncWorld, pushBody } from '../sync/world.ts'
import { isNightly } from '../support/size.ts'

const rounds = isNightly ? 400 : 25

let world: SyncWorld
let chaos: Chaos

beforeAll(async () => {
  world = await syncWorld()
  chaos = await startChaos(await world.app.listen())
})
afterAll(async () => {
  await checkStream(world)
  await chaos.close()
  await world.app.close()
})

/** Pushes through the proxy on a connection of its own; undefined when no answer came. */
async function push(device: Device, changes: unknown[]): Promise<PushResult[] | undefined> {
  try {
    const answer = await fetch(`${chaos.through('http://x')}/api/sync/push`, {
      method: 'POST',
      headers: { authorization: `Bearer ${device.client.token}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(pushBody(device, changes, 1_000_000)),
    })
    return ((await answer.json()) as { results: PushResult[] }).results
  } catch {
    // No verdict: what the test is about.
    return undefined
  }
}

const versions = async () =>
  (await world.app.database.admin.query<{ sum: number }>('select coalesce(sum(version), 0)::int as sum from lead')).rows[0]?.sum

it.each<[string, Toxic]>([
  ['swallowed', { kind: 'swallow' }],
  ['cut in the middle', { kind: 'cut', afterBytes: 40 }],
])(
  'a push whose answer is %s has happened once, and every repeat is told the first result (sync fault 3)',
  async (_, toxic) => {
    const device = await world.device()
    for (let round = 0; round < rounds; round += 1) {
      const insert = device.insert(person({ city: 'Thika' }))
      const changes = [insert, device.update(insert.entityId, 0, { city: ['Thika', 'Nakuru'] }), device.insert({ firstName: 'OnlyAName' })]
      await chaos.set(toxic)
      expect(await push(device, changes)).toBeUndefined()
      const before = await versions()
      await chaos.set({ kind: 'pass' })
      const again = await push(device, changes)
      expect(again).toMatchObject([
        { changeId: changes[0]?.changeId, status: 'duplicate', first: 'applied', version: 1 },
        { status: 'duplicate', first: 'applied', version: 2 },
        { status: 'duplicate', first: 'rejected', code: 'VALIDATION' },
      ])
      expect(await push(device, changes)).toEqual(again)
      expect(await versions()).toBe(before)
    }
  },
  120_000,
)

it('a push that arrives twice at once, over a slow line, has its effect once (sync fault 4)', async () => {
  const device = await world.device()
  const before = Number(await versions())
  for (let round = 0; round < rounds; round += 1) {
    await chaos.set({ kind: 'duplicate' })
    expect((await push(device, [device.insert(person())]))?.[0]).toMatchObject({ changeId: expect.any(String) })
  }
  await chaos.set({ kind: 'latency', ms: 20 })
  await Promise.all([1, 2, 3].map(async () => push(device, [device.insert(person())])))
  // Every doubled request had a verdict for one of its two deliveries; the other one may still run.
  await new Promise((done) => setTimeout(done, 300))
  expect(await versions()).toBe(before + rounds + 3)
  expect(chaos.bites()).toBeGreaterThan(rounds)
})

it('a request that is held and overtaken by a newer one changes nothing that came after it (sync fault 5)', async () => {
  await chaos.set({ kind: 'pass' })
  const device = await world.device()
  const insert = device.insert(person({ city: 'A' }))
  await push(device, [insert])
  const older = device.update(insert.entityId, 1, { city: ['A', 'B'] })
  await chaos.set({ kind: 'hold', ms: 3_000 })
  const late = push(device, [older])
  await new Promise((done) => setTimeout(done, 100))
  await device.push([older, device.update(insert.entityId, 2, { city: ['B', 'C'] })])
  expect((await late)?.[0]).toMatchObject({ status: 'duplicate', first: 'applied' })
  const { rows } = await world.app.database.admin.query('select city, version::int from lead where id = $1', [insert.entityId])
  expect(rows[0]).toEqual({ city: 'C', version: 3 })
})
