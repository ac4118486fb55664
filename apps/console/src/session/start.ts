import { isNetworkError } from '../data/api.ts'
import { getConnection, onConnection } from '../data/connection.ts'
import { enter, enterOffline, leave } from './enter.ts'
import { sessionHint } from './hint.ts'
import { deviceLanguage, showLanguage } from './language.ts'
import { refreshSession, refusedAs } from './refresh.ts'
import { changeSession, getSession, onSession } from './store.ts'
import { onSessionEnd, onToken, readClaims } from './token.ts'
import { resumeOffline } from './unlock/unlock.ts'

/** Resumes the session at page start: from the refresh cookie, or offline from this tab's unlocked key. */
export async function startSession(): Promise<void> {
  onSessionEnd((reason) => void leave(reason))
  onConnection(goOnlineIfDue)
  onSession(retrySoon)
  onToken((token) => void followUser(token))
  await showLanguage(deviceLanguage())
  if (!sessionHint.read()) return changeSession({ phase: 'out' })
  const outcome = getConnection().isOnline ? await refreshSession() : 'unreachable'
  if (outcome === 'renewed') return enterOrLeave()
  if (outcome === 'refused') return leave(refusedAs())
  const owner = await resumeOffline()
  return owner ? enterOfflineOrLeave() : changeSession({ phase: 'out' })
}

/** After an expired impersonation, the next refresh returns the user's own session: the console must show that user. */
async function followUser(token: string | null): Promise<void> {
  const { layout, isOfflineSession } = getSession()
  if (!token || !layout?.impersonation || isOfflineSession || readClaims(token).sub === layout.user.Id) return
  await enterOrLeave()
}

/** Delay between two tries to go online while the server answers pings but not yet other calls. */
const retryMs = 10_000

/** Turns an offline session into one at the server, or asks for the password when that one has ended. */
async function goOnline(): Promise<void> {
  const outcome = await refreshSession()
  if (outcome === 'refused') return leave(refusedAs())
  const isBack =
    outcome === 'renewed' &&
    (await enter().then(
      () => true,
      () => false,
    ))
  if (!isBack) retrySoon()
}

let comingBack: ReturnType<typeof setTimeout> | undefined

/** No event reports that a server which always answered pings accepts sign-ins again. */
function retrySoon(): void {
  if (!getSession().isOfflineSession) return
  clearTimeout(comingBack)
  comingBack = setTimeout(goOnlineIfDue, retryMs)
}

function goOnlineIfDue(): void {
  if (getConnection().isOnline && getSession().isOfflineSession) void goOnline()
}

async function enterOrLeave(): Promise<void> {
  try {
    await enter()
  } catch (error) {
    if (isNetworkError(error) && (await resumeOffline())) return enterOfflineOrLeave()
    console.warn('The console layout could not be loaded.', error)
    changeSession({ phase: 'out', endReason: null })
  }
}

async function enterOfflineOrLeave(): Promise<void> {
  try {
    await enterOffline()
  } catch {
    // No layout of this user is stored on the device: without one there is nothing to show.
    changeSession({ phase: 'out' })
  }
}
