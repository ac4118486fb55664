import type { ConsoleFrame } from '@outpost/contract/console'
import { api, isNetworkError } from '../data/api.ts'
import { getConnection } from '../data/connection.ts'
import { dropRecords, enter, enterOffline, reloadFrame } from './enter.ts'
import { refreshSession } from './refresh.ts'
import { getSession } from './store.ts'
import { endSession, getToken, keepSession, setTenantId } from './token.ts'
import type { SessionAnswer } from './token.ts'
import { unlockOffline } from './unlock.ts'

/** Parameters of an OAuth client's sign-in, from the address of /login/oauth/authorize. */
export interface OauthRequest { clientId: string, redirectUri: string, state?: string, codeChallenge?: string }
export type SignedIn = { frame: ConsoleFrame } | { redirect: string }

interface TokenAnswer extends SessionAnswer { redirect?: string }

/**
 * Signs in at the server, or on this device when the server cannot be reached and the user has worked here before.
 * Throws ApiError or UnlockError with the message to show. An OAuth client's user gets the address to go back to.
 */
export async function signIn(typed: { email: string, password: string }, oauth?: OauthRequest): Promise<SignedIn> {
  if (!getConnection().isOnline && !oauth) return { frame: await signInOffline(typed) }
  try {
    const { data } = await api.post<TokenAnswer>('/api/auth/login', { ...typed, ...oauth })
    if (data.redirect) return { redirect: data.redirect }
    keepSession(data)
    return { frame: await enter(typed) }
  } catch (error) {
    if (!isNetworkError(error) || oauth) throw error
    return { frame: await signInOffline(typed) }
  }
}

/** Signs in with a one-time token that was sent to the user. */
export async function signInWithToken(email: string, token: string): Promise<ConsoleFrame> {
  const { data } = await api.post<TokenAnswer>('/api/auth/token', { email, token })
  keepSession(data)
  return enter()
}

/** Ends the session at the server and here. Unsent changes stay sealed on the device; the caller asks before. */
export async function signOut(): Promise<void> {
  try {
    if (getToken()) await endAtServer()
  } catch (error) {
    // Offline or already ended: the device is locked all the same, the server ends the session by its idle time.
    console.info('The server was not told of the sign-out.', error)
  }
  endSession('logout')
}

/** Works as another user; the reason is kept in the audit log of both. */
export async function impersonate(userName: string, reason: string): Promise<ConsoleFrame> {
  const { data } = await api.post<TokenAnswer>('/api/auth/impersonate', { userName, reason })
  return swapSession(data)
}

/** Goes back to the own session. */
export async function endImpersonation(): Promise<ConsoleFrame> {
  const { data } = await api.post<TokenAnswer>('/api/auth/end-impersonation', {})
  // The own session may have ended meanwhile.
  if (!data.token) endSession('expired')
  return swapSession(data)
}

/** Chooses the tenant to work in; the former one's records leave the cache. Puts the old one back when refused. */
export async function selectTenant(tenantId: string): Promise<void> {
  const former = getSession().frame?.user.selectedTenant.Id ?? null
  try {
    await api.post('/api/auth/select-tenant', { tenantId })
    setTenantId(tenantId)
    dropRecords()
    await reloadFrame()
  } catch (error) {
    setTenantId(former)
    throw error
  }
}

/** Signing out while impersonating ends that only; the own session behind it goes too. */
async function endAtServer(): Promise<void> {
  const { data } = await api.get<{ impersonationEnded?: boolean }>('/api/auth/logout')
  if (data.impersonationEnded && await refreshSession() === 'renewed') await api.get('/api/auth/logout')
}

async function signInOffline(typed: { email: string, password: string }): Promise<ConsoleFrame> {
  await unlockOffline(typed.email, typed.password)
  return enterOffline()
}

async function swapSession(data: TokenAnswer): Promise<ConsoleFrame> {
  setTenantId(null)
  keepSession(data)
  dropRecords()
  return enter()
}
