import { useSyncExternalStore } from 'react'
import type { Fix } from '@outpost/rules/places/fix-quality'
import { phaseOf, watchOff, watchStep, type Watch, type WatchEvent } from '@outpost/rules/places/location-watch'
import { onConnection } from '../data/connection.ts'
import { cached, putCached } from '../offline/store/views-cache.ts'
import { batteryLevel, lastFix, readFix } from './place.ts'
import { flushPositions, forgetPositions, storePosition } from './positions.ts'

/** The location watcher of specification 9 on this device: rules/location-watch decides; this file reads, waits and stores. */
let watch: Watch = watchOff
let timer: ReturnType<typeof setTimeout> | null = null
const listeners = new Set<() => void>()

function step(event: WatchEvent): void {
  const { watch: next, store } = watchStep(watch, event)
  watch = next
  if (store) void storeFix(store)
  schedule()
  for (const listener of listeners) listener()
}

async function storeFix(fix: Fix): Promise<void> {
  await putCached('stored-fix', fix)
  await storePosition(fix, await batteryLevel())
}

function schedule(): void {
  if (timer) clearTimeout(timer)
  timer = watch.nextAt === null ? null : setTimeout(() => void read(), Math.max(0, watch.nextAt - Date.now()))
}

async function read(): Promise<void> {
  const reading = await readFix()
  const at = Date.now()
  step('fix' in reading ? { kind: 'fix', fix: reading.fix, at } : { kind: 'error', error: reading.error, at })
}

/** Watches until the returned function is called. Only one tab of the device watches; another one takes over when it closes. */
export function startWatch(): () => void {
  const ending = new AbortController()
  const whenSeen = () => {
    if (!document.hidden && watch.nextAt !== null && watch.nextAt < Date.now()) step({ kind: 'wake', at: Date.now() })
  }
  const stopFollowing = onConnection(({ isOnline }) => {
    if (isOnline) void flushPositions()
  })
  followPermission(ending.signal)
  document.addEventListener('visibilitychange', whenSeen)
  void inOneTab(ending.signal, async () => {
    const [last, stored] = await Promise.all([lastFix(), cached<Fix>('stored-fix')])
    if (ending.signal.aborted) return
    step({ kind: 'start', at: Date.now(), last, stored: stored ?? null })
    void flushPositions()
    await new Promise<void>((done) => ending.signal.addEventListener('abort', () => done(), { once: true }))
    step({ kind: 'stop' })
  })
  return () => {
    ending.abort()
    document.removeEventListener('visibilitychange', whenSeen)
    stopFollowing()
    forgetPositions()
  }
}

/** Holds the device-wide lock; a browser without locks just watches. */
async function inOneTab(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return run()
  try {
    await navigator.locks.request('outpost-watch', { signal }, run)
  } catch (error) {
    // Stopped while it waited for the lock.
    if (!signal.aborted) throw error
  }
}

/** A permission granted in the browser's settings takes effect at once, not at the next reading. */
function followPermission(signal: AbortSignal): void {
  void navigator.permissions
    ?.query({ name: 'geolocation' })
    .then((permission) => {
      permission.addEventListener('change', () => step({ kind: 'wake', at: Date.now() }), { signal })
    })
    .catch(() => console.info('This browser does not tell when the permission for the position changes.'))
}

/** The watcher's state as React state. */
export function useWatch(): Watch & { phase: ReturnType<typeof phaseOf> } {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => watch,
  )
  return { ...now, phase: phaseOf(now) }
}
