import { api, isNetworkError, notKept } from '../data/api.ts'
import { isOnline } from '../data/connection.ts'
import { keys } from '../data/keys.ts'
import { queryClient } from '../data/query-client.ts'
import type { Row } from '../data/records.ts'
import { currentOffline, type Offline } from './current.ts'
import { sha256, type NewFile } from './files.ts'
import { recount } from './status.ts'
import type { OfflineStore } from './store.ts'
import { sendFile } from './transport.ts'
import type { Visit } from './visit-change.ts'

export interface VisitInput { activity: Row & { Id: string }, visit: Visit }

/** As long a person waits to hear that the office has it. */
const patienceMs = 3_000

/**
 * Changes the status of the caller's own visit. A visit is an event of its own, which the call would record anew each time
 * it arrives: so a device with a store writes it down first and sends that one change, and what the office says within 3 s
 * is the answer. Throws what the office refuses in words; without a store, ApiError as the call does.
 */
export async function saveVisit(input: VisitInput): Promise<{ queued: boolean, message?: string }> {
  const offline = currentOffline()
  const result = offline ? await keepAndSend(offline, input) : await send(input)
  await Promise.all([queryClient.invalidateQueries({ queryKey: keys.records('activity'), refetchType: 'active' }), recount()])
  return result
}

async function send({ activity, visit: { deviceTime: _at, meaning: _meaning, ...visit } }: VisitInput): Promise<{ queued: boolean, message?: string }> {
  const { message } = await api.put('/api/activities/updateAssignmentStatus', { ...visit, updatingUserId: visit.userId, activityId: activity.Id })
    .catch((error: unknown) => { throw isNetworkError(error) ? notKept(error) : error })
  return { queued: false, message }
}

async function keepAndSend({ store, loop }: Offline, { activity, visit }: VisitInput): Promise<{ queued: boolean }> {
  if (!await store.find('activity', activity.Id)) await store.keepServerCopy('activity', activity)
  await store.append({ type: 'activity', id: activity.Id, kind: 'update', values: { visit } })
  const changeId = (await store.pendingOf('activity', activity.Id)).at(-1)?.changeId
  if (!isOnline() || changeId === undefined) {
    void loop.trigger('write')
    return { queued: true }
  }
  void loop.trigger('asked')
  if (!await isDecided(store, { id: activity.Id, changeId })) return { queued: true }
  const refused = (await store.attention.list()).find((one) => one.changeId === changeId)
  if (!refused) return { queued: false }
  // The person is there and is told: nothing is left to decide later.
  await store.attention.discard(changeId)
  throw new Error(refused.message)
}

/** Resolves when the change has its verdict, or after 3 s with false. */
function isDecided(store: OfflineStore, { id, changeId }: { id: string, changeId: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isDone: boolean) => {
      clearTimeout(timer)
      stop()
      resolve(isDone)
    }
    const timer = setTimeout(() => finish(false), patienceMs)
    const look = async () => {
      if ((await store.pendingOf('activity', id)).every((change) => change.changeId !== changeId)) finish(true)
    }
    const stop = store.onTouched(() => void look())
    void look()
  })
}

/** Photos of an activity: kept sealed on this device until the server has confirmed them; without a store they go at once. */
export async function addPhotos(photos: readonly NewFile[]): Promise<void> {
  const offline = currentOffline()
  if (offline) {
    await offline.store.files.add(photos)
    void offline.loop.trigger(isOnline() ? 'asked' : 'write')
    return
  }
  for (const { bytes, ...photo } of photos) {
    await sendFile({ ...photo, id: crypto.randomUUID(), size: bytes.byteLength, sha256: await sha256(bytes), at: new Date().toISOString(), attempts: 0, state: 'ready' }, bytes)
  }
  await queryClient.invalidateQueries({ queryKey: keys.records('activity'), refetchType: 'active' })
}
