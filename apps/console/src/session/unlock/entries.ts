import { createStore, del, entries, get, set, update, type UseStore } from 'idb-keyval'

/** What the device stores of a person's data key: the key wrapped by the password, never a password nor its hash. */
export interface UnlockEntry {
  keyId: string
  userId: string
  companyId: string
  salt: Uint8Array<ArrayBuffer>
  iv: Uint8Array<ArrayBuffer>
  wrapped: ArrayBuffer
  rounds: number
  /** Wrong passwords since the last right one. */
  failures: number
  /** Device time of the last of them. */
  lastFailure?: number
  /** Device time of the server's last answer for this user. */
  lastContact: number
  /** So many days after it the device opens without the server, as the company decides; 7 in older entries. */
  offlineDays?: number
  /** The part of database names that identifies this key; '' in older entries, whose databases are named by the person alone. */
  storeId?: string
  /** The office signed this device out: nothing opens it here before its person has signed in at the office again. */
  isSignedOut?: boolean
  /** The password was reset elsewhere: this key opens only with the former password, and only for what it still encrypts. */
  isFormer?: boolean
}

/** The data key wrapped by the secret of a passkey, so that a fingerprint opens what the password opens. */
export interface PasskeyEntry {
  userId: string
  /** The key that is wrapped; another one that came in its place this passkey does not open. */
  keyId: string
  salt: Uint8Array<ArrayBuffer>
  iv: Uint8Array<ArrayBuffer>
  wrapped: ArrayBuffer
}

/** An entry and its storage key. */
export interface UnlockSlot {
  slot: string
  entry: UnlockEntry
}

/** The unlocked key of the live session: survives a reload, cannot be exported, is deleted at sign-out. */
export interface LiveKey {
  keyId: string
  userId: string
  companyId: string
  storeId?: string
  /** Equals a value in sessionStorage of the tab that unlocked it; without it an offline restart asks for the password. */
  marker: string
  key: CryptoKey
}

let opened: UseStore | null = null
const store = (): UseStore => (opened ??= createStore('outpost-device', 'unlock'))
const entryPrefix = 'entry:'
const passkeyPrefix = 'passkey:'

export const unlockStore = {
  /** All keys of a person, the one in use first. They are found by the person, because the typed name may vary. */
  entriesOf: async (userId: string): Promise<UnlockSlot[]> =>
    (await entries<string, UnlockEntry>(store()))
      .flatMap(([slot, entry]) => (slot.startsWith(entryPrefix) && entry.userId === userId ? [{ slot, entry }] : []))
      .toSorted(
        (a, b) => Number(a.entry.isFormer ?? false) - Number(b.entry.isFormer ?? false) || b.entry.lastContact - a.entry.lastContact,
      ),
  /** Changes parts of an entry as it is at that moment: another tab may have wrapped its key anew since it was read. */
  changeEntry: ({ slot, entry }: UnlockSlot, parts: (now: UnlockEntry) => Partial<UnlockEntry>): Promise<void> =>
    update<UnlockEntry>(slot, (now = entry) => ({ ...now, ...parts(now) }), store()),
  removeEntry: (slot: string) => del(slot, store()),
  /** The person who signed in under a name (see lookupOf) before; older entries are stored under the name itself. */
  userOf: async (lookup: string): Promise<string | undefined> =>
    (await get<string>(`name:${lookup}`, store())) ?? (await get<UnlockEntry>(entryPrefix + lookup, store()))?.userId,
  putName: (lookup: string, userId: string) => set(`name:${lookup}`, userId, store()),
  passkey: (credentialId: string) => get<PasskeyEntry>(passkeyPrefix + credentialId, store()),
  passkeysOf: async (userId: string): Promise<string[]> =>
    (await entries<string, PasskeyEntry>(store())).flatMap(([slot, entry]) =>
      slot.startsWith(passkeyPrefix) && entry.userId === userId ? [slot.slice(passkeyPrefix.length)] : [],
    ),
  removePasskey: (credentialId: string) => del(passkeyPrefix + credentialId, store()),
  putPasskey: (credentialId: string, entry: PasskeyEntry) => set(passkeyPrefix + credentialId, entry, store()),
  live: () => get<LiveKey>('live', store()),
  putLive: (live: LiveKey) => set('live', live, store()),
  removeLive: () => del('live', store()),
}

export const slotOf = (keyId: string): string => entryPrefix + keyId

/** The key by which a person is found from a name: a salted digest, so that the device stores no list of addresses. */
export async function lookupOf(name: string): Promise<string> {
  const salt = await deviceSalt()
  const text = new TextEncoder().encode(name.trim().toLowerCase())
  const bytes = new Uint8Array(salt.length + text.length)
  bytes.set(salt)
  bytes.set(text, salt.length)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function deviceSalt(): Promise<Uint8Array> {
  const known = await get<Uint8Array>('salt', store())
  if (known) return known
  const fresh = crypto.getRandomValues(new Uint8Array(16))
  let salt = fresh
  // In one transaction: of two tabs that ask at once both must go by the first salt.
  await update<Uint8Array<ArrayBuffer>>('salt', (now = fresh) => (salt = now), store())
  return salt
}
