import 'fake-indexeddb/auto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { clear, createStore, entries, set } from 'idb-keyval'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  changeUnlockPassword,
  closeInMemory,
  currentDataKey,
  currentDataOwner,
  lockDataKey,
  prepareDataKey,
  unlockOffline,
} from '../../session/unlock/unlock.ts'
import { databaseName } from './core.ts'
import { setCurrentOffline } from '../current.ts'
import { openCurrent } from '../fake-session.ts'
import { openDatabase } from './database.ts'
import { dropStore, peekStore, StoreInUseError, storesOf } from './drop-store.ts'
import { forgetPerson, openSealedWork, tidyFormerKeys, workOfPerson } from './sealed-work.ts'
import { openStore, type OfflineStore } from './store.ts'
import { cached, putCached } from './views-cache.ts'
import { wipeDevice } from './wipe.ts'

const keyStore = createStore('outpost-device', 'unlock')
const password = 'outpost-demo-2026'
const companyId = 'company'
let userId = ''
let store: OfflineStore | null = null

/** What a sign-in does: the key, then the store that it seals. */
async function signIn(given: { as?: string; name?: string; password?: string } = {}): Promise<OfflineStore> {
  await leave()
  await prepareDataKey({
    userId: given.as ?? userId,
    companyId,
    names: [given.name ?? 'officer@sunrise.test'],
    password: given.password ?? password,
  })
  store = await openCurrent()
  return store
}

async function leave(): Promise<void> {
  setCurrentOffline(null)
  store?.close()
  store = null
  await lockDataKey()
}

const capture = (to: OfflineStore, id = 'a') =>
  to.append({ type: 'lead', id, kind: 'create', values: { firstName: 'Amina', lastName: 'Otieno', phonenumber: '0712345678' } })
const tidy = () => tidyFormerKeys(currentDataOwner() ?? { userId: '', storeId: '' })
const logOf = async (one: OfflineStore) => (await one.unsent()).log.map(({ entityId }) => entityId)
/** Changes on this device that the server never had, whatever seals them. */
const unsentHere = async () => (await Promise.all((await storesOf(userId)).map(peekStore))).reduce((sum, { count }) => sum + count, 0)

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
  closeInMemory()
  await clear(keyStore)
  userId = crypto.randomUUID()
})
afterEach(async () => {
  await leave()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the one function that deletes', () => {
  it('is the only one there is', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'),
    )
    expect(files.filter((name) => /\bdeleteDB\b|deleteDatabase/.test(readFileSync(`${root}/${name}`, 'utf8')))).toEqual([
      'offline/store/drop-store.ts',
    ])
  })

  it.each<[string, (name: string) => Promise<unknown>]>([
    ['an unsent change', async () => capture(await signIn())],
    [
      'a refused change',
      async () => {
        const opened = await signIn()
        await capture(opened)
        await opened.setAside((await opened.unsent()).log[0]?.changeId ?? '', 'TOO_LARGE', 'too large')
      },
    ],
    [
      'a photo',
      async () =>
        (await signIn()).files.add([{ name: 'a.jpg', mime: 'image/jpeg', bytes: new ArrayBuffer(8), ownerType: 'activity', ownerId: 'a' }]),
    ],
  ])('refuses a store with %s', async (_, work) => {
    await work('')
    const [name = ''] = await storesOf(userId)
    await leave()
    await expect(dropStore(name)).rejects.toThrow(StoreInUseError)
    expect(await unsentHere()).toBe(1)
  })

  it('deletes a store in which all was sent, and leaves one that cannot be looked into', async () => {
    await signIn()
    const [name = ''] = await storesOf(userId)
    await leave()
    await dropStore(name)
    expect(await storesOf(userId)).toEqual([])
    const later = `outpost:${userId}:later`
    await new Promise((done, refuse) => {
      const request = indexedDB.open(later, 99)
      request.onerror = refuse
      request.onsuccess = () => done(request.result.close())
    })
    await expect(dropStore(later)).rejects.toThrow()
    expect(await storesOf(userId)).toEqual([later])
  })
})

