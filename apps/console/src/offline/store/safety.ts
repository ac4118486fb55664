import { changeSyncStatus } from '../sync/status.ts'

const megabyte = 1024 * 1024
/** With less than this left the person is warned, and with less than that nothing new is loaded. */
const [leastFree, leastForCopies] = [50 * megabyte, 20 * megabyte]

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
  const hasRoomForCopies = quota === 0 || free >= leastForCopies
  changeSyncStatus({ leftMegabytes: quota === 0 || free >= leastFree ? null : Math.max(0, Math.round(free / megabyte)), hasRoomForCopies })
  return hasRoomForCopies
}
