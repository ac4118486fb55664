import type { DeviceClock } from '@outpost/contract/sync/clock'
import { followLeaps } from './leap.ts'

export type SessionEndReason = 'logout' | 'disabled' | 'expired' | 'replaced' | 'wiped'

/** The answer of every kind of sign-in, besides the user. */
export interface SessionAnswer {
  token?: string
  serverNow?: string
  sessionEndsAt?: string
  policy?: SessionPolicy
}
/** How long a session lasts without activity: administrators 30 minutes, office staff an hour, field staff days. */
export type SessionPolicy = 'admin' | 'office' | 'field'

interface TokenState {
  token: string | null
  expiresAt: number | null
  /** The latest end of the whole session (server clock, ms). */
  sessionEndsAt: number | null
  policy: SessionPolicy
  tenantId: string | null
  /** Server clock minus this device's clock, in milliseconds. */
  clockOffset: number
  /** When that was heard (server clock, ms); null before. */
  heardAt: number | null
}

const state: TokenState = {
  token: null,
  expiresAt: null,
  sessionEndsAt: null,
  policy: 'office',
  tenantId: null,
  clockOffset: 0,
  heardAt: null,
}
const endHandlers = new Set<(reason: SessionEndReason) => void>()
const tokenHandlers = new Set<(token: string | null) => void>()

/** The access token, in memory only: a script that reads browser storage finds nothing. */
export function getToken(): string | null {
  return state.token
}

/** Stores a new access token (null clears it) and notifies the scheduler of the silent refresh. */
export function setToken(token: string | null): void {
  state.token = token
  state.expiresAt = token ? readExpiry(token) : null
  for (const handler of tokenHandlers) handler(token)
}

/** Stores everything that a sign-in or refresh answered. Throws when it has no token. */
export function storeSession({ token, serverNow: now, sessionEndsAt, policy }: SessionAnswer): void {
  if (!token) throw new Error('The server answered without a token.')
  if (now) setServerNow(now)
  state.sessionEndsAt = sessionEndsAt ? Date.parse(sessionEndsAt) : null
  state.policy = policy ?? state.policy
  setToken(token)
}

/** The latest end of the session (server clock, ms; null unknown), and its policy for idle time. */
export function getSessionLimits(): { endsAt: number | null; policy: SessionPolicy } {
  return { endsAt: state.sessionEndsAt, policy: state.policy }
}

/** When (server clock, ms) the access token expires; null without a token. */
export function getTokenExpiry(): number | null {
  return state.expiresAt
}

/** Calls back on every new or cleared token; returns a function that cancels it. */
export function onToken(handler: (token: string | null) => void): () => void {
  tokenHandlers.add(handler)
  return () => tokenHandlers.delete(handler)
}

/** The tenant that is sent as x-tenant-id. */
export function getTenantId(): string | null {
  return state.tenantId
}

export function setTenantId(tenantId: string | null): void {
  state.tenantId = tenantId
}

/** Reads the server's clock from an answer (ISO time), so that a wrong device clock does not end sessions. */
export function setServerNow(iso: string): void {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return
  // A leap that is heard of later would be added to an offset that knows of it.
  followLeaps()
  state.clockOffset = at - Date.now()
  state.heardAt = at
}

/** The device's clock was set by so much (ms) while the page was open: the server's was not. */
export function noteClockSet(byMs: number): void {
  state.clockOffset -= byMs
}

/**
 * What this device knows of its clock, to be kept beside a time that it notes: the server sets the time right by it, even where the clock
 * has been mended before the work is sent. Nothing before the first word of the server: then it goes by the time of the sending.
 */
export function deviceClock(): { clock?: DeviceClock } {
  const { clockOffset, heardAt } = state
  return heardAt === null ? {} : { clock: { skewMs: Math.round(clockOffset), heardAt: new Date(heardAt).toISOString() } }
}

/** Now by the server's clock, ms. */
export function serverNow(): number {
  return Date.now() + state.clockOffset
}

/** Calls back when the session ends, by sign-out or for another reason; returns a function that cancels it. */
export function onSessionEnd(handler: (reason: SessionEndReason) => void): () => void {
  endHandlers.add(handler)
  return () => endHandlers.delete(handler)
}

/** Ends the session here: clears the token and notifies listeners (router, offline store, socket) once. */
export function endSession(reason: SessionEndReason): void {
  setToken(null)
  for (const handler of endHandlers) handler(reason)
}

/** Reads `exp` of a web token (seconds) as ms; an undecodable token counts as already expired. */
export function readExpiry(token: string): number {
  const claims = readClaims(token)
  return typeof claims.exp === 'number' ? claims.exp * 1000 : 0
}

/** The claims of a web token, unverified (the server verifies); {} when it cannot be decoded. */
export function readClaims(token: string): Record<string, unknown> {
  try {
    const body = token.split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(body.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return claims !== null && typeof claims === 'object' ? { ...claims } : {}
  } catch {
    return {}
  }
}
