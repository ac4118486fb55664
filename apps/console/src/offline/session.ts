import { checkConnection } from '../data/connection.ts'
import { keys } from '../data/keys.ts'
import { on } from '../data/live.ts'
import { keepOfflineScreens } from '../data/queries.ts'
import { queryClient } from '../data/query-client.ts'
import { untilSignOut } from '../session/leaving.ts'
import { getSession, onSession } from '../session/store.ts'
import { getTenantId } from '../session/token.ts'
import { currentDataKey, currentDataOwner, onDataKey, type DataOwner } from '../session/unlock/unlock.ts'
import { databaseName, type Owner } from './store/core.ts'
import { currentOffline, setCurrentOffline, workWithoutStore } from './current.ts'
import { deviceId } from './store/device-id.ts'
import { dropStore, StoreInUseError } from './store/drop-store.ts'
import { keptKind, type KindAdditions } from './kinds.ts'
import type { LogSummary } from './store/log.ts'
import { createLoop, type Loop } from './sync/loop.ts'
import { checkRoom, secureStorage } from './store/safety.ts'
import { tidyFormerKeys } from './store/sealed-work.ts'
import { askForOldPassword, changeSyncStatus, earlier, getSyncStatus, noteProgress, recount } from './sync/status.ts'
import { openStore, type OfflineStore } from './store/store.ts'
import { beat, runAlone } from './sync/tabs.ts'
import { fileSender, classifyFileError, postDeadLetter, pull, push, refusalOf } from './sync/transport.ts'

/**
 * Follows the data key: opens the person's store and starts the loop when the device is unlocked, closes both when it
 * is locked. Called once at start, with what hand-made screens add to the kinds; returns the way to stop.
 */
export function connectOffline(additions: KindAdditions): () => void {
  const stops = [
    onDataKey((owner) => void follow(owner, additions)),
    watchVisibility(),
    watchSession(),
    on('records.changed', ({ resource }) => pullSoon(resource)),
  ]
  void follow(currentDataOwner(), additions)
  return () => {
    for (const stop of stops) stop()
    close()
  }
}

/** The office changed a kind that is kept here: the next pull need not wait for the timer. */
function pullSoon(resource: string): void {
  if (keptKind(resource)) void currentOffline()?.loop.trigger('write')
}

let following: Promise<void> = Promise.resolve()

/** One change of owner after the other, in their order. */
function follow(owner: DataOwner | null, additions: KindAdditions): Promise<void> {
  following = following
    .then(() => change(owner, additions))
    .catch((error: unknown) => {
      console.error('The store of this device could not be opened.', error)
      workWithoutStore()
      changeSyncStatus({
        lastError: `The store of this device could not be opened. ${error instanceof StoreInUseError ? error.message : ''}`.trim(),
      })
    })
  return following
}

async function change(owner: DataOwner | null, additions: KindAdditions): Promise<void> {
  const held = currentOffline()?.store.owner
  if (owner && held?.userId === owner.userId && held.companyId === owner.companyId && held.storeId === owner.storeId) {
    await noteSealed()
    // Signed in again: what waited for a session may go now.
    void currentOffline()?.loop.trigger('online')
    return
  }
  close()
  const key = currentDataKey()
  if (owner && key) await open(owner, { key, additions })
}

async function open(
  { userId, companyId, storeId }: DataOwner,
  { key, additions }: { key: CryptoKey; additions: KindAdditions },
): Promise<void> {
  const owner: Owner = {
    userId,
    companyId,
    storeId,
    deviceId: deviceId(),
    country: () => getSession().layout?.company.country ?? 'KE',
    tenantId: () => getTenantId() ?? companyId,
  }
  const store = await openOrRenew(owner, key)
  const incidents = await store.check()
  if (incidents.length > 0) console.warn('Torn writes were mended.', incidents)
  const loop = makeLoop(store, additions)
  store.onTouched(({ type }) => {
    void queryClient.invalidateQueries(type === undefined ? { queryKey: ['records'] } : { queryKey: keys.records(type) })
    void recount()
  })
  setCurrentOffline({ store, loop, additions })
  await noteSealed({ isNew: true })
  loop.start()
  const { layout, isOfflineSession } = getSession()
  if (layout && !isOfflineSession) void keepOfflineScreens(layout)
  await Promise.all([secureStorage(), checkRoom()])
}

