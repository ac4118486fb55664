import { createStore, del, get, set } from 'idb-keyval'
import type { UseStore } from 'idb-keyval'

/** The wrapped data key of one user on this device; holds neither a password nor a hash of one. */
export interface UnlockEntry {
  keyId: string
  userId: string
  companyId: string
  salt: Uint8Array<ArrayBuffer>
  iv: Uint8Array<ArrayBuffer>
  wrapped: ArrayBuffer
  rounds: number
  failures: number
  /** Device time of the last answer of the server for this user. */
  lastContact: number
}

/** The unlocked key of the live session: survives a reload, cannot be exported, goes at sign-out. */
export interface LiveKey {
  keyId: string
  userId: string
  companyId: string
  lookup: string
  /** Equals sessionStorage of the tab that unlocked it; without it a restart offline asks for the password. */
  marker: string
  key: CryptoKey
}

let opened: UseStore | null = null
const store = (): UseStore => (opened ??= createStore('outpost-device', 'unlock'))

export const unlockStore = {
  entry: (lookup: string) => get<UnlockEntry>(`entry:${lookup}`, store()),
  putEntry: (lookup: string, entry: UnlockEntry) => set(`entry:${lookup}`, entry, store()),
  removeEntry: (lookup: string) => del(`entry:${lookup}`, store()),
  live: () => get<LiveKey>('live', store()),
  putLive: (live: LiveKey) => set('live', live, store()),
  removeLive: () => del('live', store()),
}

/** Key under which a user's entry is found: a salted digest, so that the device holds no list of addresses. */
export async function lookupOf(email: string): Promise<string> {
  const salt = await deviceSalt()
  const name = new TextEncoder().encode(email.trim().toLowerCase())
  const bytes = new Uint8Array(salt.length + name.length)
  bytes.set(salt)
  bytes.set(name, salt.length)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function deviceSalt(): Promise<Uint8Array> {
  const known = await get<Uint8Array>('salt', store())
  if (known) return known
  const salt = crypto.getRandomValues(new Uint8Array(16))
  await set('salt', salt, store())
  return salt
}
