import { isNetworkError, notKept } from '../../data/api.ts'
import { call } from '../../data/calls.ts'
import { isOnline } from '../../data/connection.ts'
import { keys } from '../../data/keys.ts'
import { queryClient } from '../../data/query-client.ts'
import type { Row } from '../../data/records.ts'
import { currentOffline } from '../../offline/current.ts'
import { sha256, type NewFile } from '../../offline/sync/files.ts'
import { storeCall } from '../../offline/kept-call.ts'
import { recount } from '../../offline/sync/status.ts'
import { fileSender } from '../../offline/sync/transport.ts'
import { activityAddition } from './kept-activity.ts'
import type { Visit } from './visit-change.ts'

export interface VisitInput {
  activity: Row & { Id: string }
  visit: Visit
}

/**
 * Changes the status of the caller's own visit. A visit is an event of its own, which the call would record anew each time
 * it arrives: so a device with a store keeps it as one change. Throws what the office refuses in words; without a store,
 * ApiError as the call does.
 */
export async function saveVisit({ activity, visit }: VisitInput): Promise<{ queued: boolean; message?: string }> {
  const offline = currentOffline()
  const result = offline
    ? await storeCall(offline, { type: 'activity', record: activity, field: 'visit', value: visit })
    : await send({ activity, visit })
  await Promise.all([queryClient.invalidateQueries({ queryKey: keys.records('activity'), refetchType: 'active' }), recount()])
  return result
}

async function send({
  activity,
  visit: { deviceTime: _at, meaning: _meaning, ...visit },
}: VisitInput): Promise<{ queued: boolean; message?: string }> {
  const { message } = await call('activities.updateAssignmentStatus', {
    body: { ...visit, updatingUserId: visit.userId, activityId: activity.Id },
  }).catch((error: unknown) => {
    throw isNetworkError(error) ? notKept(error) : error
  })
  return { queued: false, message }
}

/** Photos of an activity: kept sealed on this device until the server has confirmed them; without a store they go at once. */
export async function addPhotos(photos: readonly NewFile[]): Promise<void> {
  const offline = currentOffline()
  if (offline) {
    await offline.store.files.add(photos)
    void offline.loop.trigger(isOnline() ? 'asked' : 'write')
    return
  }
  const sendFile = fileSender({ activity: activityAddition })
  for (const { bytes, ...photo } of photos) {
    await sendFile(
      {
        ...photo,
        id: crypto.randomUUID(),
        size: bytes.byteLength,
        sha256: await sha256(bytes),
        at: new Date().toISOString(),
        attempts: 0,
        state: 'ready',
      },
      bytes,
    )
  }
  await queryClient.invalidateQueries({ queryKey: keys.records('activity'), refetchType: 'active' })
}
