import 'fake-indexeddb/auto'
import type { PullChange } from '@outpost/contract/sync/protocol'
import { expect, it } from 'vitest'
import { makeKey } from '../fake-device.ts'
import { openStore } from './store.ts'

const at = (daysBack: number) => new Date(Date.parse('2026-11-27T08:00:00.000Z') - daysBack * 86_400_000).toISOString()
const put = (t: string, id: string, data: Record<string, unknown>): PullChange => ({
  t,
  id,
  seq: 1,
  op: 'put',
  version: 1,
  data: { Id: id, ...data },
})

it('drops what became too old, once a day by the server’s clock: never what is unsent, open, or of a kind without a window', async () => {
  const store = await openStore(
    { userId: crypto.randomUUID(), companyId: 'company', deviceId: crypto.randomUUID(), country: () => 'KE', tenantId: () => 'tenant' },
    await makeKey(),
  )
  const pull = async (serverNow: string, changes: PullChange[] = [], more = false) =>
    store.applyPage({ changes, cursor: crypto.randomUUID(), more, serverNow }, await store.pullPoint())
  const held = async (type: string) => (await store.all(type)).map(({ id }) => id).toSorted()
  await pull(
    at(1),
    [
      put('activity', 'old', { endDate: at(95) }),
      put('activity', 'edge', { endDate: at(90.5) }),
      put('activity', 'fresh', { endDate: at(2) }),
      put('activity', 'unsent', { endDate: at(95), name: 'Visit' }),
      put('task', 'done', { completedAt: at(95) }),
      put('task', 'open', { completedAt: null }),
      put('lead', 'lead', { dateCreated: at(500) }),
    ],
    true,
  )
  await store.append({ type: 'activity', id: 'unsent', kind: 'update', values: { name: 'Visited' } })
  expect(await held('activity')).toEqual(['edge', 'fresh', 'old', 'unsent'])
  await pull(at(1))
  expect([await held('activity'), await held('task'), await held('lead')]).toEqual([['edge', 'fresh', 'unsent'], ['open'], ['lead']])
  await pull(at(1), [put('activity', 'late', { endDate: at(95) })])
  expect(await held('activity')).toContain('late')
  await pull(at(0))
  expect(await held('activity')).toEqual(['fresh', 'unsent'])
  store.close()
})
