import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { closeInMemory, lockDataKey, prepareDataKey, unlockOffline } from '../session/unlock/unlock.ts'
import { setCurrentOffline } from './current.ts'
import { openCurrent } from './fake-session.ts'
import { keepRows, mostListed } from './listed.ts'
import { localEntity } from './local-entity.ts'
import type { OfflineStore } from './store/store.ts'
import { wipeDevice } from './store/wipe.ts'

const [email, password] = ['officer@sunrise.test', 'outpost-demo-2026']
let userId = ''
let store: OfflineStore | null = null
const vehicles = () => localEntity('asset') ?? expect.fail('vehicles are not kept')
const plates = async (search = '') =>
  (await vehicles().list({ page: 1, size: 50, search })).rows.map(({ registrationNumber }) => registrationNumber)
const vehicle = (n: number) => ({ Id: `a${n}`, registrationNumber: `KDA ${n}`, make: n % 2 ? 'Isuzu' : 'Toyota' })

function close(): void {
  setCurrentOffline(null)
  store?.close()
  store = null
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
  await lockDataKey()
  userId = crypto.randomUUID()
  await prepareDataKey({ userId, companyId: 'company', names: [email], password })
  store = await openCurrent()
})

afterEach(() => {
  close()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('is the newest list, searched and opened, and takes no change', async () => {
  await keepRows('asset', [vehicle(1), vehicle(2), vehicle(3)])
  expect([await plates(), await plates('isuzu')]).toEqual([
    ['KDA 1', 'KDA 2', 'KDA 3'],
    ['KDA 1', 'KDA 3'],
  ])
  expect(await vehicles().get('a2')).toMatchObject({ make: 'Toyota' })
  await expect(vehicles().get('a9')).rejects.toMatchObject({ status: 404 })
  expect([vehicles().mayKeep('read'), vehicles().mayKeep('save')]).toEqual([true, false])
  await expect(vehicles().remove('a1')).rejects.toMatchObject({ code: 'NETWORK' })
  await expect(vehicles().save({ call: { method: 'PUT', path: '/x' }, values: {} })).rejects.toMatchObject({ code: 'NETWORK' })
  // What the office no longer shows is here no longer.
  await keepRows('asset', [vehicle(3)])
  expect(await plates()).toEqual(['KDA 3'])
  await keepRows(
    'asset',
    Array.from({ length: mostListed + 5 }, (_, n) => vehicle(n)),
  )
  expect((await vehicles().list({ page: 1, size: 10 })).meta.total).toBe(mostListed)
})

it('is sealed: nobody else reads it, and a wiped device has it no more', async () => {
  await keepRows('asset', [vehicle(1)])
  closeInMemory()
  expect(await plates()).toEqual([])
  await prepareDataKey({ userId: crypto.randomUUID(), companyId: 'company', names: ['other@sunrise.test'], password })
  expect(await plates()).toEqual([])
  await lockDataKey()
  await unlockOffline(email, password)
  close()
  store = await openCurrent()
  expect(await plates()).toEqual(['KDA 1'])
  await wipeDevice(userId)
  expect(await plates()).toEqual([])
})
