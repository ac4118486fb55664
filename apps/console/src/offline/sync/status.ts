import { useSyncExternalStore } from 'react'
import { getConnection, onConnection } from '../../data/connection.ts'
import { currentOffline, onCurrentOffline } from '../current.ts'
import type { Progress } from './loop-ports.ts'
import { t } from '../../session/labels.ts'
import { intlLocale } from '../../session/language.ts'

export { exportLog } from '../export.ts'

/** The state of this device towards the server; what the top bar and My Work show. */
export interface SyncStatus {
  /** False for people without an offline store and while the device is locked. */
  isOpen: boolean
  online: boolean
  /** Changes and photos not yet taken by the server. */
  pending: number
  /** Photos among them. */
  photos: number
  /** The photo on its way in portions, with its bytes and how many of them the office has. */
  sending: { id: string; size: number; sent: number } | null
  /** ISO time of the oldest of them. */
  oldest: string | null
  /** ISO time of the oldest photo that waits. */
  oldestPhoto: string | null
  lastSuccess: string | null
  lastError: string | null
  needsSignIn: boolean
  /** Refused changes that a person must look at. */
  attention: number
  running: boolean
  nextAt: number | null
  /** Whether the browser promised to keep the data; null until asked. */
  isPersisted: boolean | null
  /** Unsent work that only an earlier password of this person opens. */
  sealed: { count: number; oldest: string | null; newest: string | null } | null
  /** The old password is asked for at present. */
  isAskingOldPassword: boolean
  /** Room that is left on the device; null while there is enough. */
  leftMegabytes: number | null
  /** Records of the office are loaded: there is room for them. */
  hasRoomForCopies: boolean
}

const closed: SyncStatus = {
  isOpen: false,
  online: true,
  pending: 0,
  photos: 0,
  sending: null,
  oldest: null,
  oldestPhoto: null,
  lastSuccess: null,
  lastError: null,
  needsSignIn: false,
  attention: 0,
  running: false,
  nextAt: null,
  isPersisted: null,
  sealed: null,
  isAskingOldPassword: false,
  leftMegabytes: null,
  hasRoomForCopies: true,
}
let status: SyncStatus = { ...closed, online: getConnection().isOnline }
const listeners = new Set<() => void>()

export const getSyncStatus = (): SyncStatus => status

export function changeSyncStatus(change: Partial<SyncStatus>): void {
  const isSame = Object.entries(change).every(([key, value]) => status[key as keyof SyncStatus] === value)
  if (isSame) return
  status = { ...status, ...change }
  for (const listener of listeners) listener()
}

export function onSyncStatus(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The sync status as React state. */
export const useSyncStatus = (): SyncStatus => useSyncExternalStore(onSyncStatus, getSyncStatus)

const dayOf = (iso: string): string => new Date(iso).toLocaleDateString(intlLocale(), { day: 'numeric', month: 'short' })

/** What an earlier password hides, in words: "3 changes of 21 Nov wait behind your old password." */
export function describeSealed({ count, oldest, newest }: NonNullable<SyncStatus['sealed']>): string {
  const [first, last] = [oldest ? dayOf(oldest) : '', newest ? dayOf(newest) : '']
  if (!first || !last) return t('{{count}} changes wait behind your old password.', { count })
  if (first === last) return t('{{count}} changes of {{day}} wait behind your old password.', { count, day: first })
  return t('{{count}} changes of {{first}} to {{last}} wait behind your old password.', { count, first, last })
}

export const askForOldPassword = (): void => changeSyncStatus({ isAskingOldPassword: true })

/** Takes a report of the loop in. */
export function noteProgress({ isRunning, outcome, needsSignIn = false, isElsewhere, message, at, nextAt }: Progress): void {
  if (isRunning) return changeSyncStatus({ running: true })
  const isDone = outcome === 'success'
  changeSyncStatus({
    running: false,
    needsSignIn,
    nextAt: nextAt ?? null,
    ...(isDone ? { lastSuccess: new Date(at).toISOString(), lastError: null } : {}),
    ...(outcome === 'error' && !isElsewhere ? { lastError: message ?? 'The last sync did not succeed.' } : {}),
  })
}

/** The earlier of two ISO times, where there is one. */
export function earlier(one: string | null, other: string | null): string | null {
  return one !== null && (other === null || one < other) ? one : other
}

let [counting, next]: [Promise<void> | null, Promise<void> | null] = [null, null]

/** Counts log and attention anew; who asks while that is done shares the next count. */
export function recount(): Promise<void> {
  const begin = () => {
    next = null
    counting = count().finally(() => (counting = null))
    return counting
  }
  if (!counting) return begin()
  return (next ??= counting.then(begin, begin))
}

async function count(): Promise<void> {
  const offline = currentOffline()
  if (!offline) return changeSyncStatus({ pending: 0, photos: 0, oldest: null, oldestPhoto: null, attention: 0 })
  const [summary, attention, files] = await Promise.all([
    offline.store.summary(),
    offline.store.attention.count(),
    offline.store.files.list(),
  ])
  const refused = files.filter(({ state }) => state === 'refused').length
  const photos = files.filter(({ state }) => state === 'ready' || state === 'waits').length
  if (currentOffline() === offline)
    changeSyncStatus({
      pending: summary.count + photos,
      photos,
      oldest: earlier(summary.oldest, files[0]?.at ?? null),
      oldestPhoto: files[0]?.at ?? null,
      attention: attention + refused,
    })
}

/** How many changes the server has not taken yet; asked at sign-out. */
export async function pendingCount(): Promise<number> {
  const store = currentOffline()?.store
  if (!store) return 0
  const { count, files } = await store.summary()
  return count + files
}

/** Runs a sync cycle now; resolves when it is over, gives the changes still waiting. */
export async function syncNow(): Promise<number> {
  await currentOffline()?.loop.trigger('asked')
  await recount()
  return pendingCount()
}

onConnection(({ isOnline }) => {
  changeSyncStatus({ online: isOnline })
  if (isOnline) void currentOffline()?.loop.trigger('online')
})
onCurrentOffline((offline) => {
  changeSyncStatus(offline ? { isOpen: true } : { ...closed, online: getConnection().isOnline })
  void recount()
})
