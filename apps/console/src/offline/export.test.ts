import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { exportOf } from './export.ts'
import { makeKey } from './fake-device.ts'
import { openStore } from './store/store.ts'

it('an export of unsent work holds the changes and every byte of the photos', async () => {
  const owner = { userId: crypto.randomUUID(), companyId: 'c', deviceId: 'd', country: () => 'KE', tenantId: () => 't' }
  const store = await openStore(owner, await makeKey())
  await store.append({ type: 'lead', id: 'a', kind: 'create', values: { firstName: 'Amina', phonenumber: '0712345678' } })
  const pictures = [Uint8Array.from({ length: 100_001 }, (_, at) => at % 251), new Uint8Array([0, 255])]
  const photo = (bytes: Uint8Array<ArrayBuffer>, index: number) => ({
    name: `${index}.jpg`,
    mime: 'image/jpeg',
    bytes: bytes.buffer,
    ownerType: 'lead',
    ownerId: 'a',
  })
  await store.files.add(pictures.map(photo))
  const { content, count } = await exportOf(store, '2026-11-27T08:00:00.000Z')
  const told = JSON.parse(await content.text())
  store.close()
  expect(count).toBe(3)
  expect(told).toMatchObject({ madeAt: '2026-11-27T08:00:00.000Z', userId: owner.userId, companyId: 'c', deviceId: 'd', attention: [] })
  expect(told.log).toMatchObject([{ entityType: 'lead', entityId: 'a', changeType: 'INSERT', snapshot: { firstName: 'Amina' } }])
  // Taken in the same moment they have no order of their own.
  const files = told.files.toSorted((a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name))
  expect(files).toMatchObject([
    { name: '0.jpg', ownerType: 'lead', ownerId: 'a', size: 100_001 },
    { name: '1.jpg', ownerType: 'lead', ownerId: 'a', size: 2 },
  ])
  for (const [index, picture] of pictures.entries())
    expect(Buffer.from(files[index].base64, 'base64').equals(picture), String(index)).toBe(true)
})

it('an export without photos is whole as well', async () => {
  const owner = { userId: crypto.randomUUID(), companyId: 'c', deviceId: 'd', country: () => 'KE', tenantId: () => 't' }
  const store = await openStore(owner, await makeKey())
  const { content, count } = await exportOf(store, '2026-11-27T08:00:00.000Z')
  store.close()
  expect([count, JSON.parse(await content.text())]).toEqual([0, expect.objectContaining({ log: [], attention: [], files: [] })])
})
