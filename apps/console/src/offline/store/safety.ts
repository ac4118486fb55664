import { changeSyncStatus } from '../sync/status.ts'

const leastFreeBytes = 50 * 1024 * 1024

/** Asks the browser to keep the data for good, and warns when little room is left. Says so in the sync status. */
export async function secureStorage(): Promise<void> {
  const storage = navigator.storage as StorageManager | undefined
  if (!storage?.persist) return
  const isPersisted = (await storage.persisted()) || (await storage.persist())
  const { quota = 0, usage = 0 } = await storage.estimate()
  const free = quota - usage
  changeSyncStatus({
    isPersisted,
    storageWarning:
      quota > 0 && free < leastFreeBytes
        ? `Only ${Math.max(0, Math.round(free / 1024 / 1024))} MB are left on this device. Sync and free some space.`
        : null,
  })
}
