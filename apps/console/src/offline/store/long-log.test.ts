import 'fake-indexeddb/auto'
import type { ChangeRecord, PushResult } from '@outpost/contract/sync/protocol'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeKey } from '../fake-device.ts'
import { dropChanges } from './log-count.ts'
import { openStore, type OfflineStore } from './store.ts'

const key = await makeKey()
const owner = () => ({ userId: crypto.randomUUID(), companyId: 'c', deviceId: 'd', country: () => 'KE', tenantId: () => 't' })
let stores: OfflineStore[] = []
let store: OfflineStore
const open = async (of = owner()) => {
  const opened = await openStore(of, key)
  stores.push(opened)
  return opened
}
beforeEach(async () => {
  store = await open()
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const one of stores) one.close()
  stores = []
})
const write = (count: number, into = store) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      into.append({
        type: 'lead',
        id: crypto.randomUUID(),
        kind: 'create',
        values: { firstName: `Amina ${n}`, phonenumber: `07${String(10_000_000 + n)}` },
      }),
    ),
  )
const take = (limit = 500) => store.takeBatch({ limit, blocked: new Set() })
const taken = ({ changeId, entityId, snapshot }: ChangeRecord, more: Partial<PushResult> = {}): PushResult => ({
  changeId,
  status: 'applied',
  version: 1,
  fields: { ...snapshot, Id: entityId, version: 1, status: 'New' },
  ...more,
})
const sealing = () => [vi.spyOn(crypto.subtle, 'decrypt'), vi.spyOn(crypto.subtle, 'encrypt')] as const

it('a batch opens what it gives out and no more, and seals none of it anew', async () => {
  await write(12)
  const [decrypt, encrypt] = sealing()
  const batch = await take(500)
  expect(batch).toHaveLength(12)
  expect([decrypt.mock.calls.length, encrypt.mock.calls.length]).toEqual([12, 0])
  expect(await take(5)).toEqual(batch.slice(0, 5))
  // What is marked as sent is joined by nothing.
  const id = batch[0]?.entityId ?? ''
  await store.append({ type: 'lead', id, kind: 'update', values: { city: 'Thika' } })
  expect((await store.pendingOf('lead', id)).map(({ sent }) => sent)).toEqual([1, 0])
})

it('a full batch does not read on behind it', async () => {
  await write(501)
  const [decrypt] = sealing()
  expect(await take()).toHaveLength(500)
  expect(decrypt).toHaveBeenCalledTimes(500)
})

it('what the server took as it is is put down without opening what was there', async () => {
  await write(3)
  const batch = await take()
  const [decrypt] = sealing()
  expect(
    await store.applyVerdicts(
      batch.map((one) => taken(one)),
      batch,
    ),
  ).toMatchObject({ done: 3, attention: 0 })
  expect(decrypt).not.toHaveBeenCalled()
  for (const { entityId } of batch)
    expect(await store.find('lead', entityId)).toMatchObject({ state: 'clean', version: 1, local: null, server: { status: 'New' } })
  expect(await store.summary()).toMatchObject({ count: 0, oldest: null, maxClientSeq: 3 })
  // The same answer once more, late.
  expect(
    await store.applyVerdicts(
      batch.map((one) => taken(one)),
      batch,
    ),
  ).toMatchObject({ done: 0 })
  expect(await store.summary()).toMatchObject({ count: 0 })
})

it('whatever else a verdict is, what it needs is opened', async () => {
  await write(4)
  const batch = await take()
  const [edited, silent, newer, refused] = batch.map(({ entityId }) => entityId)
  await store.append({ type: 'lead', id: edited ?? '', kind: 'update', values: { firstName: 'Achieng' } })
  await store.keepServerCopy('lead', { Id: newer ?? '', firstName: 'Newer', version: 5 })
  await store.applyVerdicts(
    batch.map((one) =>
      one.entityId === silent
        ? taken(one, { fields: undefined })
        : one.entityId === refused
          ? taken(one, { status: 'rejected', code: 'VALIDATION', message: 'No.', fields: undefined })
          : taken(one),
    ),
    batch,
  )
  expect(await store.find('lead', edited ?? '')).toMatchObject({ state: 'pending', local: { firstName: 'Achieng', status: 'New' } })
  expect(await store.find('lead', silent ?? '')).toMatchObject({ state: 'clean', server: { firstName: 'Amina 1' } })
  expect(await store.find('lead', newer ?? '')).toMatchObject({ state: 'clean', version: 5, server: { firstName: 'Newer' } })
  expect(await store.find('lead', refused ?? '')).toMatchObject({ state: 'attention', local: { firstName: 'Amina 3' } })
  expect((await store.attention.list()).map(({ mine }) => mine.firstName)).toEqual(['Amina 3'])
})

it('the log is counted once: what is written here is added up, what another tab writes is counted anew', async () => {
  const count = vi.spyOn(IDBObjectStore.prototype, 'count')
  const ofLog = () => count.mock.contexts.filter((one) => (one as IDBObjectStore).name === 'log').length
  const counts = async () => (await store.summary()).count
  await write(6)
  expect([await counts(), ofLog()]).toEqual([6, 1])
  const [, second, third, , fifth] = await take()
  const some = [second, third, fifth].filter((one) => one !== undefined)
  await store.applyVerdicts(
    some.map((one) => taken(one)),
    some,
  )
  await write(1)
  expect([await counts(), ofLog()]).toEqual([4, 1])
  // Made and removed before it was sent: nothing is left of it.
  await store.append({ type: 'lead', id: 'x', kind: 'create', values: { firstName: 'X' } })
  await store.append({ type: 'lead', id: 'x', kind: 'remove' })
  expect([await counts(), ofLog()]).toEqual([4, 1])
  const other = await open(store.owner as ReturnType<typeof owner>)
  await write(2, other)
  await vi.waitFor(async () => expect(await counts()).toBe(6), { timeout: 30_000 })
  // A count that is under way while something is written is not kept.
  await Promise.all([write(1), counts(), counts()])
  expect([await counts(), (await other.unsent()).log.length]).toEqual([7, 7])
})

it('rows of numbers are dropped at once', () => {
  const drops = dropChanges([7, 1, 2, 3, 9]).map((step) => ('drop' in step ? step.drop : null))
  expect(drops.map((drop) => (drop instanceof IDBKeyRange ? [drop.lower, drop.upper] : drop))).toEqual([[1, 3], 7, 9])
})
