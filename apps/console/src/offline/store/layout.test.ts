import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { afterAll, expect, it } from 'vitest'
import { databaseName } from './core.ts'
import { makeKey } from '../fake-device.ts'
import { openStore, type OfflineStore } from './store.ts'

const opened: OfflineStore[] = []
afterAll(() => {
  for (const store of opened) store.close()
})

/** As devices hold it with unsent work: another layout must bring that work over, and a test that starts from this one. */
const layout = {
  attention: ['changeId', {}],
  blobs: ['id', {}],
  meta: ['name', {}],
  entities: [['gen', 'type', 'id'], { email: ['gen', 'type', 'email'], phone: ['gen', 'type', 'phone'], state: ['gen', 'state'] }],
  log: ['clientSeq', { changeId: 'changeId', entity: ['entityType', 'entityId'] }],
}

it('the stores of devices lie as they did, and a new record is found by its phone and its e-mail in the indexes of those names', async () => {
  const owner = { userId: crypto.randomUUID(), companyId: 'c', deviceId: 'd', country: () => 'KE', tenantId: () => 't' }
  const store = await openStore(owner, await makeKey())
  opened.push(store)
  await store.append({ type: 'lead', id: 'a', kind: 'create', values: { firstName: 'Amina', phonenumber: '0712345678' } })
  await store.append({ type: 'lead', id: 'b', kind: 'create', values: { firstName: 'Brian', emailAddress: 'b@example.test' } })
  const db = await openDB(databaseName(owner))
  const found = Object.fromEntries(
    [...db.objectStoreNames].map((name) => {
      const place = db.transaction(name).store
      return [name, [place.keyPath, Object.fromEntries([...place.indexNames].map((index) => [index, place.index(index).keyPath]))]]
    }),
  )
  const rows = (await db.getAll('entities')).map(({ id, phone, email }) => [id, typeof phone, typeof email])
  db.close()
  expect([db.version, found]).toEqual([1, layout])
  expect(rows).toEqual([
    ['a', 'string', 'undefined'],
    ['b', 'undefined', 'string'],
  ])
})
