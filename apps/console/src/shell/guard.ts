import type { SessionState } from '../session/store.ts'

export interface GuardedScreen {
  permitted: boolean
  offline: boolean
}
export interface Visit extends Pick<SessionState, 'phase' | 'endReason' | 'layout'> {
  from: string
  isOnline: boolean
}
export interface Detour {
  to: '/login' | '/not-authorized' | '/offline' | typeof passwordScreen
  search: { redirectFrom?: string }
}

/** Where whoever has to choose another password is kept until that is done. */
export const passwordScreen = '/profile/change-password'

/** Where a visitor of a guarded screen is sent instead, with the way back; null lets them in. */
export function detourOf(screen: GuardedScreen, visit: Visit): Detour | null {
  const search = { redirectFrom: visit.from }
  // Whoever signs in after a sign-out may be somebody else: they start at their own start page.
  if (visit.phase !== 'in') return { to: '/login', search: visit.endReason === 'logout' ? {} : search }
  if (visit.layout?.mustChangePassword && !visit.from.startsWith(passwordScreen)) return { to: passwordScreen, search: {} }
  if (!screen.permitted) return { to: '/not-authorized', search }
  if (!visit.isOnline && !screen.offline) return { to: '/offline', search }
  return null
}
