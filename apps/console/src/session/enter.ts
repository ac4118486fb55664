import type { ConsoleFrame } from '@outpost/contract/console'
import { askOutside } from '../data/connection.ts'
import { keys } from '../data/keys.ts'
import { queryClient } from '../data/query-client.ts'
import { sessionHint } from './hint.ts'
import { setFormats } from './formats.ts'
import { setLabels } from './labels.ts'
import { setBrand } from '../theme/brand.ts'
import { alignWeeks, showLanguage } from './language.ts'
import { allowFetchingAhead, stopFetchingAhead } from './leaving.ts'
import { sendUnsent, withUnsent } from './personal.ts'
import { changeSession, getSession } from './store.ts'
import { getToken, setServerNow, setTenantId } from './token.ts'
import type { SessionEndReason } from './token.ts'
import {
  closeInMemory,
  lockDataKey,
  openByPasskey,
  personOnDevice,
  prepareDataKey,
  resumeDataKey,
  type PasskeyKey,
} from './unlock/unlock.ts'

/** The typed password, needed once to open or create the data key. */
export interface Credentials {
  email: string
  password: string
}
/** What opens the data of this device. */
type Given = Credentials | PasskeyKey

let prepare: ((frame: ConsoleFrame) => Promise<void>) | undefined

/** Sets what is done before the console of a frame is shown to whoever comes in. */
export function beforeShown(task: typeof prepare): void {
  prepare = task
}

/** Loads the user's frame for the current token and opens the console; `given` unlocks the device's data of field roles. */
export async function enter(given?: Given): Promise<ConsoleFrame> {
  const former = getSession().frame
  const frame = await loadFrame()
  setServerNow(frame.serverNow)
  await openData(frame, given)
  // Records of another user or company must not be visible.
  if (former && (former.user.Id !== frame.user.Id || former.company.Id !== frame.company.Id)) dropRecords()
  sessionHint.keep()
  await show(frame, false)
  void sendUnsent(frame.user.Id)
  return frame
}

/** Opens the console from the frame stored on this device, without the server; the data key must be open. */
export async function enterOffline(): Promise<ConsoleFrame> {
  const { cachedFrame } = await import('../data/queries.ts')
  const frame = await cachedFrame()
  queryClient.setQueryData(keys.frame, frame)
  sessionHint.keep()
  await show(frame, getToken() === null)
  return frame
}

/** Reloads the frame, e.g. after a change of tenant or profile. */
export async function reloadFrame(): Promise<void> {
  await show(await loadFrame(), getSession().isOfflineSession)
}

/** Closes the console: removes key, cache and frame; the sign-in screen shows the reason. */
export async function leave(reason: SessionEndReason | null): Promise<void> {
  const wiped = reason === 'wiped' ? await personOnDevice() : undefined
  stopFetchingAhead()
  setTenantId(null)
  sessionHint.drop()
  queryClient.clear()
  changeSession({ phase: 'out', frame: null, isOfflineSession: false, endReason: reason, endsAt: null })
  await lockDataKey()
  if (wiped !== undefined) await (await import('../offline/store/wipe.ts')).wipeDevice(wiped)
}

/** Clears the answers cached in memory, e.g. when the tenant changes. */
export function dropRecords(): void {
  void queryClient.cancelQueries()
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== keys.frame[0] })
}

async function loadFrame(): Promise<ConsoleFrame> {
  // The data layer of signed-in users is not part of the sign-in screen's download.
  const { fetchFrame } = await import('../data/queries.ts')
  const frame = await fetchFrame()
  queryClient.setQueryData(keys.frame, frame)
  return frame
}

async function openData(frame: ConsoleFrame, given?: Given): Promise<void> {
  const [userId, companyId] = [frame.user.Id, frame.company.Id]
  if (frame.impersonation || !frame.isFieldRole) return closeInMemory()
  try {
    if (given && 'secret' in given) await openByPasskey(userId, companyId, given)
    else if (given)
      await prepareDataKey({
        userId,
        companyId,
        names: [given.email, frame.user.emailAddress, frame.user.userName].filter(Boolean),
        password: given.password,
      })
    else await resumeDataKey(userId, companyId)
  } catch (error) {
    // Private windows and full disks have no database: the person works without an offline store.
    console.warn('This device keeps no data.', error)
    closeInMemory()
  }
}

async function show(told: ConsoleFrame, isOfflineSession: boolean): Promise<void> {
  const frame = withUnsent(told)
  const { language } = frame.user.preferences
  // Whoever works in another's name reads on in the own language.
  if (language && !frame.impersonation) await showLanguage(language)
  askOutside(frame.connectivityUrl)
  setTenantId(frame.user.selectedTenant.Id)
  setLabels(frame.language)
  setFormats(frame.company.formats, frame.company.timeZone)
  await alignWeeks()
  setBrand(frame.company)
  allowFetchingAhead()
  // Without it the console loads its parts when it draws them, and says what it cannot load.
  if (getSession().phase !== 'in') await prepare?.(frame).catch(() => undefined)
  changeSession({ phase: 'in', frame, isOfflineSession, endReason: null, endsAt: null })
}
