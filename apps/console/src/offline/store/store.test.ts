import 'fake-indexeddb/auto'
import { afterEach, describe, expect, it } from 'vitest'
import { databaseName, type Owner } from './core.ts'
import { openDatabase } from './database.ts'
import { makeKey } from '../fake-device.ts'
import { openStore, type OfflineStore } from './store.ts'

const key = await makeKey()
let stores: OfflineStore[] = []
afterEach(() => {
  for (const store of stores) store.close()
  stores = []
})
const ownerOf = (userId: string): Owner => ({
  userId,
  companyId: 'company',
  deviceId: crypto.randomUUID(),
  country: () => 'KE',
  tenantId: () => 'tenant',
})
async function open(owner = ownerOf(crypto.randomUUID()), with_ = key): Promise<OfflineStore> {
  const store = await openStore(owner, with_)
  stores.push(store)
  return store
}
const amina = { firstName: 'Amina', lastName: 'Otieno', phonenumber: '0712345678', emailAddress: 'Amina@Example.test' }

describe('what lies on the device', () => {
  it('holds no name, phone or e-mail in the clear', async () => {
    const store = await open()
    await store.append({ type: 'lead', id: 'a', kind: 'create', values: amina })
    await store.keepServerCopy('lead', { Id: 'b', ...amina, firstName: 'Brian', version: 2 })
    const db = await openDatabase(databaseName(store.owner))
    const all = await db.read(async (raw) => [
      ...(await raw.getAll('entities')),
      ...(await raw.getAll('log')),
      ...(await raw.getAll('meta')),
    ])
    const text = JSON.stringify(all, (_, value: unknown) => (value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value))
    for (const secret of ['Amina', 'Brian', '0712345678', '254712345678', 'example'])
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
    db.close()
  })

  it('does not open with another key', async () => {
    const store = await open()
    await expect(open(store.owner, await makeKey())).rejects.toMatchObject({ name: 'OperationError' })
  })

  it('keeps another person’s and another company’s data apart', async () => {
    const first = await open()
    await first.append({ type: 'lead', id: 'a', kind: 'create', values: amina })
    expect(await (await open()).all('lead')).toEqual([])
    expect(await (await open({ ...first.owner, companyId: 'other' })).all('lead')).toEqual([])
  })
})