function close(): void {
  const offline = currentOffline()
  if (!offline) return
  setCurrentOffline(null)
  offline.loop.stop()
  offline.store.close()
}

/** The office learns of all that waits here, since the oldest of it: also of photos, and of what only an earlier password opens. */
function allThatWaits(summary: LogSummary): LogSummary {
  const { sealed, oldestPhoto } = getSyncStatus()
  const oldest = earlier(summary.oldest, summary.files > 0 ? oldestPhoto : null)
  return sealed ? { ...summary, count: summary.count + sealed.count, oldest: earlier(oldest, sealed.oldest) } : { ...summary, oldest }
}

/** What waits behind an earlier password is shown in the sync status, and asked for once when the store opens. */
export async function noteSealed({ isNew = false }: { isNew?: boolean } = {}): Promise<void> {
  const store = currentOffline()?.store
  if (!store) return
  const { userId, storeId = '' } = store.owner
  try {
    const sealed = await tidyFormerKeys({ userId, storeId })
    await store.raiseCount(sealed.maxClientSeq)
    changeSyncStatus({ sealed: sealed.count > 0 ? sealed : null })
    if (sealed.count > 0 && isNew) askForOldPassword()
  } catch (error) {
    console.warn('What earlier passwords seal on this device could not be looked at.', error)
  }
}

/** A store that is torn, so that its own key does not open it, starts anew; with unsent work in it it stays for those who can mend it. */
async function openOrRenew(owner: Owner, key: CryptoKey): Promise<OfflineStore> {
  try {
    return await openStore(owner, key)
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'OperationError') throw error
    await dropStore(databaseName(owner))
    return openStore(owner, key)
  }
}

/** Without a session at the server (an offline sign-in, a sign-out under way) there is nobody to sync as. */
function isAtOffice(): boolean {
  const { phase, isOfflineSession } = getSession()
  return phase === 'in' && !isOfflineSession && !untilSignOut().aborted
}

function makeLoop(store: OfflineStore, additions: KindAdditions): Loop {
  const { deviceId: device } = store.owner
  const name = databaseName(store.owner)
  const persisted = () => getSyncStatus().isPersisted ?? false
  const loop = createLoop({
    now: Date.now,
    setTimer: (run, ms) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    isOnline: async () => (await checkConnection()) && isAtOffice(),
    push: (changes, summary) => {
      beat(name)
      untilSignOut().throwIfAborted()
      const { lastError, attention } = getSyncStatus()
      return push(changes, { summary: allThatWaits(summary), deviceId: device, persisted: persisted(), lastError, attention })
    },
    pull: (cursor) => {
      beat(name)
      return pull(cursor, untilSignOut())
    },
    refusalOf,
    hasRoom: checkRoom,
    store,
    sendFiles: () =>
      store.files
        .send(
          fileSender(additions, ({ id, size }, sent) => changeSyncStatus({ sending: { id, size, sent } })),
          classifyFileError,
        )
        .finally(() => changeSyncStatus({ sending: null })),
    alone: (run) => runAlone(name, run),
    report: (progress) => {
      noteProgress(progress)
      if (!progress.isRunning) void Promise.all([recount(), checkRoom()])
      if (progress.outcome === 'success') void reportQuarantined(store)
    },
  })
  return loop
}

/** Tells the office of changes that were set aside, once each. */
async function reportQuarantined(store: OfflineStore): Promise<void> {
  for (const attention of await store.attention.list()) {
    if (attention.reason !== 'quarantined' || attention.reported === 1) continue
    try {
      await postDeadLetter(attention)
      await store.attention.markReported(attention.changeId)
    } catch (error) {
      console.warn('The office could not be told of a change that was set aside; tried again at the next sync.', error)
      return
    }
  }
}

function watchVisibility(): () => void {
  const look = () => {
    if (document.visibilityState === 'visible') void currentOffline()?.loop.trigger('visible')
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}

/** The network comes back before the session does, so a cycle that found nobody to sync as is made up for here. */
function watchSession(): () => void {
  let wasOffline = getSession().isOfflineSession
  return onSession(() => {
    const { isOfflineSession, phase } = getSession()
    const isBack = wasOffline && !isOfflineSession && phase === 'in'
    wasOffline = isOfflineSession
    if (isBack) void currentOffline()?.loop.trigger('online')
  })
}
