import { changeSyncStatus } from '../sync/status.ts'

const leastFreeBytes = 50 * 1024 * 1024

/** Asks the browser to keep the data for good. Says in the sync status what it promised. */
export async function secureStorage(): Promise<void> {
  const storage = navigator.storage as StorageManager | undefined
  if (!storage?.persist) return
  changeSyncStatus({ isPersisted: (await storage.persisted()) || (await storage.persist()) })
}

/** Warns in the sync status while little room is left on the device. */
export async function checkRoom(): Promise<void> {
  const storage = navigator.storage as StorageManager | undefined
  if (!storage?.estimate) return
  const { quota = 0, usage = 0 } = await storage.estimate()
  const free = quota - usage
  changeSyncStatus({ leftMegabytes: quota > 0 && free < leastFreeBytes ? Math.max(0, Math.round(free / 1024 / 1024)) : null })
}
