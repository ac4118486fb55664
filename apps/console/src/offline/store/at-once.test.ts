import 'fake-indexeddb/auto'
import { clear, createStore, entries, get, set } from 'idb-keyval'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../data/api.ts'
import type { DayAction } from '../../device/day-actions.ts'
import { closeInMemory, currentDataKey, currentDataOwner, prepareDataKey, unlockOffline } from '../../session/unlock/unlock.ts'
import { lookupOf } from '../../session/unlock/entries.ts'
import type { UnlockError } from '../../session/unlock/limits.ts'
import { openStore } from './store.ts'
import { cached, draftPlace, dropViews, putCached } from './views-cache.ts'

const { call } = vi.hoisted(() => ({ call: vi.fn<(name: string, options: { body: { Id: string } }) => Promise<unknown>>() }))
vi.mock('../../data/calls.ts', () => ({ call }))
// The tabs share the class of its errors, which are known by it.
vi.mock('../../data/api.ts', async (original) => ({ ...(await original<object>()) }))

const keyStore = createStore('outpost-device', 'unlock')
const offline = new ApiError({ status: 0, code: 'NETWORK', message: 'No answer.' })
const person = { companyId: 'company', names: ['officer@sunrise.test'], password: 'outpost-demo-2026' }
let userId = ''

const started = (): DayAction => ({ Id: crypto.randomUUID(), action: 1, performedByUserId: userId, deviceTime: new Date().toISOString() })
const fix = () => ({ latitude: -1.28, longitude: 36.81, accuracy: 8, at: Date.now() })
const idsOf = async (name: string) => ((await cached<{ Id: string }[]>(name)) ?? []).map(({ Id }) => Id)
/** What another tab of this device runs: modules of its own over the same databases. */
async function otherTab() {
  vi.resetModules()
  const unlock = await import('../../session/unlock/unlock.ts')
  await unlock.resumeDataKey({ userId, companyId: person.companyId })
  return { actions: await import('../../device/day-actions.ts'), positions: await import('../../device/positions.ts') }
}

beforeEach(async () => {
  // unlock.test.ts proves the rounds; here they would only take time.
  const derive = crypto.subtle.deriveKey.bind(crypto.subtle)
  vi.spyOn(crypto.subtle, 'deriveKey').mockImplementation((method, ...rest) =>
    derive({ ...(method as Pbkdf2Params), iterations: 1_000 }, ...rest),
  )
  const tab = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => tab.set(key, value),
    removeItem: (key: string) => tab.delete(key),
  })
  await clear(keyStore)
  userId = crypto.randomUUID()
  await prepareDataKey({ userId, ...person })
  call.mockReset().mockRejectedValue(offline)
})
afterEach(() => {
  closeInMemory()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('what is queued while something else reads and writes the queue', () => {
  it('a start of the day stays when it comes while those before it are sent', async () => {
    const { actions } = await otherTab()
    const [first, second, third] = [started(), started(), started()]
    for (const one of [first, second]) await actions.logDayAction(one)
    const sent: string[] = []
    call.mockImplementation(async (_name, { body }) => {
      if (body.Id === third.Id) throw offline
      sent.push(body.Id)
      // While the first one is on its way, its person stops the day without an answer.
      if (body.Id === first.Id) await actions.logDayAction(third)
    })
    await actions.flushDayActions()
    expect(sent).toEqual([first.Id, second.Id])
    expect(await idsOf('day-actions')).toEqual([third.Id])
  })

  it('five starts at once, of two tabs, are all kept', async () => {
    const [one, other] = [await otherTab(), await otherTab()]
    const all = Array.from({ length: 6 }, started)
    await Promise.all(all.map((action, n) => [one, other][n % 2]?.actions.logDayAction(action)))
    expect((await idsOf('day-actions')).sort()).toEqual(all.map(({ Id }) => Id).sort())
  })

  it('a position that one tab queued is not taken away by another one that had read the queue before', async () => {
    const [one, other] = [await otherTab(), await otherTab()]
    await other.positions.flushPositions()
    for (let n = 0; n < 3; n += 1) await one.positions.storePosition(fix(), 80)
    await other.positions.storePosition(fix(), 80)
    const kept = await idsOf('positions')
    expect(new Set(kept).size).toBe(4)
    // What one tab has sent, the other does not bring back.
    const sent: string[] = []
    call.mockImplementation(async (_name, { body }) => {
      sent.push(...(body as unknown as { positions: { Id: string }[] }).positions.map(({ Id }) => Id))
    })
    await one.positions.flushPositions()
    await other.positions.storePosition(fix(), 80)
    expect(sent.slice(0, 4)).toEqual(kept)
    expect(sent).toHaveLength(5)
    expect(await idsOf('positions')).toEqual([])
  })

  it('is not removed with the views of a key', async () => {
    await putCached('frame', { a: 1 })
    await putCached('day-actions', [started()])
    const { storeId = '' } = currentDataOwner() ?? {}
    const [mine, others] = [`${draftPlace(userId, storeId)}/forms/fill:new`, `${draftPlace('somebody', storeId)}/forms/fill:new`]
    await Promise.all([set(mine, 1), set(others, 1)])
    expect(await dropViews(userId, storeId)).toBe(false)
    expect(await get(mine)).toBe(1)
    expect([await cached('frame'), (await idsOf('day-actions')).length]).toEqual([undefined, 1])
    await putCached('day-actions', [])
    expect(await dropViews(userId, storeId)).toBe(true)
    expect([await get(mine), await get(others)]).toEqual([undefined, 1])
    expect(await cached('day-actions')).toBeUndefined()
  })
})

describe('what two tabs do at once', () => {
  it('finds a person by one salt', async () => {
    await clear(keyStore)
    const found = await Promise.all(Array.from({ length: 4 }, () => lookupOf('officer@sunrise.test')))
    expect(new Set(found).size).toBe(1)
    expect(await lookupOf('officer@sunrise.test')).toBe(found[0])
  })

  it('tries no more passwords than one after the other', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => unlockOffline('officer@sunrise.test', 'a guess')))
    const reasons = tries.map((one) => (one.status === 'rejected' ? (one.reason as UnlockError).reason : 'opened'))
    expect(reasons.toSorted()).toEqual([...Array<string>(5).fill('locked'), ...Array<string>(5).fill('wrong')])
    const kept = (await entries<string, { failures?: number }>(keyStore)).find(([name]) => name.startsWith('entry:'))
    expect(kept?.[1].failures).toBe(5)
    await expect(unlockOffline('officer@sunrise.test', person.password)).rejects.toThrow('Too many wrong passwords')
  })

  it('opens a new store under one name, and finds in it what the other tab wrote', async () => {
    const [owner, key] = [currentDataOwner(), currentDataKey()]
    if (!owner || !key) throw new Error('locked')
    const open = () => openStore({ ...owner, deviceId: crypto.randomUUID(), country: () => 'KE', tenantId: () => 't' }, key)
    const [one, other] = await Promise.all([open(), open()])
    expect((await one.summary()).storeId).toBe((await other.summary()).storeId)
    await one.append({ type: 'lead', id: 'a', kind: 'create', values: { firstName: 'Amina', phonenumber: '0712345678' } })
    expect(await other.findSame('lead', ['254712345678'])).toHaveLength(1)
    one.close()
    other.close()
  })
})
