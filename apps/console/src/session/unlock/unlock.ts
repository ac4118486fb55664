import { makeWrappedKey, openWithSecret, openWrappedKey, rewrapKey, wrapForSecret } from './keys.ts'
import { lookupOf, slotOf, unlockStore } from './entries.ts'
import type { LiveKey, UnlockEntry, UnlockSlot } from './entries.ts'
import { isAbsentTooLong, refuseAbsent, refuseLocked, UnlockError } from './limits.ts'

export { UnlockError }

/** The owner of the data that the open key encrypts. Each key has databases of its own, named by `storeId` ('' for older ones). */
export interface DataOwner {
  userId: string
  companyId: string
  keyId: string
  storeId: string
}
/** A key of an earlier password, opened with it, and where its entry is stored. */
export interface FormerKey {
  slot: string
  storeId: string
  key: CryptoKey
}

/** A person whom the server has just answered. */
export interface Contact {
  userId: string
  companyId: string
  /** How long the company lets the data open here without the server. */
  offlineDays?: number | undefined
}

const markerKey = 'outpost.tab'

let open: LiveKey | null = null
const handlers = new Set<(owner: DataOwner | null) => void>()

/** The key of the encrypted offline data; null while the device is locked. */
export function currentDataKey(): CryptoKey | null {
  return open?.key ?? null
}

/** The user and company of the open key's store. */
export function currentDataOwner(): DataOwner | null {
  return open && ownerOf(open)
}

/** Calls back when the device is unlocked or locked; returns a function that cancels it. */
export function onDataKey(handler: (owner: DataOwner | null) => void): () => void {
  handlers.add(handler)
  return () => handlers.delete(handler)
}

/**
 * After an online sign-in: opens the person's data key with the typed password, or creates one. A key that this password does not open
 * (it was reset elsewhere) stays with all its encrypted data, until its own password is entered.
 */
export async function prepareDataKey(login: Contact & { names: readonly string[]; password: string }): Promise<void> {
  if (!isUnlockSupported()) return closeInMemory()
  const { userId, companyId, names, password } = login
  for (const name of names) await unlockStore.putName(await lookupOf(name), userId)
  const slots = await unlockStore.entriesOf(userId)
  const { slot, entry, key } = (await firstOpened(slots, password)) ?? (await newEntry(userId, companyId, password))
  const now = { ...partsAfterContact(login), companyId, isFormer: false, isSignedOut: false }
  await unlockStore.changeEntry({ slot, entry }, () => now)
  for (const other of slots) if (other.slot !== slot) await unlockStore.changeEntry(other, () => ({ isFormer: true }))
  await storeLiveKey({ ...ownerOf({ ...entry, companyId }), key })
}

/** What contact with the server changes in the entry of a key. */
const partsAfterContact = ({
  offlineDays,
}: Pick<Contact, 'offlineDays'>): Pick<UnlockEntry, 'failures' | 'lastContact' | 'offlineDays'> => ({
  failures: 0,
  lastContact: Date.now(),
  ...(offlineDays === undefined ? {} : { offlineDays }),
})

type Opened = UnlockSlot & { key: CryptoKey }

async function firstOpened(slots: readonly UnlockSlot[], password: string): Promise<Opened | null> {
  for (const { slot, entry } of slots) {
    const key = await openWrappedKey(entry, password)
    if (key) return { slot, entry, key }
  }
  return null
}

async function newEntry(userId: string, companyId: string, password: string): Promise<Opened> {
  const wrapped = await makeWrappedKey(password)
  const key = await openWrappedKey(wrapped, password)
  if (!key) throw new Error('The data key of this device could not be made.')
  const keyId = crypto.randomUUID()
  return { slot: slotOf(keyId), entry: { ...wrapped, keyId, storeId: keyId, userId, companyId, failures: 0, lastContact: Date.now() }, key }
}

const ownerOf = ({ userId, companyId, keyId, storeId = '' }: Omit<DataOwner, 'storeId'> & { storeId?: string }): DataOwner => ({
  userId,
  companyId,
  keyId,
  storeId,
})

/** Keys of a person that are wrapped by earlier passwords. */
export async function formerSlots(userId: string): Promise<{ slot: string; storeId: string }[]> {
  const slots = isUnlockSupported() ? await unlockStore.entriesOf(userId) : []
  return slots.flatMap(({ slot, entry }) => (entry.isFormer ? [{ slot, storeId: entry.storeId ?? '' }] : []))
}

/** The former keys of a person that this password opens. */
export async function openFormerKeys(userId: string, password: string): Promise<FormerKey[]> {
  const former = (await unlockStore.entriesOf(userId)).filter(({ entry }) => entry.isFormer)
  const opened = await Promise.all(
    former.map(async ({ slot, entry }) => ({ slot, storeId: entry.storeId ?? '', key: await openWrappedKey(entry, password) })),
  )
  return opened.flatMap(({ key, ...rest }) => (key ? [{ ...rest, key }] : []))
}

/** Online after a reload: restores the live session's key when it belongs to this user. */
export async function resumeDataKey({ userId, companyId, offlineDays }: Contact): Promise<boolean> {
  const live = isUnlockSupported() ? await unlockStore.live() : undefined
  if (live?.userId !== userId) {
    closeInMemory()
    return false
  }
  const slot = await slotOfKey(userId, live.keyId)
  if (slot) await unlockStore.changeEntry(slot, () => partsAfterContact({ offlineDays }))
  await storeLiveKey({ ...ownerOf(live), key: live.key, companyId })
  return true
}

