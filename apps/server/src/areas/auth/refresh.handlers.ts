import { fail } from '@outpost/contract/errors'
import { z } from 'zod'
import { isOwnOrigin } from '../../kernel/session/origin.ts'
import { rotate, type Refreshed } from '../../kernel/session/tokens/refresh.ts'
import { session, type SessionServices } from '../../kernel/session/services.ts'
import type { Answer, CookieChange, RequestInfo } from '../../kernel/types.ts'
import { deviceOf, signedInAnswer, type SignedIn } from './answers.ts'
import { clearCookie, isKnownDevice, readCookie } from './cookies.ts'

const refreshToken = z.string().min(1).max(200)
export const refreshInput = z.strictObject({ refreshToken: refreshToken.optional() })
export const refreshPathInput = z.strictObject({ refreshToken })

/** A new access token for the refresh token of the body (programs) or the cookie (browsers). */
export async function refresh(input: z.infer<typeof refreshInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  if (input.refreshToken !== undefined) return refreshByToken(services, input.refreshToken, facts)
  return refreshByCookie(services, facts)
}

/** The specification's GET with the token in the address; behind a setting, and never as a page. */
export async function refreshByPath(input: z.infer<typeof refreshPathInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  if (!services.hasLegacyRefresh) fail('NOT_FOUND')
  if (facts.headers['sec-fetch-mode'] === 'navigate') fail('ORIGIN_FORBIDDEN')
  return refreshByToken(services, input.refreshToken, facts)
}

/** Signs in by the refresh token that a registered device keeps behind its biometric lock. */
export async function biometric(input: z.infer<typeof refreshPathInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  const refreshed = await rotate(services, { token: input.refreshToken, deviceId: deviceOf(facts), ip: facts.ip, mustBeDevice: true })
  return signedInAnswer(services, { ...requireGood(services, refreshed), into: 'json' })
}

async function refreshByToken(services: SessionServices, token: string, facts: RequestInfo): Promise<Answer> {
  const refreshed = await rotate(services, { token, deviceId: deviceOf(facts), ip: facts.ip })
  return signedInAnswer(services, { ...requireGood(services, refreshed), into: 'json' })
}

/** An impersonation has a cookie of its own; when it is over, the administrator's own session goes on. */
async function refreshByCookie(services: SessionServices, facts: RequestInfo): Promise<Answer> {
  requireOwnPage(services, facts)
  const isDeviceOf = (userId: string) => isKnownDevice(services, facts, [userId])
  const impersonation = readCookie(services, facts, 'impersonation')
  const cleared: CookieChange[] = []
  if (impersonation) {
    const refreshed = await rotate(services, { token: impersonation, deviceId: null, ip: facts.ip, isDeviceOf })
    if (refreshed.kind === 'good')
      return signedInAnswer(services, { ...refreshed, into: 'impersonation', more: impersonationOf(refreshed) })
    cleared.push(clearCookie(services, 'impersonation'))
  }
  const own = readCookie(services, facts, 'session')
  if (!own) return fail('NO_SESSION')
  const refreshed = await rotate(services, { token: own, deviceId: null, ip: facts.ip, isDeviceOf })
  return signedInAnswer(services, { ...requireGood(services, refreshed), into: 'session', cookies: cleared })
}

export function impersonationOf({ session: own }: Pick<SignedIn, 'session'>): Record<string, unknown> {
  return { impersonation: { reason: own.reason, endsAt: new Date(own.expiresAt).toISOString() } }
}

function requireGood(services: SessionServices, refreshed: Refreshed): Extract<Refreshed, { kind: 'good' }> {
  if (refreshed.kind === 'good') return refreshed
  if (refreshed.kind === 'wiped') return fail('DEVICE_SIGNED_OUT')
  if (refreshed.kind === 'disabled') return fail('USER_DISABLED')
  if (refreshed.kind === 'reused') {
    const { companyId, userId, id } = refreshed.session
    services.changed({ companyId, userId, sessionId: id, reason: 'expired' })
  }
  return fail('SESSION_EXPIRED')
}

/**
 * A cookie is sent by the browser whoever asks, so the request must show that a page of ours made it: a header that
 * no form or image can set, and where the browser sends the origin, our own.
 */
export function requireOwnPage({ publicUrl }: SessionServices, { headers, origin, host }: RequestInfo): void {
  const isOwn = origin === undefined || isOwnOrigin(origin, host, publicUrl)
  const site = headers['sec-fetch-site']
  const isCrossSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  if (headers['x-ui-version'] === undefined || !isOwn || isCrossSite) fail('ORIGIN_FORBIDDEN')
}
