import { checkConnection } from '../data/connection.ts'
import { keepSession } from './token.ts'
import type { SessionAnswer } from './token.ts'

/**
 * The server repeats its answer to the same device for 60 s after the first time. All tries of one refresh lie within
 * that: three of at most 12 s, with a look at the network of at most 8 s between them (52 s).
 */
const mostTries = 3
const tryTimeoutMs = 12_000

/** What a refresh came to: a new token, a refusal (sign in again), or no connection. */
export type RefreshOutcome = 'renewed' | 'refused' | 'unreachable'

let inFlight: Promise<RefreshOutcome> | null = null

/**
 * Trades the refresh cookie for a new access token; callers share the one request in flight, and tabs take turns so
 * that the rotating cookie is never used twice at once.
 */
export function refreshSession(): Promise<RefreshOutcome> {
  inFlight ??= takeTurn(insist).finally(() => {
    inFlight = null
  })
  return inFlight
}

function takeTurn(run: () => Promise<RefreshOutcome>): Promise<RefreshOutcome> {
  return 'locks' in navigator ? navigator.locks.request('outpost-refresh', run) : run()
}

/**
 * An answer may be lost though the server gave it, and with it the rotated cookie: while the network is there the same
 * question is asked again at once, for an hour later it would look like a stolen cookie and end the session.
 */
async function insist(): Promise<RefreshOutcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await requestRefresh()
    if (outcome !== 'unreachable' || tries >= mostTries || !await checkConnection()) return outcome
  }
}

async function requestRefresh(): Promise<RefreshOutcome> {
  try {
    const answer = await fetch('/api/auth/refresh', {
      method: 'POST', credentials: 'same-origin', signal: AbortSignal.timeout(tryTimeoutMs),
      headers: { 'content-type': 'application/json', 'cache-control': 'no-cache', 'x-ui-version': import.meta.env.VITE_VERSION ?? 'dev' }, body: '{}',
    })
    return outcomeOf(answer.status, await answer.json() as RefreshAnswer | null)
  } catch {
    // No connection, a time-out or an answer that is not ours: the session itself may still be good.
    return 'unreachable'
  }
}

interface RefreshAnswer { success?: boolean, data?: SessionAnswer }

/** Only our own envelope refuses: a gateway's 403 or a portal's 200 says nothing of the session. */
function outcomeOf(status: number, answer: RefreshAnswer | null): RefreshOutcome {
  if (answer?.success === false && [400, 401, 403].includes(status)) return 'refused'
  if (answer?.success !== true) return 'unreachable'
  if (!answer.data?.token) return 'refused'
  keepSession(answer.data)
  return 'renewed'
}