describe('unsent work stays on every way that could reach it', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['signed in under another name', () => signIn({ name: 'amina' })],
    [
      'another person signed in between',
      async () =>
        signIn({ as: crypto.randomUUID(), name: 'brian@sunrise.test', password: 'their own long password' })
          .then(tidy)
          .then(() => signIn()),
    ],
    ['signed out', async () => leave().then(() => signIn())],
    [
      'a failed unlock, eleven times',
      async () => {
        await leave()
        for (let n = 0; n < 11; n++) await unlockOffline('officer@sunrise.test', `wrong ${n}`).catch(() => undefined)
        await signIn()
      },
    ],
    [
      'the password changed here',
      async () => {
        await changeUnlockPassword(userId, password, 'a new long password')
        await signIn({ password: 'a new long password' })
      },
    ],
    [
      'signed in again and again',
      async () => {
        for (let n = 0; n < 3; n++) await signIn().then(tidy)
      },
    ],
    [
      'signed out by the office',
      async () => {
        await leave()
        await wipeDevice(userId)
        await signIn()
      },
    ],
    [
      'a wipe of this device',
      async () => {
        await leave()
        expect(await forgetPerson(userId)).toBe(1)
        await signIn()
      },
    ],
  ])(
    '%s',
    async (_, way) => {
      await capture(await signIn())
      await way()
      await tidy()
      if (!store) throw new Error('no store')
      expect(await logOf(store)).toEqual(['a'])
      expect(await storesOf(userId)).toHaveLength(1)
    },
    30_000,
  )

  it('a reset elsewhere: it waits behind the old password, is told with its day, and goes on when that is given', async () => {
    const old = await signIn()
    await capture(old)
    await putCached('day-actions', [{ Id: 'd1', action: 1 }])
    const [{ changeId, dateModified } = { changeId: '', dateModified: '' }] = (await old.unsent()).log
    const fresh = await signIn({ password: 'set anew elsewhere' })
    expect(await tidy()).toMatchObject({ count: 2, oldest: dateModified, maxClientSeq: 1 })
    expect(await logOf(fresh)).toEqual([])
    await capture(fresh, 'b')
    await expect(openSealedWork('a guess')).rejects.toThrow('does not open')
    await openSealedWork(password)
    expect((await fresh.unsent()).log).toMatchObject([{ entityId: 'b' }, { entityId: 'a', changeId, snapshot: { firstName: 'Amina' } }])
    expect((await fresh.find('lead', 'a'))?.local).toMatchObject({ firstName: 'Amina' })
    expect(await cached('day-actions')).toEqual([{ Id: 'd1', action: 1 }])
    expect(await tidy()).toMatchObject({ count: 0 })
    expect(await storesOf(userId)).toEqual([databaseName(fresh.owner)])
    expect((await entries(keyStore)).filter(([name]) => String(name).startsWith('entry:'))).toHaveLength(1)
  })

  it('a reset, and the carrying over is broken off half-way: nothing is lost, nothing is there twice', async () => {
    const old = await signIn()
    await capture(old)
    const work = await old.work()
    const fresh = await signIn({ password: 'set anew elsewhere' })
    await fresh.takeOver(work)
    await openSealedWork(password)
    expect(await logOf(fresh)).toEqual(['a'])
    expect(await unsentHere()).toBe(1)
  })

  it('a reset with nothing unsent: the old store goes without a question', async () => {
    await signIn()
    await signIn({ password: 'set anew elsewhere' })
    expect(await tidy()).toMatchObject({ count: 0 })
    expect(await storesOf(userId)).toHaveLength(1)
  })

  it('a torn key: what it sealed stays, and the person works on', async () => {
    await capture(await signIn())
    const [[slot, entry] = ['', {}]] = (await entries<string, object>(keyStore)).filter(([name]) => name.startsWith('entry:'))
    await set(slot, { ...entry, wrapped: new ArrayBuffer(3), salt: undefined }, keyStore)
    await capture(await signIn(), 'b')
    expect(await tidy()).toMatchObject({ count: 1 })
    expect(await workOfPerson(userId)).toBe(2)
    expect(await unsentHere()).toBe(2)
  })

  it('an update of the app: keys and stores of before are found and used as they are (sync fault 16)', async () => {
    await signIn()
    const [[slot, entry] = ['', {}]] = (await entries<string, { storeId?: string }>(keyStore)).filter(([name]) => name.startsWith('entry:'))
    const lookup = (await entries<string, string>(keyStore)).find(([name]) => name.startsWith('name:'))?.[0].slice('name:'.length) ?? ''
    const key = currentDataKey()
    if (!key) throw new Error('locked')
    await clear(keyStore).then(() => set(`entry:${lookup}`, { ...entry, storeId: undefined }, keyStore))
    const before = await openStore({ userId, companyId, deviceId: 'd', country: () => 'KE', tenantId: () => 't' }, key)
    await capture(before)
    before.close()
    expect(slot).not.toBe('')
    await set('salt', new Uint8Array(16), keyStore)
    const after = await signIn({ name: 'amina' })
    expect(await logOf(after)).toEqual(['a'])
    expect(databaseName(after.owner)).toBe(`outpost:${userId}:${companyId}`)
  })

  it('a torn store: it is renewed only when nothing waits in it', async () => {
    const opened = await signIn()
    await capture(opened)
    const name = databaseName(opened.owner)
    await leave()
    const db = await openDatabase(name)
    await db.commit([{ in: 'meta', put: { name: 'indexKey', value: { iv: new Uint8Array(12), bytes: new ArrayBuffer(20) } } }])
    db.close()
    await expect(signIn()).rejects.toMatchObject({ name: 'OperationError' })
    await expect(dropStore(name)).rejects.toThrow(StoreInUseError)
  })
})