describe('writing', () => {
  it('sends calls in the order they were made, those of one record together, and no call before what its record waits for', async () => {
    const store = await open()
    for (const Id of ['a', 'b', 'c', 'd']) await store.keepServerCopy('activity', { Id, name: Id, version: 1 })
    const visit = (id: string, meaning: string) => store.append({ type: 'activity', id, kind: 'update', values: { visit: { meaning } } })
    const next = async () => {
      const batch = await store.takeBatch({ limit: 100, blocked: new Set() })
      await store.applyVerdicts(batch.map(({ changeId }) => ({ changeId, status: 'applied' as const, version: 2 })))
      return batch.map(
        ({ entityId, patch }) =>
          `${entityId} ${JSON.stringify(Object.values(patch)[0])
            .replace(/[^a-z]+/g, ' ')
            .trim()
            .split(' ')
            .at(-1)}`,
      )
    }
    await visit('a', 'started')
    await visit('a', 'done')
    await store.append({ type: 'activity', id: 'b', kind: 'update', values: { name: 'renamed' } })
    await visit('b', 'missed')
    await visit('c', 'started')
    await store.append({ type: 'activity', id: 'd', kind: 'update', values: { name: 'edited' } })
    expect(await next()).toEqual(['a started', 'a done', 'b renamed', 'd edited'])
    expect(await next()).toEqual(['b missed', 'c started'])
    expect(await next()).toEqual([])
  })

  it('sends the last of the calls that say how things are to be, with what the first was changed from', async () => {
    const store = await open()
    await store.keepServerCopy('activityPlan', { Id: 'p', name: 'Round', activityIds: ['a'], version: 3 })
    const plan = (base: string[], stops: string[]) =>
      store.append({ type: 'activityPlan', id: 'p', kind: 'update', values: { planned: { base, stops, shows: { activityIds: stops } } } })
    await plan(['a'], ['a', 'b'])
    await plan(['a', 'b'], ['b'])
    expect((await store.unsent()).log).toMatchObject([{ patch: { planned: [null, { base: ['a'], stops: ['b'] }] } }])
    // What has left is what it was; a visit is an event of its own.
    await store.takeBatch({ limit: 10, blocked: new Set() })
    await plan(['b'], ['c'])
    await plan(['c'], ['d'])
    expect((await store.unsent()).log).toMatchObject([
      { patch: { planned: [null, { base: ['a'], stops: ['b'] }] } },
      { patch: { planned: [{ stops: ['b'] }, { base: ['b'], stops: ['d'] }] } },
    ])
  })

  it('writes log and entity together or not at all', async () => {
    const store = await open()
    const db = await openDatabase(databaseName(store.owner))
    const broken = { gen: 0, type: 'lead', id: 'x', version: 0, state: 'pending', server: null, local: (() => undefined) as never } as const
    await expect(
      db.commit([
        { in: 'meta', put: { name: 'maxDone', value: 7 } },
        { in: 'entities', put: broken },
      ]),
    ).rejects.toMatchObject({ name: 'DataCloneError' })
    await expect(
      db.commit([
        { in: 'meta', put: { name: 'maxDone', value: 8 } },
        { in: 'entities', put: { gen: 0 } as never },
      ]),
    ).rejects.toThrow()
    expect(await db.read((raw) => raw.get('meta', 'maxDone'))).toBeUndefined()
    db.close()
  })

  it('refuses a value that cannot be kept before anything is written (sync fault 15)', async () => {
    const store = await open()
    await expect(store.append({ type: 'lead', id: 'a', kind: 'create', values: { ...amina, bad: () => undefined } })).rejects.toMatchObject(
      { name: 'DataCloneError' },
    )
    expect(await store.summary()).toMatchObject({ count: 0 })
    expect(await store.all('lead')).toEqual([])
  })

  it('mends an entity that changed without a logged change, and says so', async () => {
    const store = await open()
    await store.keepServerCopy('lead', { Id: 'a', ...amina, version: 3 })
    await store.append({ type: 'lead', id: 'a', kind: 'update', values: { city: 'Thika' } })
    const db = await openDatabase(databaseName(store.owner))
    await db.commit([{ in: 'log', drop: IDBKeyRange.lowerBound(0) }])
    db.close()
    expect(await store.check()).toHaveLength(1)
    expect((await store.unsent()).log).toMatchObject([{ changeType: 'UPDATE', version: 3, patch: { city: [null, 'Thika'] } }])
    expect(await store.check()).toEqual([])
  })

  it('finds the same phone or e-mail whatever it was typed like', async () => {
    const store = await open()
    await store.append({ type: 'lead', id: 'a', kind: 'create', values: amina })
    await store.keepServerCopy('lead', {
      Id: 'b',
      phonenumber: '0799000111',
      trimmedPhonenumber: '254799000111',
      emailAddress: 'b@example.test',
      version: 1,
    })
    const find = async (...words: string[]) => (await store.findSame('lead', words)).map((entity) => entity.id)
    expect(await find('254712345678')).toEqual(['a'])
    expect(await find('', 'amina@example.test')).toEqual(['a'])
    expect(await find('254799000111', 'amina@example.test')).toEqual(['b', 'a'])
    expect(await find('', '')).toEqual([])
  })

  it('numbers changes upwards for ever, also after they were sent', async () => {
    const store = await open()
    for (const n of [1, 2]) {
      await store.append({ type: 'lead', id: `l${n}`, kind: 'create', values: amina })
      const [change] = await store.takeBatch({ limit: 10, blocked: new Set() })
      await store.applyVerdicts([{ changeId: change?.changeId ?? '', status: 'applied', version: 1, fields: amina }])
      expect(await store.summary()).toEqual({ count: 0, files: 0, oldest: null, maxClientSeq: n, storeId: expect.any(String) })
    }
  })

  it('takes a whole page of 2,000 rows in one go', async () => {
    const store = await open()
    const changes = Array.from({ length: 2_000 }, (_, n) => ({
      t: 'lead',
      id: `r${n}`,
      seq: n,
      op: 'put' as const,
      version: 1,
      data: { ...amina, phonenumber: `07${String(n).padStart(8, '0')}` },
    }))
    const began = process.cpuUsage()
    await store.applyPage({ changes, cursor: 'c', more: false, serverNow: '' }, { cursor: null, isFull: false })
    expect(process.cpuUsage(began).user).toBeLessThan(5_000_000)
    expect(await store.all('lead')).toHaveLength(2_000)
  })
})
