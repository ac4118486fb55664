import { pathOf } from '@outpost/client/client'
import { checkConnection } from '../data/connection.ts'
import { announceRefresh, refreshingKey, refreshingMs, refreshLock, refreshRequest, refreshTimeoutMs } from './boot-names.ts'
import { takeEarlyRefresh } from './early.ts'
import { storeSession } from './token.ts'
import type { SessionAnswer } from './token.ts'

/**
 * The server repeats its answer to the same device for 60 s after the first time. All tries of one refresh are within that: three of at
 * most 12 s, with a network check of at most 8 s between them (52 s).
 */
const maxTries = 3

/** The outcome of a refresh: a new token, a refusal (sign in again), or no connection. */
export type RefreshOutcome = 'renewed' | 'refused' | 'unreachable'

type Refusal = 'expired' | 'wiped' | 'disabled'
let refusal: Refusal = 'expired'

/** Why the last refresh was refused: the session is over, the office has signed this device out, or its person is deactivated. */
export const refusedAs = (): Refusal => refusal

let inFlight: Promise<RefreshOutcome> | null = null

/**
 * Exchanges the refresh cookie for a new access token. Callers share one running request, and tabs take turns, so that the rotating
 * cookie is never used twice at once.
 */
export function refreshSession(): Promise<RefreshOutcome> {
  inFlight ??= renew().finally(() => {
    inFlight = null
  })
  return inFlight
}

/** The boot script's refresh has had its turn. A lost answer of it is a try, as any other. */
async function renew(): Promise<RefreshOutcome> {
  const early = takeEarlyRefresh()
  if (!early) return withTabLock(() => retryWhileOnline(1))
  const got = await early
  const outcome = got ? outcomeOf(got.status, got.answer as RefreshAnswer | null) : 'unreachable'
  if (outcome !== 'unreachable' || !(await checkConnection())) return outcome
  return withTabLock(() => retryWhileOnline(2))
}

function withTabLock(run: () => Promise<RefreshOutcome>): Promise<RefreshOutcome> {
  const announced = () => {
    const { done } = announceRefresh(refreshingKey, refreshingMs)
    return run().finally(done)
  }
  return 'locks' in navigator ? navigator.locks.request(refreshLock, announced) : announced()
}

/**
 * The server's answer may be lost, and the rotated cookie with it: while online the request is repeated at once, because an hour later
 * it would look like a stolen cookie and end the session.
 */
async function retryWhileOnline(first: number): Promise<RefreshOutcome> {
  for (let tries = first; ; tries += 1) {
    const outcome = await requestRefresh()
    if (outcome !== 'unreachable' || tries >= maxTries || !(await checkConnection())) return outcome
  }
}

async function requestRefresh(): Promise<RefreshOutcome> {
  try {
    const answer = await fetch(pathOf('auth.refresh'), {
      ...refreshRequest(import.meta.env.VITE_VERSION ?? 'dev'),
      signal: AbortSignal.timeout(refreshTimeoutMs),
    })
    return outcomeOf(answer.status, (await answer.json()) as RefreshAnswer | null)
  } catch {
    // No connection, a time-out or a foreign answer: the session itself may still be valid.
    return 'unreachable'
  }
}

interface RefreshAnswer {
  success?: boolean
  code?: string
  data?: SessionAnswer
}

/** Refusals after which a new token is not even asked for. */
export const endings: ReadonlyMap<string, Exclude<Refusal, 'expired'>> = new Map([
  ['USER_DISABLED', 'disabled'],
  ['DEVICE_SIGNED_OUT', 'wiped'],
])

/** Only our own envelope is a refusal: a gateway's 403 or a portal's 200 says nothing about the session. */
function outcomeOf(status: number, answer: RefreshAnswer | null): RefreshOutcome {
  if (answer?.success === false && [400, 401, 403].includes(status)) {
    refusal = (answer.code && endings.get(answer.code)) || 'expired'
    return 'refused'
  }
  if (answer?.success !== true) return 'unreachable'
  if (!answer.data?.token) return 'refused'
  storeSession(answer.data)
  return 'renewed'
}
