import { deriveKeys } from '@outpost/platform/keys'
import { isSameText, mark } from '../../kernel/session/tokens/opaque.ts'
import type { SessionServices } from '../../kernel/session/services.ts'
import type { CookieChange, RequestInfo } from '../../kernel/types.ts'

/**
 * The cookies of sign-in: the session's refresh token, that of an impersonation, the mark of a known device, and the page that asked for a
 * passkey or went to an identity provider.
 */
export type CookieKind = 'session' | 'impersonation' | 'device' | 'passkey' | 'saml'

const names: Record<CookieKind, string> = {
  session: 'outpost',
  impersonation: 'outpost-as',
  device: 'outpost-device',
  passkey: 'outpost-passkey',
  saml: 'outpost-saml',
}
const deviceSeconds = 180 * 86_400
const usersPerDevice = 5

/**
 * Over https the name carries __Host-, which no sub-domain can set; browsers then insist on the path /.
 * Without https (a local installation) the cookie at least goes to /api/auth only.
 */
function cookiePlace({ isHttps }: SessionServices, kind: CookieKind): Pick<CookieChange, 'name' | 'path'> {
  return isHttps ? { name: `__Host-${names[kind]}`, path: '/' } : { name: names[kind], path: '/api/auth' }
}

export function readCookie(services: SessionServices, facts: RequestInfo, kind: CookieKind): string | undefined {
  return facts.cookies[cookiePlace(services, kind).name]
}

export function setCookie(services: SessionServices, kind: CookieKind, value: string, maxAgeSeconds: number): CookieChange {
  return { ...cookiePlace(services, kind), value, maxAgeSeconds }
}

export function clearCookie(services: SessionServices, kind: CookieKind): CookieChange {
  return { ...cookiePlace(services, kind), value: null }
}

/** True when one of these users has signed in from this browser before: guesses from elsewhere must not lock them out. */
export function isKnownDevice(services: SessionServices, facts: RequestInfo, userIds: readonly string[]): boolean {
  const known = marksOf(services, facts)
  return userIds.some((id) => known.some((one) => userMarks(services, id).some((own) => isSameText(one, own))))
}

/** Remembers this browser as one the user signs in from; the cookie names no user, it only recognises them. */
export function markDevice(services: SessionServices, facts: RequestInfo, userId: string): CookieChange {
  const [own = '', ...former] = userMarks(services, userId)
  const others = marksOf(services, facts).filter((one) => one !== own && !former.includes(one))
  return setCookie(services, 'device', [own, ...others].slice(0, usersPerDevice).join('.'), deviceSeconds)
}

function marksOf(services: SessionServices, facts: RequestInfo): string[] {
  return (readCookie(services, facts, 'device') ?? '')
    .split('.')
    .filter((one) => one.length === 24)
    .slice(0, usersPerDevice)
}

const keys = new WeakMap<SessionServices, readonly Buffer[]>()

/** By the master secret, then by those before it. */
function userMarks(services: SessionServices, userId: string): string[] {
  const all = keys.get(services) ?? deriveKeys(services.secrets, 'known-device')
  keys.set(services, all)
  return all.map((key) => mark(key, userId))
}
