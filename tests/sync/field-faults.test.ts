import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Device } from './world.ts'
import { checkStream, makeDevice, person, syncWorld, type SyncWorld } from './world.ts'

let world: SyncWorld
const rows = async (text: string, values: unknown[]) => (await world.app.database.admin.query(text, values)).rows
const day = 86_400_000

beforeAll(async () => {
  world = await syncWorld()
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

/** The device's push under a clock that is off: its verdicts, and how long it took. */
async function pushAt(device: Device, skewMs: number, changes: object[]): Promise<{ results: { status: string }[]; took: number }> {
  const begun = Date.now()
  const now = new Date(begun + skewMs).toISOString()
  const answer = await device.client.post<never>('/api/sync/push', {
    protocol: 1,
    deviceId: device.id,
    clientNow: now,
    pendingCount: changes.length,
    oldestPendingAt: null,
    persisted: true,
    maxClientSeq: 1_000 + changes.length,
    changes: changes.map((change) => ({ ...change, dateModified: now })),
  })
  expect(answer.status).toBe(200)
  return { results: (answer.body as unknown as { results: { status: string }[] }).results, took: Date.now() - begun }
}

const skewOf = async (device: Device): Promise<number> =>
  (await rows('select "clockSkewMs"::float8 as skew from sync_device where "deviceId" = $1', [device.id]))[0]?.skew

/** What the office reads as the device's error is right to the moment: the two seconds that are allowed are for the way there. */
async function expectSkew(device: Device, skewMs: number, took: number): Promise<void> {
  const late = (await skewOf(device)) + skewMs
  expect(late).toBeGreaterThanOrEqual(0)
  expect(late).toBeLessThanOrEqual(took)
}

describe('clocks that are off by a day (sync fault 7)', () => {
  it('lock nobody out, decide nothing, and are known to the office to the moment', async () => {
    const [early, late] = [await world.device(), await world.device()]
    const lead = early.insert(person({ city: 'Thika' }))
    expect((await pushAt(early, -day, [lead])).results).toMatchObject([{ status: 'applied' }])
    // Who comes first changes the field, whatever the clocks say; who comes second is asked.
    const first = await pushAt(late, day, [late.update(lead.entityId, 1, { city: ['Thika', 'Kisumu'] })])
    expect(first.results).toMatchObject([{ status: 'applied' }])
    const second = await pushAt(early, -day, [early.update(lead.entityId, 1, { city: ['Thika', 'Nyeri'] })])
    expect(second.results).toMatchObject([{ status: 'merged', conflicts: [{ field: 'city', mine: 'Nyeri', theirs: 'Kisumu' }] }])
    await expectSkew(late, day, first.took)
    await expectSkew(early, -day, second.took)
  })

  it.each([
    ['on, then back', [0, day, -day]],
    ['back, then on', [0, -day, day]],
  ])(
    'that jump in the middle of a session, %s, change no order: the numbers of the device do, and the new error is known',
    async (_, skews) => {
      const device = await world.device()
      const lead = device.insert(person({ city: 'a' }))
      const edits = ['b', 'c'].map((to, n) => device.update(lead.entityId, n + 1, { city: [n === 0 ? 'a' : 'b', to] }))
      for (const [n, change] of [lead, ...edits].entries()) {
        const { results, took } = await pushAt(device, skews[n] ?? 0, [change])
        expect(results).toMatchObject([{ status: 'applied' }])
        await expectSkew(device, skews[n] ?? 0, took)
      }
      expect(await rows('select "city", "version"::int from lead where "id" = $1', [lead.entityId])).toEqual([{ city: 'c', version: 3 }])
      const numbers = await rows('select "clientSeq"::int as n from sync_receipt where "deviceId" = $1 order by "seq"', [device.id])
      expect(numbers.map(({ n }) => n)).toEqual([1, 2, 3])
    },
  )

  it('in one batch whose times run backwards, and in an hour that comes twice: applied as they were made', async () => {
    const device = await world.device()
    const lead = device.insert(person({ city: 'a' }))
    const batch = [
      { ...lead, dateModified: '2026-10-25T01:30:00+02:00' },
      device.update(lead.entityId, 0, { city: ['a', 'b'] }, { dateModified: '2026-10-25T01:10:00+01:00' }),
      device.update(lead.entityId, 0, { city: ['b', 'c'] }, { dateModified: '2026-10-24T12:00:00Z' }),
    ].map((change) => ({ ...change, dateModified: new Date(change.dateModified).toISOString() }))
    expect((await device.push(batch)).results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied'])
    expect(await rows('select "city", "version"::int from lead where "id" = $1', [lead.entityId])).toEqual([{ city: 'c', version: 3 }])
  })
})

describe('rights that change between two batches (sync fault 14)', () => {
  it('a person who was moved to another branch: nothing is lost, nothing of the former branch comes or stays', async () => {
    const device = await world.device()
    const held = device.insert(person())
    await device.push([held])
    const { cursor } = await device.pull()
    const userId = device.client.user.id
    await rows('update user_tenant set "tenantId" = $2 where "userId" = $1', [userId, world.sibling.id])
    await rows('update session set "version" = "version" + 1 where "userId" = $1', [userId])
    const client = await world.app.as(device.client.user)
    const moved = { ...makeDevice(client, world.branch.id), id: device.id }
    const late = [
      moved.insert(person(), { deviceId: device.id }),
      moved.update(held.entityId, 1, { city: [null, 'Kisumu'] }, { deviceId: device.id }),
    ]
    const { results } = await moved.push(late)
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const kept = await rows('select "changeId" from sync_dead_letter where "changeId" = any($1)', [late.map(({ changeId }) => changeId)])
    expect(kept).toHaveLength(2)
    const { reset, changes } = await moved.pull(cursor)
    expect(reset).toBe('scope')
    expect(changes.filter(({ data }) => data?.tenantId === world.branch.id)).toEqual([])
    expect(await rows('select "city" from lead where "id" = $1', [held.entityId])).toEqual([{ city: null }])
  })

  it('a person who may not edit any more: the change is kept for the office, which carries it out', async () => {
    const { app, company, branch } = world
    const name = `role ${randomUUID()}`
    const role = await app.make.role({ company, name, permissions: ['SALES/LEADS', 'SALES/LEADS/CREATE', 'SALES/LEADS/EDIT'] })
    const device = makeDevice(await app.as(await app.make.user({ roles: [role], tenant: branch })), branch.id)
    const lead = device.insert(person({ city: 'Thika' }))
    await device.push([lead])
    await rows(`delete from role_permission where "roleId" = $1 and "hierarchy" = 'SALES/LEADS/EDIT'`, [role.id])
    await rows('update session set "version" = "version" + 1 where "userId" = $1', [device.client.user.id])
    const weaker = { ...device, client: await app.as(device.client.user) }
    const edit = device.update(lead.entityId, 1, { city: ['Thika', 'Kisumu'] })
    const answer = await weaker.client.post<never>('/api/sync/push', {
      protocol: 1,
      deviceId: device.id,
      clientNow: new Date().toISOString(),
      pendingCount: 1,
      oldestPendingAt: null,
      persisted: true,
      maxClientSeq: 2,
      changes: [edit],
    })
    expect((answer.body as unknown as { results: object[] }).results).toMatchObject([{ status: 'rejected', code: 'FORBIDDEN' }])
    const manager = await app.as(await app.make.user({ role: 'branch', tenant: branch }))
    const [letter] = await rows('select "id" from sync_dead_letter where "changeId" = $1', [edit.changeId])
    expect((await manager.post(`/api/sync/dead-letters/${letter?.id}/replay`, {})).status).toBe(200)
    expect(await rows('select "city" from lead where "id" = $1', [lead.entityId])).toEqual([{ city: 'Kisumu' }])
  })
})