/** Offline after a reload of the signed-in tab: continues without a password; null means ask for it. */
export async function resumeOffline(): Promise<DataOwner | null> {
  const live = isUnlockSupported() ? await unlockStore.live() : undefined
  if (!live || live.marker !== sessionStorage.getItem(markerKey)) return null
  const known = await slotOfKey(live.userId, live.keyId)
  if (!known || isAbsentTooLong(known.entry)) return null
  announce(live)
  return currentDataOwner()
}

/** Offline sign-in under any name used here before: a wrong password cannot unwrap the key. Throws UnlockError. */
export async function unlockOffline(name: string, password: string): Promise<DataOwner> {
  if (!isUnlockSupported()) throw new UnlockError('unknown', 'User not found')
  const userId = await unlockStore.userOf(await lookupOf(name))
  const [known] = userId === undefined ? [] : await unlockStore.entriesOf(userId)
  if (!known) throw new UnlockError('unknown', 'User not found')
  const { entry } = known
  // Counted before the attempt, so that closing the page during it does not undo the count; asked with the count, so that of many tries at
  // once no more are made than one after the other.
  await unlockStore.changeEntry(known, (now) => {
    refuseLocked(now)
    return { failures: now.failures + 1, lastFailure: Date.now() }
  })
  const key = await openWrappedKey(entry, password)
  if (!key) throw new UnlockError('wrong', 'Invalid credentials')
  await unlockStore.changeEntry(known, () => ({ failures: 0 }))
  await storeLiveKey({ ...ownerOf(entry), key })
  return ownerOf(entry)
}

/** What a passkey gave on this device: the secret opens what was wrapped for it here. */
export interface PasskeyKey {
  credentialId: string
  secret: ArrayBuffer | null
}

/** Lets a passkey open the person's data on this device as the password does; false when there is none, or the password is another one. */
export async function storeForPasskey(userId: string, password: string, { credentialId, secret }: PasskeyKey): Promise<boolean> {
  const [current] = isUnlockSupported() ? await unlockStore.entriesOf(userId) : []
  const wrapped = current && secret && (await wrapForSecret(current.entry, password, secret))
  if (!wrapped) return false
  await unlockStore.putPasskey(credentialId, { userId, keyId: current.entry.keyId, ...wrapped })
  return true
}

/** What the server does not know any more opens nothing here either: `known` are the passkeys that the person still has. */
export async function forgetOtherPasskeys(userId: string, known: readonly string[]): Promise<void> {
  const kept = isUnlockSupported() ? await unlockStore.passkeysOf(userId) : []
  for (const credentialId of kept) if (!known.includes(credentialId)) await unlockStore.removePasskey(credentialId)
}

/** After a sign-in by passkey at the server: opens the person's data, if this device wrapped it for the passkey. */
export async function openByPasskey({ userId, companyId, offlineDays }: Contact, given: PasskeyKey): Promise<boolean> {
  const opened = await openedBy(given)
  if (opened?.entry.userId !== userId) {
    closeInMemory()
    return false
  }
  await unlockStore.changeEntry(opened, () => ({ ...partsAfterContact({ offlineDays }), companyId, isSignedOut: false }))
  await storeLiveKey({ ...ownerOf({ ...opened.entry, companyId }), key: opened.key })
  return true
}

/** Offline sign-in by passkey: without the secret that this device wrapped the key with nothing opens. Throws UnlockError. */
export async function unlockByPasskey(given: PasskeyKey): Promise<DataOwner> {
  const opened = await openedBy(given)
  if (!opened) throw new UnlockError('unknown', 'This passkey does not open this device. Sign in with your password.')
  const { entry, key } = opened
  refuseAbsent(entry)
  await storeLiveKey({ ...ownerOf(entry), key })
  return ownerOf(entry)
}

async function openedBy({ credentialId, secret }: PasskeyKey): Promise<Opened | null> {
  const kept = secret && isUnlockSupported() ? await unlockStore.passkey(credentialId) : undefined
  const known = kept && (await slotOfKey(kept.userId, kept.keyId))
  // A password that was set anew elsewhere closes this door too: the former data asks for the former password.
  if (!kept || !secret || !known || known.entry.isFormer) return null
  const key = await openWithSecret(kept, secret)
  return key && { ...known, key }
}

/** After a password change in this console: the data key stays, wrapped by the new password. */
export async function changeUnlockPassword(userId: string, from: string, to: string): Promise<void> {
  const slots = isUnlockSupported() ? await unlockStore.entriesOf(userId) : []
  for (const slot of slots) {
    const wrapped = await rewrapKey(slot.entry, from, to)
    if (wrapped) await unlockStore.changeEntry(slot, () => wrapped)
  }
}

/** Whose data this device has open, or would open again without a password. */
export async function personOnDevice(): Promise<string | undefined> {
  return currentDataOwner()?.userId ?? (isUnlockSupported() ? (await unlockStore.live())?.userId : undefined)
}

/** Locks the device: deletes the live key; the wrapped one stays for the next sign-in. */
export async function lockDataKey(): Promise<void> {
  closeInMemory()
  sessionStorage.removeItem(markerKey)
  if (isUnlockSupported()) await unlockStore.removeLive()
}

/** Closes the key for this page only, e.g. while impersonating somebody else. */
export function closeInMemory(): void {
  if (!open) return
  open = null
  for (const handler of handlers) handler(null)
}

/** Plain http outside localhost has no WebCrypto, and private windows may have no database: then nothing is stored. */
export function isUnlockSupported(): boolean {
  return globalThis.crypto?.subtle !== undefined && 'indexedDB' in globalThis
}

const slotOfKey = async (userId: string, keyId: string): Promise<UnlockSlot | undefined> =>
  (await unlockStore.entriesOf(userId)).find(({ entry }) => entry.keyId === keyId)

async function storeLiveKey(parts: Omit<LiveKey, 'marker'>): Promise<void> {
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
