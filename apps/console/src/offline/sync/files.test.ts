import 'fake-indexeddb/auto'
import { afterEach, describe, expect, it } from 'vitest'
import type { PushResult } from '@outpost/contract/sync/protocol'
import { databaseName, type Owner } from '../store/core.ts'
import { openDatabase } from '../store/database.ts'
import { makeKey } from '../fake-device.ts'
import type { ClassifyFileError, NewFile } from './files.ts'
import { openStore, type OfflineStore } from '../store/store.ts'

const key = await makeKey()
let stores: OfflineStore[] = []
afterEach(() => {
  for (const store of stores) store.close()
  stores = []
})
async function open(
  owner: Owner = {
    userId: crypto.randomUUID(),
    companyId: 'company',
    deviceId: crypto.randomUUID(),
    country: () => 'KE',
    tenantId: () => 'tenant',
  },
): Promise<OfflineStore> {
  const store = await openStore(owner, key)
  stores.push(store)
  return store
}

const photo = (text = 'the stock of Mama Njeri', ownerId = 'a'): NewFile => ({
  name: 'visit.jpg',
  mime: 'image/jpeg',
  bytes: new TextEncoder().encode(text).buffer,
  ownerType: 'activity',
  ownerId,
})
const visit = (statusId: string) => ({
  visit: { userId: 'me', statusId, statusText: statusId, meaning: statusId, gps: true, deviceTime: '2026-11-21T08:00:00.000Z' },
})
const judge: ClassifyFileError = (error) =>
  (error as Error).message === 'no network' ? 'stop' : (error as Error).message === 'busy' ? 'later' : { refusal: (error as Error).message }

async function withVisit(): Promise<OfflineStore> {
  const store = await open()
  await store.keepServerCopy('activity', { Id: 'a', name: 'Visit', version: 1, assignedUsers: [{ Id: 'me' }] })
  await store.append({ type: 'activity', id: 'a', kind: 'update', values: visit('started') })
  return store
}
const verdict = async (store: OfflineStore, more: Partial<PushResult>) => {
  const [change] = await store.takeBatch({ limit: 1, blocked: new Set() })
  await store.applyVerdicts([
    { changeId: change?.changeId ?? '', status: 'applied', version: 2, fields: { Id: 'a', name: 'Visit', version: 2 }, ...more },
  ])
}
/** A server that remembers what arrived, by id. */
function server() {
  const seen = new Map<string, string>()
  let fault: string | undefined
  return {
    seen,
    breakWith: (message: string | undefined) => {
      fault = message
    },
    send: async ({ id }: { id: string }, bytes: ArrayBuffer) => {
      seen.set(id, new TextDecoder().decode(bytes))
      if (fault !== undefined) throw new Error(fault)
    },
  }
}

describe('visits in the log', () => {
  it('are events of their own: never joined, sent in their order', async () => {
    const store = await withVisit()
    await store.append({ type: 'activity', id: 'a', kind: 'update', values: visit('done') })
    expect(await store.pendingOf('activity', 'a')).toHaveLength(2)
    expect((await store.find('activity', 'a'))?.local).toMatchObject({ name: 'Visit', visit: { statusId: 'done' } })
    expect((await store.takeBatch({ limit: 10, blocked: new Set() })).map(({ patch }) => patch.visit)).toMatchObject([
      [null, { statusId: 'started' }],
      [{ statusId: 'started' }, { statusId: 'done' }],
    ])
  })
})

