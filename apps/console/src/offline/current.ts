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
const listeners = new Set<(offline: Offline | null) => void>()

/** The open store and loop; null for people without one and while the device is locked. */
export const currentOffline = (): Offline | null => current

export function setCurrentOffline(next: Offline | null): void {
  current = next
  for (const listener of listeners) listener(next)
}

export function onCurrentOffline(listener: (offline: Offline | null) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
