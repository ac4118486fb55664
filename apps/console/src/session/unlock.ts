import { makeWrappedKey, openWrappedKey, rewrapKey } from './unlock-keys.ts'
import { lookupOf, unlockStore } from './unlock-store.ts'
import type { LiveKey, UnlockEntry } from './unlock-store.ts'

/** Whose data the open key belongs to. `keyId` changes when older data on the device can no longer be read. */
export interface DataOwner { userId: string, companyId: string, keyId: string }

/** Why the device did not open; the first two messages are the specification's. */
export class UnlockError extends Error {
  readonly reason: 'unknown' | 'wrong' | 'locked'
  constructor(reason: 'unknown' | 'wrong' | 'locked', message: string) {
    super(message)
    this.reason = reason
  }
}

const maxFailures = 10
const maxAbsence = 7 * 86_400_000
/** A device clock set back further than this counts as an attempt to stretch the seven days. */
const clockTolerance = 86_400_000
const markerKey = 'outpost.tab'

let open: LiveKey | null = null
const handlers = new Set<(owner: DataOwner | null) => void>()

/** The key that offline data is sealed with; null while the device is locked. */
export function currentDataKey(): CryptoKey | null {
  return open?.key ?? null
}

/** User and company whose store the open key belongs to. */
export function currentDataOwner(): DataOwner | null {
  return open && { userId: open.userId, companyId: open.companyId, keyId: open.keyId }
}

/** Calls back when the device is unlocked or locked; returns the way to stop. */
export function onDataKey(handler: (owner: DataOwner | null) => void): () => void {
  handlers.add(handler)
  return () => handlers.delete(handler)
}

/**
 * After an online sign-in: opens the user's data key with the password just typed, or makes one. When the password was
 * changed elsewhere the old key is lost with it, a new keyId tells the store to start anew.
 */
export async function prepareDataKey(login: { userId: string, companyId: string, email: string, password: string }): Promise<void> {
  if (!isUnlockSupported()) return
  const { userId, companyId, email, password } = login
  const lookup = await lookupOf(email)
  const known = await unlockStore.entry(lookup)
  const opened = known?.userId === userId ? await openWrappedKey(known, password) : null
  if (known && opened) {
    await unlockStore.putEntry(lookup, { ...known, companyId, failures: 0, lastContact: Date.now() })
    return keepOpen({ keyId: known.keyId, userId, companyId, lookup, key: opened })
  }
  const wrapped = await makeWrappedKey(password)
  const entry: UnlockEntry = { ...wrapped, keyId: crypto.randomUUID(), userId, companyId, failures: 0, lastContact: Date.now() }
  await unlockStore.putEntry(lookup, entry)
  const key = await openWrappedKey(wrapped, password)
  if (key) await keepOpen({ keyId: entry.keyId, userId, companyId, lookup, key })
}

/** Online after a reload: takes the live session's key again when it is this user's. */
export async function resumeDataKey(userId: string, companyId: string): Promise<boolean> {
  const live = isUnlockSupported() ? await unlockStore.live() : undefined
  if (live?.userId !== userId) {
    closeInMemory()
    return false
  }
  await noteContact(live.lookup)
  await keepOpen({ ...live, companyId })
  return true
}

/** Offline after a reload of the tab that was signed in: goes on without asking again; null asks for the password. */
export async function resumeOffline(): Promise<DataOwner | null> {
  const live = isUnlockSupported() ? await unlockStore.live() : undefined
  if (!live || live.marker !== sessionStorage.getItem(markerKey)) return null
  const entry = await unlockStore.entry(live.lookup)
  if (!entry || isAbsentTooLong(entry)) return null
  announce(live)
  return currentDataOwner()
}

/** Offline sign-in: a wrong password cannot unwrap the key. Throws UnlockError. */
export async function unlockOffline(email: string, password: string): Promise<DataOwner> {
  if (!isUnlockSupported()) throw new UnlockError('unknown', 'User not found')
  const lookup = await lookupOf(email)
  const entry = await unlockStore.entry(lookup)
  if (!entry) throw new UnlockError('unknown', 'User not found')
  refuseLocked(entry)
  // Counted before the attempt, so that ending the page in the middle does not give it back.
  await unlockStore.putEntry(lookup, { ...entry, failures: entry.failures + 1 })
  const key = await openWrappedKey(entry, password)
  if (!key) throw new UnlockError('wrong', 'Invalid credentials')
  await unlockStore.putEntry(lookup, { ...entry, failures: 0 })
  await keepOpen({ keyId: entry.keyId, userId: entry.userId, companyId: entry.companyId, lookup, key })
  return { userId: entry.userId, companyId: entry.companyId, keyId: entry.keyId }
}

/** After a password change in this console: the data key stays, wrapped by the new password. */
export async function changeUnlockPassword(email: string, from: string, to: string): Promise<void> {
  if (!isUnlockSupported()) return
  const lookup = await lookupOf(email)
  const entry = await unlockStore.entry(lookup)
  const wrapped = entry && await rewrapKey(entry, from, to)
  if (entry && wrapped) await unlockStore.putEntry(lookup, { ...entry, ...wrapped })
}

/** Locks the device: the live key is deleted; the wrapped one stays for the next sign-in. */
export async function lockDataKey(): Promise<void> {
  closeInMemory()
  sessionStorage.removeItem(markerKey)
  if (isUnlockSupported()) await unlockStore.removeLive()
}

/** Takes the wrapped key off the device as well: what was sealed with it can never be read again. */
export async function forgetDataKey(email: string): Promise<void> {
  if (!isUnlockSupported()) return
  await unlockStore.removeEntry(await lookupOf(email))
  await lockDataKey()
}

/** Closes the key for this page only, as while impersonating somebody else. */
export function closeInMemory(): void {
  if (!open) return
  open = null
  for (const handler of handlers) handler(null)
}

/** Plain http outside localhost has no WebCrypto, private windows may have no database: then nothing is kept. */
function isUnlockSupported(): boolean {
  return globalThis.crypto?.subtle !== undefined && 'indexedDB' in globalThis
}

async function noteContact(lookup: string): Promise<void> {
  const entry = await unlockStore.entry(lookup)
  if (entry) await unlockStore.putEntry(lookup, { ...entry, failures: 0, lastContact: Date.now() })
}

async function keepOpen(parts: Omit<LiveKey, 'marker'>): Promise<void> {
  const marker = sessionStorage.getItem(markerKey) ?? crypto.randomUUID()
  sessionStorage.setItem(markerKey, marker)
  const live = { ...parts, marker }
  await unlockStore.putLive(live)
  announce(live)
}

function announce(live: LiveKey): void {
  open = live
  const owner = currentDataOwner()
  for (const handler of handlers) handler(owner)
}

function refuseLocked(entry: UnlockEntry): void {
  if (entry.failures >= maxFailures) {
    throw new UnlockError('locked', 'This device is locked after 10 wrong passwords. Connect to the network and sign in to unlock it.')
  }
  if (isAbsentTooLong(entry)) {
    throw new UnlockError('locked', 'This device was offline for more than 7 days. Connect to the network and sign in to unlock it.')
  }
}

function isAbsentTooLong(entry: UnlockEntry): boolean {
  const absence = Date.now() - entry.lastContact
  return absence > maxAbsence || absence < -clockTolerance
}
