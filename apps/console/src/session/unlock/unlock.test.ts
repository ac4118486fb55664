import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clear, createStore, entries } from 'idb-keyval'
import * as unlock from './unlock.ts'
import { deviceDoor, openWithDevicePassword, sealWithDevicePassword } from './device-password.ts'
import { unlockRounds } from './keys.ts'

const email = 'Officer@Sunrise.test'
const login = { userId: 'u1', companyId: 'c1', names: [email, 'amina'], password: 'outpost-demo-2026' }
const device = createStore('outpost-device', 'unlock')
const tab = new Map<string, string>()

beforeEach(async () => {
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => tab.set(key, value),
    removeItem: (key: string) => tab.delete(key),
  })
  tab.clear()
  unlock.closeInMemory()
  await clear(device)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function seal(text: string): Promise<{ iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer }> {
  const key = unlock.currentDataKey()
  if (!key) throw new Error('locked')
  const iv = crypto.getRandomValues(new Uint8Array(12))
  return { iv, data: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text)) }
}

async function read({ iv, data }: { iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer }): Promise<string> {
  const key = unlock.currentDataKey()
  if (!key) throw new Error('locked')
  return new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, data))
}

describe('offline unlock', () => {
  it('opens the same data with the password, however the address is written', async () => {
    await unlock.prepareDataKey(login)
    const sealed = await seal('a lead')
    await unlock.lockDataKey()
    expect(unlock.currentDataKey()).toBeNull()
    await expect(unlock.unlockOffline(' officer@sunrise.TEST ', login.password)).resolves.toMatchObject({ userId: 'u1', companyId: 'c1' })
    expect(await read(sealed)).toBe('a lead')
  })

  it('reports "User not found" and "Invalid credentials"', async () => {
    await unlock.prepareDataKey(login)
    await expect(unlock.unlockOffline('nobody@sunrise.test', login.password)).rejects.toThrow('User not found')
    await expect(unlock.unlockOffline(email, 'wrong')).rejects.toThrow('Invalid credentials')
  })

  it('locks after ten wrong passwords, for the right one too, until an online sign-in', async () => {
    await unlock.prepareDataKey(login)
    await unlock.lockDataKey()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    for (let i = 0; i < 10; i++) {
      vi.setSystemTime(Date.now() + 60 * 60_000)
      await expect(unlock.unlockOffline(email, `wrong ${i}`)).rejects.toThrow('Invalid credentials')
    }
    await expect(unlock.unlockOffline(email, login.password)).rejects.toThrow(/locked after 10 wrong/)
    expect(unlock.currentDataKey()).toBeNull()
    await unlock.prepareDataKey(login)
    await unlock.lockDataKey()
    await expect(unlock.unlockOffline(email, login.password)).resolves.toBeDefined()
  })

  it('makes the next try wait after five wrong passwords: a minute, then twice as long', async () => {
    await unlock.prepareDataKey(login)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    for (let i = 0; i < 5; i++) await expect(unlock.unlockOffline(email, `wrong ${i}`)).rejects.toThrow('Invalid credentials')
    await expect(unlock.unlockOffline(email, login.password)).rejects.toThrow(/Try again in 1 minute/)
    vi.setSystemTime(Date.now() + 61_000)
    await expect(unlock.unlockOffline(email, 'wrong again')).rejects.toThrow('Invalid credentials')
    vi.setSystemTime(Date.now() + 61_000)
    await expect(unlock.unlockOffline(email, login.password)).rejects.toThrow(/Try again in 1 minute/)
    vi.setSystemTime(Date.now() + 60_000)
    await expect(unlock.unlockOffline(email, login.password)).resolves.toBeDefined()
    await expect(unlock.unlockOffline(email, 'wrong')).rejects.toThrow('Invalid credentials')
    await expect(unlock.unlockOffline(email, login.password)).resolves.toBeDefined()
  })

  it('opens for as many days without contact as the company decides', async () => {
    await unlock.prepareDataKey({ ...login, offlineDays: 14 })
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: now + 13.9 * 86_400_000 })
    await expect(unlock.unlockOffline(email, login.password)).resolves.toBeDefined()
    vi.setSystemTime(now + 14.1 * 86_400_000)
    await expect(unlock.unlockOffline(email, login.password)).rejects.toThrow(/more than 14 days/)
    // The office was reached, and told of another number; then nothing was heard for two days.
    vi.setSystemTime(now)
    expect(await unlock.resumeDataKey({ userId: 'u1', companyId: 'c1', offlineDays: 1 })).toBe(true)
    vi.setSystemTime(now + 2 * 86_400_000)
    await expect(unlock.unlockOffline(email, login.password)).rejects.toThrow(/more than 1 day/)
  })

  it('locks after seven days without contact, as entries of before do, and when the clock was set back', async () => {
    await unlock.prepareDataKey(login)
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: now + 7.1 * 86_400_000 })
    await expect(unlock.unlockOffline(email, login.password)).rejects.toThrow(/more than 7 days/)
    expect(await unlock.resumeOffline()).toBeNull()
    vi.setSystemTime(now - 4 * 86_400_000)
    await expect(unlock.unlockOffline(email, login.password)).rejects.toThrow(/more than 7 days/)
    // A clock that was a day ahead and is a day behind now is a fault, and no trick.
    vi.setSystemTime(now - 2 * 86_400_000)
    await expect(unlock.unlockOffline(email, login.password)).resolves.toBeDefined()
    vi.setSystemTime(now + 6.9 * 86_400_000)
    await expect(unlock.unlockOffline(email, login.password)).resolves.toBeDefined()
  })

  it('continues after a reload in the same tab, asks for the password in a new one', async () => {
    await unlock.prepareDataKey(login)
    unlock.closeInMemory()
    expect(await unlock.resumeOffline()).toMatchObject({ userId: 'u1' })
    unlock.closeInMemory()
    tab.clear()
    expect(await unlock.resumeOffline()).toBeNull()
    expect(await unlock.resumeDataKey({ userId: 'u1', companyId: 'c2' })).toBe(true)
    expect(unlock.currentDataOwner()).toMatchObject({ userId: 'u1', companyId: 'c2' })
    expect(await unlock.resumeDataKey({ userId: 'u2', companyId: 'c1' })).toBe(false)
    expect(unlock.currentDataKey()).toBeNull()
  })

  it('keeps the data over a password change here, gives a new key id after one elsewhere', async () => {
    await unlock.prepareDataKey(login)
    const first = unlock.currentDataOwner()?.keyId
    const sealed = await seal('a lead')
    await unlock.changeUnlockPassword(login.userId, login.password, 'another long password')
    await unlock.unlockOffline(email, 'another long password')
    expect(await read(sealed)).toBe('a lead')
    expect(unlock.currentDataOwner()?.keyId).toBe(first)
    await unlock.prepareDataKey({ ...login, password: 'changed elsewhere' })
    expect(unlock.currentDataOwner()?.keyId).not.toBe(first)
    await expect(read(sealed)).rejects.toThrow()
    const [former] = await unlock.openFormerKeys('u1', 'another long password')
    if (!former) throw new Error('the key of the former password is gone')
    expect(new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: sealed.iv }, former.key, sealed.data))).toBe(
      'a lead',
    )
    expect(await unlock.openFormerKeys('u1', 'another guess')).toEqual([])
    await expect(unlock.unlockOffline(email, 'another long password')).rejects.toThrow('Invalid credentials')
  })

  it('finds the same key under every name of the person, and another person’s under none of them', async () => {
    await unlock.prepareDataKey(login)
    const { keyId } = unlock.currentDataOwner() ?? {}
    await unlock.prepareDataKey({ ...login, names: ['AMINA'] })
    expect(unlock.currentDataOwner()?.keyId).toBe(keyId)
    await expect(unlock.unlockOffline('amina', login.password)).resolves.toMatchObject({ userId: 'u1', keyId })
    await unlock.prepareDataKey({ ...login, userId: 'u2', names: ['brian'] })
    expect(unlock.currentDataOwner()).toMatchObject({ userId: 'u2' })
    await expect(unlock.unlockOffline('amina', login.password)).resolves.toMatchObject({ userId: 'u1', keyId })
  })

  it('leaves no password, address or exportable key on the device', async () => {
    await unlock.prepareDataKey(login)
    const kept = await entries(device)
    const text = JSON.stringify(kept).toLowerCase()
    expect(text).not.toContain('officer@sunrise')
    expect(text).not.toContain(login.password)
    const key = unlock.currentDataKey()
    expect(key?.extractable).toBe(false)
    expect(text).not.toContain('amina')
    const entry = kept.find(([name]) => String(name).startsWith('entry:'))?.[1] as { rounds: number }
    expect(entry.rounds).toBe(unlockRounds)
    expect(unlockRounds).toBeGreaterThanOrEqual(600_000)
  })
})

