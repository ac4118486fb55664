import { useSyncExternalStore } from 'react'
import * as actions from './actions.ts'
import { reloadLayout } from './enter.ts'
import { staySignedIn } from './keep-alive.ts'
import { getSession, onSession } from './store.ts'
import type { SessionState } from './store.ts'

const sessionActions = { ...actions, reloadLayout, staySignedIn }

/** The session as React state, with its actions. */
export function useSession(): SessionState & typeof sessionActions {
  return { ...useSyncExternalStore(onSession, getSession), ...sessionActions }
}
