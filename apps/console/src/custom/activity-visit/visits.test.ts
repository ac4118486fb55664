import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PushResult } from '@outpost/contract/sync/protocol'
import { reportReached } from '../../data/connection.ts'
import { setCurrentOffline } from '../../offline/current.ts'
import { makeKey } from '../../offline/fake-device.ts'
import { idleLoop } from '../../offline/fake-session.ts'
import { openStore, type OfflineStore } from '../../offline/store/store.ts'
import { saveVisit } from './visits.ts'

const key = await makeKey()
const activity = { Id: 'a1', name: 'Visit Gikomba', version: 3, assignedUsers: [] }
const visit = { userId: 'u', statusId: 's2', statusText: 'Visited', meaning: 'done', gps: false, deviceTime: new Date().toISOString() }
let store: OfflineStore
let calls: string[] = []
let sent: string[] = []

/** A loop whose office answers so, or not at all. */
function answer(verdict: Partial<PushResult> | null): void {
  const trigger = async (): Promise<void> => {
    const batch = await store.takeBatch({ limit: 10, blocked: new Set() })
    sent.push(...batch.map(({ changeId }) => changeId))
    if (verdict)
      await store.applyVerdicts(batch.map(({ changeId }) => ({ changeId, status: 'applied', version: 4, fields: activity, ...verdict })))
  }
  setCurrentOffline({ store, loop: { ...idleLoop, trigger } })
}

beforeEach(async () => {
  ;[calls, sent] = [[], []]
  vi.stubGlobal('fetch', async (url: string) => {
    calls.push(url)
    throw new TypeError('Failed to fetch')
  })
  reportReached()
  store = await openStore(
    { userId: crypto.randomUUID(), companyId: 'c', deviceId: crypto.randomUUID(), country: () => 'KE', tenantId: () => 't' },
    key,
  )
})
afterEach(() => {
  setCurrentOffline(null)
  store.close()
  vi.unstubAllGlobals()
})

it('is sent as one change, never by the call beside it', async () => {
  answer({})
  expect(await saveVisit({ activity, visit })).toEqual({ queued: false })
  expect([sent.length, calls]).toEqual([1, []])
  expect(await store.summary()).toMatchObject({ count: 0 })
})

it('is kept after 3 s without an answer, as the very change that was sent', async () => {
  answer(null)
  const timers = vi.spyOn(globalThis, 'setTimeout')
  expect(await saveVisit({ activity, visit })).toEqual({ queued: true })
  expect(timers.mock.calls.map(([, ms]) => ms).filter((ms) => (ms ?? 0) > 100)).toEqual([3_000])
  timers.mockRestore()
  expect((await store.unsent()).log).toMatchObject([{ changeId: sent[0], sent: 1 }])
})

it('tells what the office refuses, and leaves nothing to decide later', async () => {
  answer({ status: 'rejected', code: 'STATUS', message: 'The activity is done already.' })
  await expect(saveVisit({ activity, visit })).rejects.toThrow('The activity is done already.')
  expect([await store.attention.count(), (await store.summary()).count]).toEqual([0, 0])
})

it('says without a store that nothing was saved', async () => {
  await expect(saveVisit({ activity, visit })).rejects.toThrow('Nothing was saved: this device keeps no changes.')
})
