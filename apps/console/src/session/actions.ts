import type { ConsoleLayout } from '@outpost/contract/console'
import { isNetworkError } from '../data/api.ts'
import { call } from '../data/calls.ts'
import { getConnection } from '../data/connection.ts'
import { stopFetchingAhead } from './leaving.ts'
import { dropRecords, enter, enterOffline, reloadLayout } from './enter.ts'
import { refreshSession } from './refresh.ts'
import { changeSession, getSession } from './store.ts'
import { endSession, getToken, storeSession, setTenantId } from './token.ts'
import type { SessionAnswer } from './token.ts'
import { currentDataOwner, isUnlockSupported, unlockByPasskey, unlockOffline, type PasskeyKey } from './unlock/unlock.ts'

/** Parameters of an OAuth client's sign-in, from the address of /login/oauth/authorize. */
export interface OauthRequest {
  clientId: string
  redirectUri: string
  state?: string
  codeChallenge: string
  codeChallengeMethod: 'S256'
}
export interface Typed {
  email: string
  password: string
}
export type SignedIn = { layout: ConsoleLayout } | { redirect: string }
/** The password was right and a code is asked for; `enrolment` for who has to set an authenticator up first. */
export type Stepped = SignedIn | { step: string; challenge: string; enrolment?: { secret: string; uri: string } }

interface TokenAnswer extends SessionAnswer {
  redirect?: string
  recoveryCodes?: string[]
}

/**
 * Signs in at the server, or on this device when the server cannot be reached and the user has worked here before. Throws ApiError or
 * UnlockError with the message to show. Returns the address to go back to for an OAuth client, or the step that comes next.
 */
export async function signIn(typed: Typed, oauth?: OauthRequest): Promise<Stepped> {
  if (!getConnection().isOnline && !oauth) return { layout: await signInOffline(typed) }
  try {
    const { data } = await call('auth.login', { body: { ...typed, ...oauth } })
    return 'step' in data ? data : await finishSignIn(data, typed)
  } catch (error) {
    if (!isNetworkError(error) || oauth) throw error
    return { layout: await signInOffline(typed) }
  }
}

/** The address and name of an identity provider, by the sign-in name of the company or as the only one there is; this browser is remembered for the way back. */
export async function samlAddress(provider?: string): Promise<{ url: string; name: string }> {
  return (await call('auth.url', { params: { x: 'saml' }, ...(provider ? { query: { provider } } : {}) })).data
}

/** Signs in with the code that an identity provider's answer came back with, or gives the step that comes next. */
export async function signInBySaml(code: string): Promise<Stepped> {
  const { data } = await call('saml.login', { body: { code } })
  return 'step' in data ? data : finishSignIn(data)
}

/** Hands the code of the second step in. Nothing is open yet: recovery codes are shown before `finishSignIn`. */
export async function takeStep(challenge: string, code: string): Promise<TokenAnswer> {
  return (await call('auth.loginStep', { body: { challenge, code } })).data
}

/** Opens the console with what the last step of a sign-in answered; the password, where there was one, unlocks the device's data. */
export async function finishSignIn(data: TokenAnswer, typed?: Typed): Promise<SignedIn> {
  if (data.redirect) return { redirect: data.redirect }
  storeSession(data)
  const layout = await enter(typed)
  if (!typed && keepsNothing(layout)) changeSession({ isAskingDevicePassword: true })
  return { layout }
}

/** Work in the field whose device is closed: nothing of it would be kept. */
export const keepsNothing = (layout: ConsoleLayout): boolean =>
  layout.isFieldRole && !layout.impersonation && isUnlockSupported() && currentDataOwner() === null

/** Opens the console with what a sign-in by passkey answered; its secret unlocks the device's data, where it was prepared for that. */
export async function finishPasskeySignIn(data: TokenAnswer, key: PasskeyKey): Promise<SignedIn> {
  if (data.redirect) return { redirect: data.redirect }
  storeSession(data)
  return { layout: await enter(key) }
}

/** Opens the console on this device without the server. Throws UnlockError. */
export async function enterByPasskey(key: PasskeyKey): Promise<SignedIn> {
  await unlockByPasskey(key)
  return { layout: await enterOffline() }
}

/** Signs in with a one-time token that was sent to the user. */
export async function signInWithToken(email: string, token: string, codeVerifier: string): Promise<ConsoleLayout> {
  const data: TokenAnswer = (await call('auth.token', { body: { email, token, codeVerifier } })).data
  storeSession(data)
  return enter()
}

/**
 * Ends the session at the server and here, and where an identity provider vouched for it, goes on to sign out there too. Unsent changes
 * stay encrypted on the device; the caller asks the user before. `beforeLeaving`: what is still to be done in this page.
 */
export async function signOut(beforeLeaving?: () => Promise<void>): Promise<void> {
  stopFetchingAhead()
  let elsewhere: string | undefined
  try {
    if (getToken()) elsewhere = await endAtServer()
  } catch (error) {
    // Offline or already ended: the device is locked anyway, and the server ends the session after its idle time.
    console.info('The server was not told of the sign-out.', error)
  }
  endSession('logout')
  await beforeLeaving?.()
  if (elsewhere !== undefined) location.assign(elsewhere)
}

/** Starts impersonating another user; the audit log of both contains the reason. */
export async function impersonate(userName: string, reason: string): Promise<ConsoleLayout> {
  const data: TokenAnswer = (await call('auth.impersonate', { body: { userName, reason } })).data
  return swapSession(data)
}

/** Returns to the user's own session. */
export async function endImpersonation(): Promise<ConsoleLayout> {
  const { data } = await call('auth.endImpersonation')
  // The user's own session may have ended in the meantime.
  if (!('token' in data)) endSession('expired')
  return swapSession('token' in data ? data : {})
}

/** Selects the tenant to work in; records of the former one are removed from the cache. Restores the former one when the server refuses. */
export async function selectTenant(tenantId: string): Promise<void> {
  const former = getSession().layout?.user.selectedTenant.Id ?? null
  try {
    await call('auth.selectTenant', { body: { tenantId } })
    setTenantId(tenantId)
    dropRecords()
    await reloadLayout()
  } catch (error) {
    setTenantId(former)
    throw error
  }
}

/**
 * Signing out while impersonating only ends the impersonation at the server; the user's own session is ended as well. Gives the address at
 * which the identity provider signs the user out.
 */
async function endAtServer(): Promise<string | undefined> {
  const { data } = await call('auth.logout')
  if (!data.impersonationEnded) return data.signOutUrl
  return (await refreshSession()) === 'renewed' ? (await call('auth.logout')).data.signOutUrl : undefined
}

async function signInOffline(typed: Typed): Promise<ConsoleLayout> {
  await unlockOffline(typed.email, typed.password)
  return enterOffline()
}

async function swapSession(data: TokenAnswer): Promise<ConsoleLayout> {
  setTenantId(null)
  storeSession(data)
  dropRecords()
  return enter()
}
