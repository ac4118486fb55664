import { pathOf } from '@outpost/client/client'
import { useSyncExternalStore } from 'react'
import { setServerNow } from '../session/token.ts'

/** Why the server is of no use: nothing answers, something on the way answers in its place, or it says that it cannot work. */
export type Trouble = 'unreachable' | 'foreign' | 'unavailable'
/** What is known about the way to the server. `hasInternet` is the second signal: another site answered, ours did not. */
export interface Connection {
  isOnline: boolean
  trouble: Trouble | null
  hasInternet: boolean | null
  checkedAt: number | null
}

const troubleWords: Record<Trouble, string> = {
  unreachable: 'The server cannot be reached.',
  foreign: 'Something on the way answers in place of the server: a gateway, or a network that wants its own sign-in.',
  unavailable: 'The server is there, but it cannot work at present.',
}

/** Why there is no connection, in a sentence; '' when there is one. */
export function describeTrouble({ trouble, hasInternet }: Connection): string {
  if (!trouble) return ''
  return trouble === 'unreachable' && hasInternet === true
    ? 'The internet is there, but the server cannot be reached.'
    : troubleWords[trouble]
}

const pingTimeoutMs = 8_000
/** Pauses between looks for a server that does not answer; the last one is kept. */
const lookAgainMs = [3_000, 5_000, 10_000, 20_000, 30_000]
let outsideUrl: string | undefined

/** Names the address outside the installation that the operator chose; without one there is no second signal. */
export function askOutside(url: string | undefined): void {
  outsideUrl = url
}

const startsOnline = typeof navigator === 'undefined' || navigator.onLine !== false
let state: Connection = { isOnline: startsOnline, trouble: startsOnline ? null : 'unreachable', hasInternet: null, checkedAt: null }
let checking: Promise<boolean> | null = null
/** Real answers, and returns of the line, so far. */
let answers = 0
const listeners = new Set<(connection: Connection) => void>()

function become(next: Partial<Connection>): void {
  const before = state
  state = { ...state, ...next }
  if (before.isOnline === state.isOnline && before.trouble === state.trouble && before.hasInternet === state.hasInternet) return
  for (const listener of listeners) listener(state)
}

export const getConnection = (): Connection => state
export const isOnline = (): boolean => state.isOnline

/** Calls back on every change between online and offline; returns the way to stop. */
export function onConnection(listener: (connection: Connection) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The connection as React state. */
export const useConnection = (): Connection => useSyncExternalStore(onConnection, getConnection)

/** What a ping that is under way comes to no longer counts. */
const dropPing = (): void => {
  answers += 1
  checking = null
}

/** A real answer of the server outweighs every other signal, a ping that was asked before it and is still silent too. */
export const reportReached = (): void => {
  dropPing()
  become({ isOnline: true, trouble: null, hasInternet: true, checkedAt: Date.now() })
}

/** One call failed on the way: asked again by ping before the console calls itself offline. */
export const reportUnreached = (): void => {
  void checkConnection()
}

/** The server's time in the answer to a ping; '' where there is none. */
function timeOf(answer: unknown): string {
  const { data } = answer as { data?: { now?: unknown } | null }
  return typeof data?.now === 'string' ? data.now : ''
}

/** What a ping came to; null when our server answered and can work. The words count, not the status: a captive portal answers everything. */
async function pingTrouble(): Promise<Trouble | null> {
  try {
    const response = await fetch(pathOf('sync.ping'), { cache: 'no-store', signal: AbortSignal.timeout(pingTimeoutMs) })
    const answer: unknown = await response.json().catch(() => null)
    const success = typeof answer === 'object' && answer !== null && 'success' in answer ? answer.success : undefined
    if (response.ok && success === true) {
      setServerNow(timeOf(answer))
      return null
    }
    return success === false ? 'unavailable' : 'foreign'
  } catch {
    return 'unreachable'
  }
}

async function answersOutside(): Promise<boolean | null> {
  if (!outsideUrl) return null
  try {
    await fetch(outsideUrl, { mode: 'no-cors', cache: 'no-store', signal: AbortSignal.timeout(pingTimeoutMs) })
    return true
  } catch {
    return false
  }
}

async function check(): Promise<boolean> {
  const before = answers
  const trouble = await pingTrouble()
  const hasInternet = trouble === 'unreachable' ? await answersOutside() : true
  // What came meanwhile is newer than the silence of this ping; whoever loses the line after it asks anew.
  if (answers !== before) return state.isOnline
  become({ isOnline: trouble === null, trouble, hasInternet, checkedAt: Date.now() })
  return trouble === null
}

/** Asks our own server whether it is there and can work (GET /api/ping); callers share the request in flight. */
export function checkConnection(): Promise<boolean> {
  if (checking) return checking
  const mine = check().finally(() => {
    if (checking === mine) checking = null
  })
  checking = mine
  return mine
}

/** The line is back: what a ping of before comes to says nothing of it, so nobody waits for that one. */
export function askAnew(): Promise<boolean> {
  dropPing()
  return checkConnection()
}

/**
 * Follows the browser's own events, and while the server does not answer looks for it again by itself: no event says
 * that a server is back, and a page opened without a network may never get one. Call once at start; returns the
 * way to stop.
 */
export function watchConnection(): () => void {
  const offline = () => become({ isOnline: false, trouble: 'unreachable', hasInternet: false, checkedAt: Date.now() })
  const look = () => {
    void checkConnection()
  }
  const online = () => {
    void askAnew()
  }
  const seen = () => {
    if (!state.isOnline && document.visibilityState === 'visible') look()
  }
  addEventListener('offline', offline)
  addEventListener('online', online)
  document.addEventListener('visibilitychange', seen)
  const stopLooking = lookWhileOffline()
  look()
  return () => {
    removeEventListener('offline', offline)
    removeEventListener('online', online)
    document.removeEventListener('visibilitychange', seen)
    stopLooking()
  }
}

function lookWhileOffline(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = (round: number): void => {
    clearTimeout(timer)
    if (state.isOnline) return
    timer = setTimeout(
      () => {
        // A page nobody sees asks again when it is seen.
        const asked = document.visibilityState === 'visible' ? checkConnection() : Promise.resolve(false)
        void asked.then(() => wait(round + 1))
      },
      lookAgainMs[Math.min(round, lookAgainMs.length - 1)],
    )
  }
  const stop = onConnection(() => wait(0))
  wait(0)
  return () => {
    stop()
    clearTimeout(timer)
  }
}
