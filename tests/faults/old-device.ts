import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ChangeRecord } from '@outpost/contract/sync/protocol'

/** A store that an earlier program left on a device, see devices/README.md. */
export interface OldDevice {
  owner: { userId: string; companyId: string; deviceId: string; tenantId: string }
  ids: Record<string, string>
  key: string
  databaseVersion: number
  /** Sent, and no answer came. */
  flown: ChangeRecord[]
  unsent: { log: (ChangeRecord & { sent: 0 | 1 })[]; attention: string[] }
  stores: {
    name: string
    keyPath: string | string[]
    autoIncrement: boolean
    indexes: { name: string; keyPath: string | string[]; unique: boolean }[]
    rows: unknown[]
  }[]
}

export const readOldDevice = (day: string): OldDevice =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, 'devices', `${day}.json`), 'utf8')) as OldDevice

/** Puts the stores on this device under the name that today's program looks for. */
export async function layDown({ stores, databaseVersion }: OldDevice, name: string): Promise<void> {
  const opening = indexedDB.open(name, databaseVersion)
  opening.onupgradeneeded = () => {
    for (const { name: storeName, keyPath, autoIncrement, indexes } of stores) {
      const made = opening.result.createObjectStore(storeName, { keyPath, autoIncrement })
      for (const index of indexes) made.createIndex(index.name, index.keyPath, { unique: index.unique })
    }
  }
  const db = await heard(opening)
  for (const { name: storeName, rows } of stores)
    for (const row of rows) await heard(db.transaction(storeName, 'readwrite').objectStore(storeName).put(bytesOf(row)))
  db.close()
}

const heard = <Value>(request: IDBRequest<Value>) =>
  new Promise<Value>((done, refuse) => {
    request.onsuccess = () => done(request.result)
    request.onerror = () => refuse(request.error ?? new Error('no reason given'))
  })

interface Bytes {
  base64: string
  of: 'ArrayBuffer' | 'Uint8Array'
}
const isBytes = (value: object): value is Bytes => 'base64' in value

/** JSON has no bytes: they are written as base64. */
function bytesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bytesOf)
  if (value === null || typeof value !== 'object') return value
  if (!isBytes(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, bytesOf(one)]))
  const bytes = new Uint8Array(Buffer.from(value.base64, 'base64'))
  return value.of === 'ArrayBuffer' ? bytes.buffer : bytes
}

export const keyOf = ({ key }: OldDevice): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', Buffer.from(key, 'base64'), { name: 'AES-GCM' }, false, ['encrypt', 'decrypt'])
