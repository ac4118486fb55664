import { currentDataOwner, onDataKey } from '../session/unlock/unlock.ts'
import type { KindAdditions } from './kinds.ts'
import type { Loop } from './sync/loop.ts'
import type { OfflineStore } from './store/store.ts'

/** The store of the signed-in person, the loop that empties its log, and what hand-made screens add to the kinds in it. */
export interface Offline {
  store: OfflineStore
  loop: Loop
  additions?: KindAdditions
}

let current: Offline | null = null
let isWithout = false
const listeners = new Set<(offline: Offline | null) => void>()

/** The open store and loop; null for people without one and while the device is locked. */
export const currentOffline = (): Offline | null => current

export function setCurrentOffline(next: Offline | null): void {
  current = next
  isWithout = false
  for (const listener of listeners) listener(next)
}

/** The store of the open key cannot be opened: the person works without. */
export function workWithoutStore(): void {
  setCurrentOffline(null)
  isWithout = true
  for (const listener of listeners) listener(null)
}

export function onCurrentOffline(listener: (offline: Offline | null) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** False while the device is unlocked and its store is not open yet: what is read meanwhile would miss what only this device knows. */
export const isStoreSettled = (): boolean => current !== null || isWithout || currentDataOwner() === null

/** Longest wait for the store, in milliseconds: a browser may leave the opening of a database unanswered. */
const storePatience = 5_000

/** Resolves once the store is open, or there is none. */
export function storeSettled(): Promise<void> {
  if (isStoreSettled()) return Promise.resolve()
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer)
      for (const stop of stops) stop()
      done()
    }
    const look = (): void => void (isStoreSettled() && end())
    const stops = [onCurrentOffline(look), onDataKey(look)]
    const timer = setTimeout(end, storePatience)
  })
}