describe('a device that the office signed out', () => {
  const page = {
    changes: [{ t: 'lead', id: 'theirs', seq: 1, op: 'put' as const, version: 1, data: { firstName: 'Wanjiru', lastName: 'Kamau' } }],
    cursor: 'c1',
    more: false,
    serverNow: '',
  }

  it('forgets its key and its stores where everything was sent', async () => {
    const opened = await signIn()
    await opened.applyPage(page, { cursor: null, isFull: false })
    await putCached('frame', { a: 1 })
    await leave()
    await wipeDevice(userId)
    expect(await storesOf(userId)).toEqual([])
    expect((await entries(keyStore)).filter(([slot]) => String(slot).startsWith('entry:'))).toEqual([])
    await expect(unlockOffline('officer@sunrise.test', password)).rejects.toThrow('User not found')
  })

  it('keeps unsent work alone, sealed until its person signs in at the office, and is filled again from the beginning then', async () => {
    const opened = await signIn()
    await opened.applyPage(page, { cursor: null, isFull: false })
    await capture(opened)
    await putCached('frame', { a: 1 })
    await leave()
    await wipeDevice(userId)
    await expect(unlockOffline('officer@sunrise.test', password)).rejects.toThrow(/Your office has signed this device out/)
    expect(currentDataKey()).toBeNull()
    const again = await signIn()
    expect(await logOf(again)).toEqual(['a'])
    expect((await again.all('lead')).map(({ id }) => id)).toEqual(['a'])
    expect(await again.pullPoint()).toEqual({ cursor: null, isFull: false })
    expect(await cached('frame')).toBeUndefined()
    await leave()
    await expect(unlockOffline('officer@sunrise.test', password)).resolves.toBeDefined()
  })

  it('leaves the data of another person alone', async () => {
    const other = crypto.randomUUID()
    const theirs = await signIn({ as: other, name: 'brian@sunrise.test', password: 'their own long password' })
    await theirs.applyPage(page, { cursor: null, isFull: false })
    await signIn()
    await leave()
    await wipeDevice(userId)
    const back = await signIn({ as: other, name: 'brian@sunrise.test', password: 'their own long password' })
    expect((await back.all('lead')).map(({ id }) => id)).toEqual(['theirs'])
  })
})
