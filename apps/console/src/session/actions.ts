import type { ConsoleFrame } from '@outpost/contract/console'
import { isNetworkError } from '../data/api.ts'
import { call } from '../data/calls.ts'
import { getConnection } from '../data/connection.ts'
import { dropRecords, enter, enterOffline, reloadFrame } from './enter.ts'
import { refreshSession } from './refresh.ts'
import { getSession } from './store.ts'
import { endSession, getToken, storeSession, setTenantId } from './token.ts'
import type { SessionAnswer } from './token.ts'
import { unlockOffline } from './unlock.ts'

/** Parameters of an OAuth client's sign-in, from the address of /login/oauth/authorize. */
export interface OauthRequest {
  clientId: string
  redirectUri: string
  state?: string
  codeChallenge?: string
}
export type SignedIn = { frame: ConsoleFrame } | { redirect: string }

interface TokenAnswer extends SessionAnswer {
  redirect?: string
}

/**
 * Signs in at the server, or on this device when the server cannot be reached and the user has worked here before. Throws ApiError or
 * UnlockError with the message to show. Returns the address to go back to for an OAuth client.
 */
export async function signIn(typed: { email: string; password: string }, oauth?: OauthRequest): Promise<SignedIn> {
  if (!getConnection().isOnline && !oauth) return { frame: await signInOffline(typed) }
  try {
    const data: TokenAnswer = (await call('auth.login', { body: { ...typed, ...oauth } })).data
    if (data.redirect) return { redirect: data.redirect }
    storeSession(data)
    return { frame: await enter(typed) }
  } catch (error) {
    if (!isNetworkError(error) || oauth) throw error
    return { frame: await signInOffline(typed) }
  }
}

/** Signs in with a one-time token that was sent to the user. */
export async function signInWithToken(email: string, token: string): Promise<ConsoleFrame> {
  const data: TokenAnswer = (await call('auth.token', { body: { email, token } })).data
  storeSession(data)
  return enter()
}

/** Ends the session at the server and here. Unsent changes stay encrypted on the device; the caller asks the user before. */
export async function signOut(): Promise<void> {
  try {
    if (getToken()) await endAtServer()
  } catch (error) {
    // Offline or already ended: the device is locked anyway, and the server ends the session after its idle time.
    console.info('The server was not told of the sign-out.', error)
  }
  endSession('logout')
}

/** Starts impersonating another user; the audit log of both contains the reason. */
export async function impersonate(userName: string, reason: string): Promise<ConsoleFrame> {
  const data: TokenAnswer = (await call('auth.impersonate', { body: { userName, reason } })).data
  return swapSession(data)
}

/** Returns to the user's own session. */
export async function endImpersonation(): Promise<ConsoleFrame> {
  const { data } = await call('auth.endImpersonation')
  // The user's own session may have ended in the meantime.
  if (!('token' in data)) endSession('expired')
  return swapSession('token' in data ? data : {})
}

/** Selects the tenant to work in; records of the former one are removed from the cache. Restores the former one when the server refuses. */
export async function selectTenant(tenantId: string): Promise<void> {
  const former = getSession().frame?.user.selectedTenant.Id ?? null
  try {
    await call('auth.selectTenant', { body: { tenantId } })
    setTenantId(tenantId)
    dropRecords()
    await reloadFrame()
  } catch (error) {
    setTenantId(former)
    throw error
  }
}

/** Signing out while impersonating only ends the impersonation at the server; the user's own session is ended as well. */
async function endAtServer(): Promise<void> {
  const { data } = await call('auth.logout')
  if (data.impersonationEnded && (await refreshSession()) === 'renewed') await call('auth.logout')
}

async function signInOffline(typed: { email: string; password: string }): Promise<ConsoleFrame> {
  await unlockOffline(typed.email, typed.password)
  return enterOffline()
}

async function swapSession(data: TokenAnswer): Promise<ConsoleFrame> {
  setTenantId(null)
  storeSession(data)
  dropRecords()
  return enter()
}
