import { changeSyncStatus } from '../sync/status.ts'

const leastFreeBytes = 50 * 1024 * 1024

/** Asks the browser to keep the data for good. Says in the sync status what it promised. */
export async function secureStorage(): Promise<void> {
  const storage = navigator.storage as StorageManager | undefined
  if (!storage?.persist) return
  changeSyncStatus({ isPersisted: (await storage.persisted()) || (await storage.persist()) })
}

/** Whether there is room for copies of the office's records; warns in the sync status while there is little. */
export async function checkRoom(): Promise<boolean> {
  const storage = navigator.storage as StorageManager | undefined
  if (!storage?.estimate) return true
  const { quota = 0, usage = 0 } = await storage.estimate()
  const free = quota - usage
  const hasRoom = quota === 0 || free >= leastFreeBytes
  changeSyncStatus({ leftMegabytes: hasRoom ? null : Math.max(0, Math.round(free / 1024 / 1024)) })
  return hasRoom
}
