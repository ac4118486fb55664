import 'fake-indexeddb/auto'
import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import type { LogSummary } from '../store/log.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeKey } from '../fake-device.ts'
import { openStore, type OfflineStore } from '../store/store.ts'
import { createLoop } from './loop.ts'

const key = await makeKey()
let store: OfflineStore
let events: string[] = []
let told: LogSummary[] = []
beforeEach(async () => {
  events = []
  told = []
  store = await openStore({ userId: crypto.randomUUID(), companyId: 'c', deviceId: 'd', country: () => 'KE', tenantId: () => 't' }, key)
})
afterEach(() => store.close())

const has = (event: string) => vi.waitFor(() => expect(events).toContain(event), { timeout: 30_000 })
const create = (id: string) => store.append({ type: 'lead', id, kind: 'create', values: { firstName: id, phonenumber: '' } })
const names = (changes: readonly ChangeRecord[]) => changes.map(({ entityId, clientSeq }) => `${entityId}${clientSeq}`).join(' ')

/** A cycle in which one change goes at a time; `during` says what the server waits for while it works on one. */
async function cycle(during: (name: string) => Promise<void> = async () => undefined): Promise<void> {
  const loop = createLoop({
    now: () => 0,
    setTimer: () => () => undefined,
    isOnline: async () => true,
    hasRoom: async () => true,
    push: async (changes, summary) => {
      told.push(summary)
      if (changes.length === 0) return { serverNow: '', results: [] }
      events.push(`push ${names(changes)}`)
      await during(names(changes))
      events.push(`answer ${names(changes)}`)
      return {
        serverNow: '',
        results: changes.map(({ changeId, entityId, snapshot }) => ({
          changeId,
          status: 'applied',
          version: 1,
          fields: { ...snapshot, Id: entityId, version: 1 },
        })),
      }
    },
    pull: async () => ({ changes: [], cursor: 'c', more: false, serverNow: '2026-11-27T08:00:00.000Z' }),
    refusalOf: (error) => ({ status: 0, message: String(error) }),
    sendFiles: async () => 0,
    store: {
      ...store,
      takeBatch: async (limits) => {
        const batch = await store.takeBatch({ ...limits, limit: 1 })
        events.push(`take ${names(batch)}`)
        return batch
      },
      applyVerdicts: async (results, sent) => {
        const applied = await store.applyVerdicts(results, sent)
        events.push(`work in ${names(sent)}`)
        return applied
      },
    },
    alone: async (run) => {
      await run()
      return true
    },
    report: () => undefined,
  })
  loop.start()
  await loop.trigger('asked')
  loop.stop()
}

it('while the server works, the answer before is worked in and the next batch is prepared', async () => {
  for (const id of ['a', 'b', 'c']) await create(id)
  await cycle(async (name) => {
    if (name === 'a1') await has('take b2')
    if (name === 'b2') await has('take c3')
    if (name === 'c3') await has('work in b2')
  })
  expect(events.filter((event) => event !== 'take ')).toEqual([
    ...['take a1', 'push a1', 'take b2', 'answer a1'],
    ...['push b2', 'work in a1', 'take c3', 'answer b2'],
    ...['push c3', 'work in b2', 'answer c3', 'work in c3'],
  ])
  // Each push says what is left as it is then, and the last word is that nothing is.
  expect(told.map(({ count }) => count)).toEqual([3, 2, 1])
  expect(await store.summary()).toMatchObject({ count: 0 })
})

it('a change waits until the verdict on the one before it of its record is worked in', async () => {
  await create('a')
  await store.takeBatch({ limit: 1, blocked: new Set() })
  await store.append({ type: 'lead', id: 'a', kind: 'update', values: { city: 'Thika' } })
  await create('b')
  await cycle()
  expect(events.filter((event) => event.startsWith('push'))).toEqual(['push a1', 'push b3', 'push a2'])
  expect(events.indexOf('work in a1')).toBeLessThan(events.indexOf('take a2'))
})

it('a call is overtaken by no other one while the one before it is on its way', async () => {
  const visit = (statusId: string) => ({ visit: { userId: 'me', statusId, statusText: '', meaning: '', gps: true, deviceTime: '' } })
  for (const id of ['a', 'b']) await store.keepServerCopy('activity', { Id: id, name: 'Visit', version: 1, assignedUsers: [{ Id: 'me' }] })
  for (const [id, status] of [
    ['a', 'started'],
    ['a', 'done'],
    ['b', 'started'],
  ] as const)
    await store.append({ type: 'activity', id, kind: 'update', values: visit(status) })
  await cycle()
  expect(events.filter((event) => event.startsWith('push'))).toEqual(['push a1', 'push a2', 'push b3'])
})

it('what the server has answered is worked in although the next batch finds no line, and nothing is lost or sent anew', async () => {
  for (const id of ['a', 'b', 'c']) await create(id)
  await cycle(async (name) => {
    if (name === 'b2') throw new Error('no line')
  })
  expect((await store.unsent()).log.map(({ entityId, sent }) => [entityId, sent])).toEqual([
    ['b', 1],
    ['c', 1],
  ])
  events = []
  await cycle()
  expect(events.filter((event) => event.startsWith('push'))).toEqual(['push b2', 'push c3'])
  expect(await store.summary()).toMatchObject({ count: 0 })
})