describe('photos on the device', () => {
  it('lie sealed, and follow the visit they belong to', async () => {
    const store = await withVisit()
    await store.files.add([photo()])
    const db = await openDatabase(databaseName(store.owner))
    const text = JSON.stringify(await db.read((raw) => raw.getAll('blobs')), (_, value: unknown) =>
      value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value,
    )
    db.close()
    expect(text).not.toContain('Mama Njeri')
    const { send, seen } = server()
    expect((await store.files.list()).map(({ state }) => state)).toEqual(['waits'])
    expect(await store.files.send(send, judge)).toBe(0)
    expect(seen.size).toBe(0)
    await verdict(store, {})
    expect((await store.files.list()).map(({ state }) => state)).toEqual(['ready'])
    await store.files.send(send, judge)
    expect([...seen.values()]).toEqual(['the stock of Mama Njeri'])
    expect(await store.files.list()).toEqual([])
  })

  it('leave only when the server confirmed them: a lost answer sends the same id again', async () => {
    const store = await open()
    await store.files.add([photo()])
    const office = server()
    office.breakWith('no network')
    await expect(store.files.send(office.send, judge)).rejects.toThrow('no network')
    expect(await store.files.list()).toHaveLength(1)
    store.close()
    const again = await open(store.owner)
    office.breakWith('busy')
    expect(await again.files.send(office.send, judge)).toBe(1)
    expect((await again.files.list())[0]).toMatchObject({ attempts: 1, state: 'ready' })
    office.breakWith(undefined)
    expect(await again.files.send(office.send, judge)).toBe(0)
    expect(office.seen.size).toBe(1)
    expect(await again.files.list()).toEqual([])
  })

  it('go some at a time, and none begins any more when one finds no network', async () => {
    const store = await open()
    for (let n = 0; n < 12; n++) await store.files.add([photo(`picture ${n}`, `a${n}`)])
    let [now, most, begun] = [0, 0, 0]
    const four = Promise.withResolvers<void>()
    const gate = async (fails: boolean) => {
      begun += 1
      most = Math.max(most, (now += 1))
      // The first four wait for each other; a fifth would come in the milliseconds after.
      if (begun === 4) four.resolve()
      await four.promise
      await new Promise((done) => setTimeout(done, 5))
      now -= 1
      if (fails) throw new Error('no network')
    }
    await expect(store.files.send(() => gate(true), judge)).rejects.toThrow('no network')
    expect([most, begun]).toEqual([4, 4])
    expect(await store.files.list()).toHaveLength(12)
    expect(await store.files.send(() => gate(false), judge)).toBe(0)
    expect([most, begun, await store.files.list()]).toEqual([4, 16, []])
  })

  it('that are refused stop nobody and wait for a person', async () => {
    const store = await open()
    await store.files.add([photo('one')])
    await store.files.add([photo('two', 'b')])
    const office = server()
    expect(
      await store.files.send(async (file, bytes) => {
        if (file.ownerId === 'a') throw new Error('This type is not taken.')
        await office.send(file, bytes)
      }, judge),
    ).toBe(0)
    const [refused, ...others] = await store.files.list()
    expect(refused).toMatchObject({ ownerId: 'a', state: 'refused', refusal: 'This type is not taken.' })
    expect(others).toEqual([])
    await store.files.send(office.send, judge)
    expect(office.seen.size).toBe(1)
    await store.files.retry(refused?.id ?? '')
    await store.files.send(office.send, judge)
    expect(office.seen.size).toBe(2)
  })

  it('are held with a refused visit: go with it when it is given up, follow it when it is tried again', async () => {
    for (const decision of ['discard', 'retry'] as const) {
      const store = await withVisit()
      await store.files.add([photo()])
      await verdict(store, { status: 'rejected', code: 'STATUS', message: 'is done', fields: { Id: 'a', name: 'Visit', version: 3 } })
      expect((await store.files.list()).map(({ state }) => state)).toEqual(['held'])
      const [attention] = await store.attention.list()
      if (decision === 'discard') await store.attention.discard(attention?.changeId ?? '')
      else await store.attention.retry(attention?.changeId ?? '', { visit: attention?.mine.visit })
      expect((await store.files.list()).map(({ state }) => state)).toEqual(decision === 'discard' ? [] : ['waits'])
      if (decision === 'discard') continue
      expect((await store.takeBatch({ limit: 1, blocked: new Set() }))[0]?.patch).toMatchObject({ visit: [null, { statusId: 'started' }] })
    }
  })

  it('that find no room are refused before anything is written', async () => {
    const store = await open()
    await expect(store.files.add([{ ...photo(), bytes: new ArrayBuffer(11 * 1024 * 1024) }])).rejects.toThrow('too large')
    expect(await store.files.list()).toEqual([])
  })
})

