import { keepSession } from './token.ts'
import type { SessionAnswer } from './token.ts'

/** What a refresh came to: a new token, a refusal (sign in again), or no connection. */
export type RefreshOutcome = 'renewed' | 'refused' | 'unreachable'

let inFlight: Promise<RefreshOutcome> | null = null

/**
 * Trades the refresh cookie for a new access token; callers share the one request in flight, and tabs take turns so
 * that the rotating cookie is never used twice at once.
 */
export function refreshSession(): Promise<RefreshOutcome> {
  inFlight ??= takeTurn(requestRefresh).finally(() => {
    inFlight = null
  })
  return inFlight
}

function takeTurn(run: () => Promise<RefreshOutcome>): Promise<RefreshOutcome> {
  return 'locks' in navigator ? navigator.locks.request('outpost-refresh', run) : run()
}

async function requestRefresh(): Promise<RefreshOutcome> {
  try {
    const answer = await fetch('/api/auth/refresh', {
      method: 'POST', credentials: 'same-origin', signal: AbortSignal.timeout(15_000),
      headers: { 'content-type': 'application/json', 'cache-control': 'no-cache', 'x-ui-version': import.meta.env.VITE_VERSION ?? 'dev' }, body: '{}',
    })
    if ([400, 401, 403].includes(answer.status)) return 'refused'
    if (!answer.ok) return 'unreachable'
    return keepAnswer(await answer.json())
  } catch {
    // No connection, a time-out or an answer that is not ours: the session itself may still be good.
    return 'unreachable'
  }
}

function keepAnswer(body: { data?: SessionAnswer }): RefreshOutcome {
  if (!body.data?.token) return 'refused'
  keepSession(body.data)
  return 'renewed'
}
