import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import { changeSchema, maxPushChanges } from '@outpost/contract/sync/limits'
import { isNightly } from '../support/size.ts'
import { checkStream, makeDevice, person, syncWorld, type SyncWorld } from './world.ts'

/** Where in a batch of 500 the poison is. */
const places = isNightly ? Array.from({ length: 25 }, (_, n) => n * 20) : [0, 499]

let world: SyncWorld
const rows = async (text: string, values: unknown[]) => (await world.app.database.admin.query(text, values)).rows
const countOf = async (ids: readonly string[]) =>
  (await rows('select count(*)::int as leads, coalesce(sum(version), 0)::int as versions from lead where id = any($1)', [ids]))[0]

beforeAll(async () => {
  world = await syncWorld()
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

describe('a session that ends between two batches (sync fault 8)', () => {
  it('consumes nothing while nobody is signed in; with the next token each change has its effect once', async () => {
    const { app, branch } = world
    const user = await app.make.user({ role: 'officer', tenant: branch })
    const signed = (await app.login(user)).body.data
    const clientOf = (token: string) => ({ ...app.client({ authorization: `Bearer ${token}` }), token, sessionId: '', user })
    const device = makeDevice(clientOf(signed.token), branch.id)
    const batches = Array.from({ length: 4 }, () => Array.from({ length: 25 }, () => device.insert(person())))
    const ids = batches.flat().map(({ entityId }) => entityId)
    await device.push(batches[0] ?? [])
    // An access token lives for ten minutes.
    app.clock.move(601)
    await expect(device.push(batches[1] ?? [])).rejects.toThrow(/^401/)
    expect(await countOf(ids)).toEqual({ leads: 25, versions: 25 })
    // The answer of the refresh is lost, and the same token shown again: it gives the same successor, and the session goes on.
    await app.nobody.post('/api/auth/refresh', { refreshToken: signed.refreshToken })
    const again = await app.nobody.post<typeof signed>('/api/auth/refresh', { refreshToken: signed.refreshToken })
    expect(again.status).toBe(200)
    const later = makeDevice(clientOf(again.body.data.token), branch.id)
    for (const batch of batches) {
      const { results } = await later.push(batch.map((change) => ({ ...change, deviceId: later.id })))
      expect(results.filter(({ status, first }) => (first ?? status) !== 'applied')).toEqual([])
    }
    expect(await countOf(ids)).toEqual({ leads: 100, versions: 100 })
  })
})

/** What a change may be that no server takes. */
const poisons: Record<string, (change: ChangeRecord) => unknown> = {
  'no change at all': () => null,
  'a NUL byte': (change) => ({ ...change, snapshot: { ...change.snapshot, firstName: 'a\u0000b' } }),
  'a value that no form takes': (change) => ({ ...change, snapshot: { ...change.snapshot, emailAddress: 'nobody' } }),
  'a value of another kind': (change) => ({ ...change, snapshot: { ...change.snapshot, firstName: { deep: [1] } } }),
  'a kind that nobody keeps': (change) => ({ ...change, entityType: 'constructor' }),
}

describe('a change that cannot be taken among 500 (sync fault 15)', () => {
  it.each(Object.entries(poisons))(
    '%s: the other 499 are applied by the one request, and nothing is done twice',
    async (_, spoil) => {
      const device = await world.device()
      for (const place of places) {
        const changes = Array.from({ length: maxPushChanges }, () => device.insert(person()))
        const good = changes.filter((_one, n) => n !== place).map(({ entityId }) => entityId)
        const { results } = await device.push(changes.map((change, n) => (n === place ? spoil(change) : change)))
        expect(results.filter(({ status }) => status === 'applied')).toHaveLength(499)
        expect(results[place]?.status).not.toBe('applied')
        expect(await countOf(good)).toEqual({ leads: 499, versions: 499 })
      }
    },
    120_000,
  )
})

describe('a program that is newer than the server, or far older (sync fault 16)', () => {
  it('keeps its changes: nothing of the push is judged, the office sees that they wait, and later each counts once', async () => {
    const device = await world.device()
    const changes = [device.insert(person()), device.insert(person(), { schema: changeSchema + 1 }), device.insert(person())]
    await expect(device.push(changes)).rejects.toThrow(/^409.*newer version/)
    const ids = changes.map(({ entityId }) => entityId)
    expect(await countOf(ids)).toEqual({ leads: 0, versions: 0 })
    expect(await rows('select from sync_dead_letter where "changeId" = any($1)', [changes.map(({ changeId }) => changeId)])).toEqual([])
    expect(await rows('select "pendingCount" from sync_device where "deviceId" = $1', [device.id])).toEqual([{ pendingCount: 3 }])
    const { results } = await device.push(changes.map((change) => ({ ...change, schema: changeSchema })))
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied'])
    expect(await countOf(ids)).toEqual({ leads: 3, versions: 3 })
  })
  it('of a schema that nobody knows any more: it goes to the office as it came, and its neighbours are taken', async () => {
    const device = await world.device()
    const changes = [device.insert(person()), device.insert(person(), { schema: 0 }), device.insert(person())]
    const { results } = await device.push(changes)
    expect(results.map(({ status, code }) => [status, code])).toEqual([
      ['applied', undefined],
      ['rejected', 'VALIDATION'],
      ['applied', undefined],
    ])
    const letters = await rows('select "envelope" from sync_dead_letter where "changeId" = $1', [changes[1]?.changeId])
    expect(letters).toEqual([{ envelope: JSON.parse(JSON.stringify(changes[1])) }])
  })
})