describe('files of a record', () => {
  const paper = (id: string, text: string, ownerId = 'f'): NewFile => ({ ...photo(text, ownerId), id, ownerType: 'webFormAnswer' })
  const filled = { name: 'Stall', formVersionId: 'v', answers: { size: 0 } }
  const refuse = async (store: OfflineStore, more: Partial<PushResult> = {}) => {
    const [change] = await store.takeBatch({ limit: 1, blocked: new Set() })
    await store.applyVerdicts([{ changeId: change?.changeId ?? '', status: 'rejected', code: 'VALIDATION', message: 'no', ...more }])
    return change?.changeId ?? ''
  }
  const states = async (store: OfflineStore) => (await store.files.list()).map(({ id, state, ownerId }) => [id, state, ownerId])

  it('are kept with it under the Ids that it names, wait for it, and go after it', async () => {
    const office = server()
    const store = await open()
    await store.append({ type: 'webFormAnswer', id: 'f', kind: 'create', values: filled, files: [paper('p1', 'front')] })
    expect(await states(store)).toEqual([['p1', 'waits', 'f']])
    expect(await store.files.send(office.send, judge)).toBe(0)
    expect(office.seen.size).toBe(0)
    await verdict(store, { fields: { Id: 'f', ...filled, version: 1 } })
    expect(await states(store)).toEqual([['p1', 'ready', 'f']])
    await store.files.send(office.send, judge)
    expect([...office.seen]).toEqual([['p1', 'front']])
  })

  it('are held while it is refused, and go with what is mended, with a new one beside them', async () => {
    const office = server()
    const store = await open()
    await store.append({ type: 'webFormAnswer', id: 'f', kind: 'create', values: filled, files: [paper('p1', 'front')] })
    const changeId = await refuse(store)
    expect(await states(store)).toEqual([['p1', 'held', 'f']])
    await store.attention.retry(changeId, { ...filled, answers: { size: 4 } }, [paper('p2', 'back')])
    expect((await states(store)).toSorted()).toEqual([
      ['p1', 'waits', 'f'],
      ['p2', 'waits', 'f'],
    ])
    expect(await store.files.send(office.send, judge)).toBe(0)
    expect(office.seen.size).toBe(0)
    await verdict(store, { fields: { Id: 'f', ...filled, version: 1 } })
    await store.files.send(office.send, judge)
    expect([...office.seen.keys()].toSorted()).toEqual(['p1', 'p2'])
  })

  it('follow a record that was removed meanwhile to the one that takes its place', async () => {
    const store = await open()
    await store.append({ type: 'webFormAnswer', id: 'f', kind: 'create', values: filled, files: [paper('p1', 'front')] })
    const id = await store.attention.retry(await refuse(store, { code: 'GONE' }), filled)
    expect(id).not.toBe('f')
    expect(await states(store)).toEqual([['p1', 'waits', id]])
  })

  it('go with a record that is given up, those of later changes too', async () => {
    const store = await open()
    await store.append({ type: 'activity', id: 'a', kind: 'create', values: { name: 'Visit' } })
    const [change] = await store.takeBatch({ limit: 1, blocked: new Set() })
    await store.append({ type: 'activity', id: 'a', kind: 'update', values: visit('started') })
    await store.files.add([photo()])
    await store.applyVerdicts([{ changeId: change?.changeId ?? '', status: 'rejected', code: 'VALIDATION', message: 'no' }])
    expect(await store.files.list()).toMatchObject([{ state: 'waits' }])
    await store.attention.discard(change?.changeId ?? '')
    expect(await store.files.list()).toEqual([])
  })

  it('are kept together with it or not at all', async () => {
    const store = await open()
    const large: NewFile = { ...paper('p1', ''), bytes: new ArrayBuffer(11 * 1024 * 1024) }
    const edit = { type: 'webFormAnswer', id: 'f', kind: 'create', values: filled, files: [large] } as const
    await expect(store.append(edit)).rejects.toThrow('too large')
    expect([await store.files.list(), await store.pendingOf('webFormAnswer', 'f')]).toEqual([[], []])
  })
})
