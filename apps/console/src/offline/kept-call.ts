import { isOnline } from '../data/connection.ts'
import type { Row } from '../data/records.ts'
import type { Offline } from './current.ts'
import type { OfflineStore } from './store/store.ts'

/** A call on a record, kept as a change whose patch holds `field` alone. */
export interface KeptCall {
  type: string
  record: Row & { Id: string }
  field: string
  value: unknown
}

/** As long a person waits to hear that the office has it. */
const patienceMs = 3_000

/**
 * Makes a call that the server would carry out anew each time it arrives: it is written down first and sent as that one
 * change, and what the office says within 3 s is the answer. Throws what the office refuses in words.
 */
export async function storeCall({ store, loop }: Offline, { type, record, field, value }: KeptCall): Promise<{ queued: boolean }> {
  if (!(await store.find(type, record.Id))) await store.keepServerCopy(type, record)
  await store.append({ type, id: record.Id, kind: 'update', values: { [field]: value } })
  const changeId = (await store.pendingOf(type, record.Id)).at(-1)?.changeId
  if (!isOnline() || changeId === undefined) {
    void loop.trigger('write')
    return { queued: true }
  }
  void loop.trigger('asked')
  if (!(await isDecided(store, { type, id: record.Id, changeId }))) return { queued: true }
  const refused = (await store.attention.list()).find((one) => one.changeId === changeId)
  if (!refused) return { queued: false }
  // The person is there and sees it: nothing is left to decide later.
  await store.attention.discard(changeId)
  throw new Error(refused.message)
}

/** Resolves when the change has its verdict, or after 3 s with false. */
function isDecided(store: OfflineStore, { type, id, changeId }: { type: string; id: string; changeId: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isDone: boolean) => {
      clearTimeout(timer)
      stop()
      resolve(isDone)
    }
    const timer = setTimeout(() => finish(false), patienceMs)
    const look = async () => {
      if ((await store.pendingOf(type, id)).every((change) => change.changeId !== changeId)) finish(true)
    }
    const stop = store.onTouched(() => void look())
    void look()
  })
}
