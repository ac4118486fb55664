import { checkConnection, onConnection } from '../data/connection.ts'
import { followLeaps, leapMs, onLeap } from './leap.ts'
import { refreshSession, refusedAs } from './refresh.ts'
import { changeSession, getSession, onSession } from './store.ts'
import { deviceClock, endSession, getSessionLimits, getTokenExpiry, noteClockSet, onToken, serverNow } from './token.ts'
import type { SessionPolicy } from './token.ts'

/** A token is renewed this long before it ends. */
const renewAhead = 60_000
/** The user is warned this long before the session ends for inactivity. */
const warnAhead = 120_000
const activityEvents = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const
/** Milliseconds of inactivity after which a user is signed out; the server has the same limits. */
const idleLimits: Record<SessionPolicy, number> = { admin: 30 * 60_000, office: 60 * 60_000, field: 7 * 86_400_000 }

/** When (device time, ms) the session ends by inactivity or age; `clockOffset` is server minus device. */
export function sessionEnd({
  lastUse: used,
  policy,
  endsAt,
  clockOffset,
}: {
  lastUse: number
  policy: SessionPolicy
  endsAt: number | null
  clockOffset: number
}): { at: number; mayStay: boolean } {
  const idle = used + idleLimits[policy]
  const absolute = endsAt === null ? Infinity : endsAt - clockOffset
  return absolute < idle ? { at: absolute, mayStay: false } : { at: idle, mayStay: true }
}

/** Renews the token before it ends while the page is used; warns and signs out when it is not. Returns a function that stops it. */
export function keepSessionAlive(): () => void {
  const stops = [
    watchActivity(),
    onToken(scheduleRenewal),
    onSession(checkSoon),
    onConnection(({ isOnline }) => {
      if (isOnline) renewIfDue()
    }),
    onLeap(takeLeap),
  ]
  const clock = setInterval(checkIdle, 5_000)
  return () => {
    for (const stop of stops) stop()
    clearInterval(clock)
    clearTimeout(renewal)
  }
}

/** The user stays signed in: closes the warning and renews the token. */
export async function staySignedIn(): Promise<void> {
  noteUse()
  changeSession({ endsAt: null })
  if ((await refreshSession()) === 'refused') endSession(refusedAs())
}

let lastUse = Date.now()
let renewal: ReturnType<typeof setTimeout> | undefined
let wasIn = false
let isAskingTime = false

/** A clock that was set since the last look is followed first: it would take this use for one of before. */
function noteUse(): void {
  followClock()
  lastUse = Date.now()
}

function watchActivity(): () => void {
  const used = (): void => {
    if (!getSession().endsAt) noteUse()
  }
  for (const name of activityEvents) addEventListener(name, used, { passive: true, capture: true })
  return () => {
    for (const name of activityEvents) removeEventListener(name, used, { capture: true })
  }
}

function scheduleRenewal(): void {
  clearTimeout(renewal)
  const expiry = getTokenExpiry()
  if (expiry === null) return
  // A token shorter than the lead time (the session's end is near) must not cause a loop of renewals.
  renewal = setTimeout(() => void refreshSession(), Math.max(expiry - serverNow() - renewAhead, 20_000))
}

/** The server is reachable again: a renewal that failed in the meantime is repeated at once. */
function renewIfDue(): void {
  const expiry = getTokenExpiry()
  if (expiry !== null && expiry - serverNow() < renewAhead) void refreshSession()
}

function checkSoon(): void {
  const isIn = getSession().phase === 'in'
  if (isIn && !wasIn) noteUse()
  wasIn = isIn
}

/**
 * Idle is the time that really passed, whatever the device's clock is set to meanwhile. Time does not go back, so a clock that does was set.
 * One that leaps ahead was set, or the computer slept, which is time without use: the server knows which. Where it does not answer, the time counts.
 */
function takeLeap(leap: number): void {
  if (leap < 0) {
    lastUse += leap
    noteClockSet(leap)
  } else if (deviceClock().clock) void askTime()
}

function followClock(): void {
  followLeaps()
  lastUse = Math.min(lastUse, Date.now())
}

async function askTime(): Promise<void> {
  if (isAskingTime) return
  isAskingTime = true
  const before = serverNow() - Date.now()
  await checkConnection().finally(() => {
    isAskingTime = false
  })
  const setBy = before - (serverNow() - Date.now())
  if (Math.abs(setBy) > leapMs) lastUse = Math.min(lastUse + setBy, Date.now())
  checkIdle()
}

function checkIdle(): void {
  followClock()
  const { phase, endsAt, isOfflineSession, layout } = getSession()
  // An impersonation ends by itself; then the server answers with the user's own session.
  if (phase !== 'in' || isOfflineSession || layout?.impersonation || isAskingTime) return
  const end = sessionEnd({ lastUse, ...getSessionLimits(), clockOffset: serverNow() - Date.now() })
  if (Date.now() >= end.at) return endSession('expired')
  const isNear = Date.now() >= end.at - warnAhead
  if (isNear && (endsAt === null || Math.abs(endsAt - end.at) > 1_000)) changeSession({ endsAt: end.at, mayStay: end.mayStay })
}
