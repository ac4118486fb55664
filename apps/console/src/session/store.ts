import type { ConsoleLayout } from '@outpost/contract/console'
import type { SessionEndReason } from './token.ts'

export interface SessionState {
  phase: 'starting' | 'out' | 'in'
  layout: ConsoleLayout | null
  /** Signed in with this device's encrypted data: there is no session at the server yet. */
  isOfflineSession: boolean
  /** The reason why the last session ended, shown on the sign-in screen. */
  endReason: SessionEndReason | null
  /** When the session will end without activity (device time, ms); null while no warning is needed. */
  endsAt: number | null
  /** With endsAt: whether the user can stay signed in, or has to sign in again. */
  mayStay: boolean
  /** Why this device could not be registered for push messages; null when it was, or was not asked to be. */
  pushFailure: string | null
  /** Somebody came in without a password, and what this device keeps is closed: it is asked what shall seal or open it. */
  isAskingDevicePassword: boolean
}

let state: SessionState = {
  phase: 'starting',
  layout: null,
  isOfflineSession: false,
  endReason: null,
  endsAt: null,
  mayStay: true,
  pushFailure: null,
  isAskingDevicePassword: false,
}
const listeners = new Set<() => void>()

/** The current session; the same object until something changes. */
export function getSession(): SessionState {
  return state
}

export function changeSession(change: Partial<SessionState>): void {
  state = { ...state, ...change }
  for (const listener of listeners) listener()
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
