import { createHmac, randomBytes } from 'node:crypto'
import { deriveKeys } from '@outpost/platform/keys'
import { isSameText, isSecretShaped, makeSecret } from '../../../kernel/session/tokens/opaque.ts'
import { oneTimeSeconds } from '../../../kernel/session/tokens/one-time.ts'
import type { SessionServices } from '../../../kernel/session/services.ts'
import type { CookieChange, RequestInfo } from '../../../kernel/types.ts'
import { readCookie, setCookie } from '../cookies.ts'

const nonceBytes = 24
const timeBytes = 6

/**
 * A challenge for who is not known yet: random, with its end, and marked with a key of ours and the cookie of the page that
 * asked, so that the answer is good in that browser only. It leaves no row: anybody may ask for one, as often as they like.
 */
export function issueChallenge(
  services: SessionServices,
  facts: RequestInfo,
): { challenge: Uint8Array<ArrayBuffer>; cookie: CookieChange } {
  // Several tabs share the cookie: the second must not spoil what the first one waits for.
  const known = readCookie(services, facts, 'passkey') ?? ''
  const page = isSecretShaped(known) ? known : makeSecret()
  const ends = Buffer.alloc(timeBytes)
  ends.writeUIntBE(services.clock.now() + oneTimeSeconds.passkey * 1_000, 0, timeBytes)
  const body = Buffer.concat([randomBytes(nonceBytes), ends])
  return {
    challenge: new Uint8Array(Buffer.concat([body, ...marksOf(services, body, page).slice(0, 1)])),
    cookie: setCookie(services, 'passkey', page, 3_600),
  }
}

/** True for a challenge of ours that is not late and was asked for by this browser; whether it was used is another question. */
export function isOwnChallenge(services: SessionServices, facts: RequestInfo, challenge: string): boolean {
  const given = Buffer.from(challenge, 'base64url')
  const body = given.subarray(0, nonceBytes + timeBytes)
  // Written another way it would count as another one, and could be used again.
  if (given.length !== body.length + 32 || given.toString('base64url') !== challenge) return false
  const page = readCookie(services, facts, 'passkey') ?? ''
  const isOurs = marksOf(services, body, page).some((mark) =>
    isSameText(mark.toString('base64url'), given.subarray(body.length).toString('base64url')),
  )
  return isOurs && body.readUIntBE(nonceBytes, timeBytes) > services.clock.now()
}

/** By the master secret, then by those before it: a rotation does not refuse who is just signing in. */
function marksOf({ secrets }: SessionServices, body: Buffer, page: string): Buffer[] {
  return deriveKeys(secrets, 'passkey-challenge').map((key) => createHmac('sha256', key).update(body).update(page).digest())
}