describe('a password of the device alone, for who signs in without one', () => {
  const person = { userId: 'u1', companyId: 'c1', names: [email, 'amina'], offlineDays: 14 }

  it('seals as strongly as the account’s: it opens the data with and without a connection, and no other one does', async () => {
    expect(await deviceDoor('u1')).toBe('new')
    await sealWithDevicePassword(person, 'a sentence of this phone')
    const [kept] = (await entries<string, { rounds?: number; offlineDays?: number }>(device)).flatMap(([slot, entry]) =>
      slot.startsWith('entry:') ? [entry] : [],
    )
    expect(kept).toMatchObject({ rounds: unlockRounds, offlineDays: 14 })
    const sealed = await seal('a lead')
    await unlock.lockDataKey()
    expect(await unlock.resumeDataKey(person)).toBe(false)
    expect(await deviceDoor('u1')).toBe('sealed')
    await expect(openWithDevicePassword(person, 'another sentence of mine')).rejects.toThrow('Invalid credentials')
    expect(unlock.currentDataKey()).toBeNull()
    await openWithDevicePassword(person, 'a sentence of this phone')
    expect(await read(sealed)).toBe('a lead')
    await unlock.lockDataKey()
    await unlock.unlockOffline('amina', 'a sentence of this phone')
    expect(await read(sealed)).toBe('a lead')
  })

  it('is tried under the same limits; with a connection the wait goes on, and nothing is locked for good', async () => {
    await sealWithDevicePassword(person, 'a sentence of this phone')
    await unlock.lockDataKey()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    for (let i = 0; i < 5; i++) await expect(openWithDevicePassword(person, `wrong ${i}`)).rejects.toThrow('Invalid credentials')
    await expect(openWithDevicePassword(person, 'a sentence of this phone')).rejects.toThrow(/Try again in 1 minute/)
    for (let i = 0; i < 12; i++) {
      vi.setSystemTime(Date.now() + 60 * 60_000)
      await expect(openWithDevicePassword(person, `wrong ${i}`)).rejects.toThrow('Invalid credentials')
    }
    await expect(openWithDevicePassword(person, 'a sentence of this phone')).rejects.toThrow(/Try again in 16 minutes/)
    vi.setSystemTime(Date.now() + 17 * 60_000)
    await openWithDevicePassword(person, 'a sentence of this phone')
    expect(unlock.currentDataKey()).not.toBeNull()
  })

  it('that is forgotten gives way to a new one; what it sealed stays for who still knows it', async () => {
    await sealWithDevicePassword(person, 'a sentence of this phone')
    await unlock.lockDataKey()
    await sealWithDevicePassword(person, 'quite another sentence')
    expect(await unlock.formerSlots('u1')).toHaveLength(1)
    expect(await unlock.openFormerKeys('u1', 'a sentence of this phone')).toHaveLength(1)
    expect(await deviceDoor('u2')).toBe('new')
  })
})
