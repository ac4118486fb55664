import { currentDataKey, currentDataOwner } from '../session/unlock/unlock.ts'
import { setCurrentOffline } from './current.ts'
import { openStore, type OfflineStore } from './store/store.ts'
import type { Loop } from './sync/loop.ts'

/** A loop for tests that are not about it: it sends nothing. */
export const idleLoop: Loop = { start: () => undefined, stop: () => undefined, isArmed: () => true, trigger: async () => undefined }

/**
 * Opens the real store of whoever has unlocked the device, as signing in does: what counts the waiting changes asks it at once, where it is loaded.
 * Throws while the device is locked.
 */
export async function openCurrent(): Promise<OfflineStore> {
  const [owner, key] = [currentDataOwner(), currentDataKey()]
  if (!owner || !key) throw new Error('locked')
  const store = await openStore({ ...owner, deviceId: crypto.randomUUID(), country: () => 'KE', tenantId: () => 't' }, key)
  setCurrentOffline({ store, loop: idleLoop })
  return store
}
