import { later } from '../../kernel/session/clock.ts'
import { toConsoleUser } from '../../kernel/session/layout.ts'
import type { SessionRow } from '../../kernel/session/identity-query.ts'
import { landingScreen } from '../../kernel/session/policy.ts'
import { idleOf } from '../../kernel/session/tokens/refresh.ts'
import type { SessionServices } from '../../kernel/session/services.ts'
import { accessTokenOf } from '../../kernel/session/sessions.ts'
import { accessTokenSeconds } from '../../kernel/session/tokens/tokens.ts'
import type { Answer, CookieChange, RequestInfo } from '../../kernel/types.ts'
import { setCookie, type CookieKind } from './cookies.ts'

/** An answer with data, to which more can be added. */
export type DataAnswer = Extract<Answer, { data: object }>

export interface SignedIn {
  session: SessionRow
  refreshToken: string
  /** Where the refresh token goes: a cookie for browsers, the answer for programs. */
  into: CookieKind | 'json'
  cookies?: CookieChange[]
  more?: Record<string, unknown>
}

/**
 * The answer to every way of signing in: data.user as the console keeps it, data.token (access), data.expiresAt,
 * data.serverNow, data.landing; data.refreshToken for programs only.
 */
export async function signedInAnswer(services: SessionServices, signedIn: SignedIn): Promise<DataAnswer> {
  const { session, refreshToken, into, cookies = [], more = {} } = signedIn
  const { companyId, userId, id } = session
  const identity = await services.identities.load({ companyId, userId, sessionId: id, tenantId: null })
  const cookie = into === 'json' ? [] : [setCookie(services, into, refreshToken, idleOf(session))]
  const endsAt = Math.min(later(services.clock, accessTokenSeconds).getTime(), new Date(session.expiresAt).getTime())
  return {
    data: {
      user: toConsoleUser(identity),
      token: accessTokenOf(services, session),
      ...(into === 'json' ? { refreshToken } : {}),
      expiresAt: new Date(endsAt).toISOString(),
      sessionEndsAt: new Date(session.expiresAt).toISOString(),
      serverNow: later(services.clock).toISOString(),
      policy: session.policy,
      landing: landingScreen(identity.roles),
      ...(identity.mustChangePassword ? { mustChangePassword: true } : {}),
      ...more,
    },
    cookies: [...cookie, ...cookies],
  }
}

/**
 * True for a program of ours that asks for the refresh token itself. Browsers send sec-fetch-site with every
 * request and scripts cannot hide it, so that a script in a page never gets to see a refresh token.
 */
export function isNative({ headers }: RequestInfo): boolean {
  return headers['x-native'] === '1' && headers['sec-fetch-site'] === undefined
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The x-device-id header when it is an identifier. */
export function deviceOf({ headers }: RequestInfo): string | null {
  const text = headers['x-device-id']?.trim() ?? ''
  return uuid.test(text) ? text.toLowerCase() : null
}
