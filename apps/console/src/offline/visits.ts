import { api, isNetworkError } from '../data/api.ts'
import { isOnline } from '../data/connection.ts'
import { keys } from '../data/keys.ts'
import { queryClient } from '../data/query-client.ts'
import type { Row } from '../data/records.ts'
import { currentOffline } from './current.ts'
import { sha256, type NewFile } from './files.ts'
import { recount } from './status.ts'
import { sendFile } from './transport.ts'
import type { Visit } from './visit-change.ts'

export interface VisitInput { activity: Row & { Id: string }, visit: Visit }

/**
 * Changes the status of the caller's own visit: at the server when it is there, else as a change of this device that ends
 * in the same call. An activity that has unsent changes gets this one behind them. Throws ApiError as the call does.
 */
export async function saveVisit(input: VisitInput): Promise<{ queued: boolean, message?: string }> {
  const store = currentOffline()?.store
  const held = await store?.find('activity', input.activity.Id)
  const isBehind = held !== undefined && held.state !== 'clean'
  const result = store && (isBehind || !isOnline()) ? await keep(input) : await sendOrKeep(input)
  await Promise.all([queryClient.invalidateQueries({ queryKey: keys.records('activity'), refetchType: 'active' }), recount()])
  return result
}

async function sendOrKeep(input: VisitInput): Promise<{ queued: boolean, message?: string }> {
  const { activity, visit: { deviceTime: _at, meaning: _meaning, ...visit } } = input
  try {
    const { data, message } = await api.put<{ activity: Row }>('/api/activities/updateAssignmentStatus', { ...visit, updatingUserId: visit.userId, activityId: activity.Id })
    await keepCopy(data.activity)
    return { queued: false, message }
  } catch (error) {
    if (!isNetworkError(error) || !currentOffline()) throw error
    return keep(input)
  }
}

async function keep({ activity, visit }: VisitInput): Promise<{ queued: boolean }> {
  const offline = currentOffline()
  if (!offline) throw new Error('The data of this device is locked. Sign in again.')
  const { store, loop } = offline
  if (!await store.find('activity', activity.Id)) await store.keepServerCopy('activity', activity)
  await store.append({ type: 'activity', id: activity.Id, kind: 'update', values: { visit } })
  void loop.trigger('write')
  return { queued: true }
}

async function keepCopy(record: Row): Promise<void> {
  if (record.Id) await currentOffline()?.store.keepServerCopy('activity', { ...record, Id: record.Id })
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
