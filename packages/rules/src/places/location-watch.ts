import { metresBetween } from './distance.ts'
import type { Fix } from './fix-quality.ts'

/** Figures of specification 9. */
export const watchLimits = {
  /** Options of the request to the device. */
  reading: { enableHighAccuracy: true, timeout: 5_000, maximumAge: 5_000 },
  /** A move of this many metres since the last stored position justifies a record. */
  moveMetres: 50,
  /** Delay until the next reading: at first and after a denial, after a success or few failures, after more than five. */
  recheckMs: 5 * 60_000,
  soonMs: 30_000,
  lateMs: 15 * 60_000,
  fewFailures: 5,
} as const

/** How a reading failed; a denial is the user's choice and not a failure. */
export type ReadingError = 'denied' | 'unavailable' | 'timeout' | 'unknown'

/** The watcher's state. `stored` is the last position that became a record. */
export interface Watch {
  isOn: boolean
  isDenied: boolean
  /** Consecutive failures. */
  failures: number
  last: Fix | null
  stored: Fix | null
  /** Time of the next reading (ms since 1970); null while off. */
  nextAt: number | null
}

export type WatchEvent =
  | { kind: 'start'; at: number; last?: Fix | null; stored?: Fix | null }
  | { kind: 'stop' }
  | { kind: 'fix'; fix: Fix; at: number }
  | { kind: 'error'; error: ReadingError; at: number }
  /** The user may have changed the permission, or the screen came back: read at once. */
  | { kind: 'wake'; at: number }

export const watchOff: Watch = { isOn: false, isDenied: false, failures: 0, last: null, stored: null, nextAt: null }

/** The next state, and the fix to store when there is one. Events while it is off change nothing. */
export function watchStep(watch: Watch, event: WatchEvent): { watch: Watch; store?: Fix } {
  if (event.kind === 'start')
    return {
      watch: watch.isOn ? watch : { ...watchOff, isOn: true, last: event.last ?? null, stored: event.stored ?? null, nextAt: event.at },
    }
  if (event.kind === 'stop') return { watch: { ...watchOff, last: watch.last, stored: watch.stored } }
  if (!watch.isOn) return { watch }
  switch (event.kind) {
    case 'wake':
      return { watch: { ...watch, nextAt: event.at } }
    case 'error':
      return { watch: afterError(watch, event) }
    case 'fix':
      return afterFix(watch, event)
  }
}

function afterError(watch: Watch, { error, at }: { error: ReadingError; at: number }): Watch {
  if (error === 'denied') return { ...watch, isDenied: true, nextAt: at + watchLimits.recheckMs }
  const failures = watch.failures + 1
  return {
    ...watch,
    isDenied: false,
    failures,
    nextAt: at + (failures <= watchLimits.fewFailures ? watchLimits.soonMs : watchLimits.lateMs),
  }
}

function afterFix(watch: Watch, { fix, at }: { fix: Fix; at: number }): { watch: Watch; store?: Fix } {
  const hasMoved = watch.stored === null || metresBetween(watch.stored, fix) >= watchLimits.moveMetres
  const next = { ...watch, isDenied: false, failures: 0, last: fix, nextAt: at + watchLimits.soonMs, ...(hasMoved ? { stored: fix } : {}) }
  return hasMoved ? { watch: next, store: fix } : { watch: next }
}

/** The phase of the watcher, as the top bar shows it. */
export type WatchPhase = 'off' | 'searching' | 'live' | 'lost' | 'denied'

export function phaseOf({ isOn, isDenied, failures, last }: Watch): WatchPhase {
  if (!isOn) return 'off'
  if (isDenied) return 'denied'
  if (failures > 0) return failures > watchLimits.fewFailures || last === null ? 'lost' : 'searching'
  return last === null ? 'searching' : 'live'
}
