import type { ConsoleFrame } from '@outpost/contract/console'
import { keys } from '../data/keys.ts'
import { queryClient } from '../data/query-client.ts'
import { sessionHint } from './hint.ts'
import { setLabels } from './labels.ts'
import { changeSession, getSession } from './store.ts'
import { getToken, setServerNow, setTenantId } from './token.ts'
import type { SessionEndReason } from './token.ts'
import { closeInMemory, lockDataKey, prepareDataKey, resumeDataKey } from './unlock.ts'

/** What the user typed, needed once to open or make the data key. */
export interface Typed { email: string, password: string }

/** Loads the frame for the present token and opens the console; `typed` opens the device's data of field roles. */
export async function enter(typed?: Typed): Promise<ConsoleFrame> {
  const former = getSession().frame
  const frame = await loadFrame()
  setServerNow(frame.serverNow)
  await openData(frame, typed)
  // Records of another user or company must not shine through.
  if (former && (former.user.Id !== frame.user.Id || former.company.Id !== frame.company.Id)) dropRecords()
  sessionHint.keep()
  show(frame, false)
  return frame
}

/** Opens the console from the frame kept on this device, without asking the server; the data key must be open. */
export async function enterOffline(): Promise<ConsoleFrame> {
  const { keptFrame } = await import('../data/queries.ts')
  const frame = await keptFrame()
  queryClient.setQueryData(keys.frame, frame)
  sessionHint.keep()
  show(frame, getToken() === null)
  return frame
}

/** Asks for the frame again, as after a change of tenant or of the own profile. */
export async function reloadFrame(): Promise<void> {
  show(await loadFrame(), getSession().isOfflineSession)
}

/** Closes the console: key, cache and frame go; why is told on the sign-in screen. */
export async function leave(reason: SessionEndReason | null): Promise<void> {
  setTenantId(null)
  sessionHint.drop()
  queryClient.clear()
  changeSession({ phase: 'out', frame: null, isOfflineSession: false, endReason: reason, endsAt: null })
  await lockDataKey()
}

/** Forgets the answers kept in memory, as when the tenant changes. */
export function dropRecords(): void {
  void queryClient.cancelQueries()
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== keys.frame[0] })
}

async function loadFrame(): Promise<ConsoleFrame> {
  // The data layer of signed-in users is not part of what the sign-in screen downloads.
  const { fetchFrame } = await import('../data/queries.ts')
  const frame = await fetchFrame()
  queryClient.setQueryData(keys.frame, frame)
  return frame
}

async function openData(frame: ConsoleFrame, typed?: Typed): Promise<void> {
  const [userId, companyId] = [frame.user.Id, frame.company.Id]
  if (frame.impersonation || !frame.isFieldRole) return closeInMemory()
  try {
    if (typed) await prepareDataKey({ userId, companyId, names: [typed.email, frame.user.emailAddress, frame.user.userName].filter(Boolean), password: typed.password })
    else await resumeDataKey(userId, companyId)
  } catch (error) {
    // Private windows and full disks have no database: the person works all the same, and nothing claims to be kept here.
    console.warn('This device keeps no data.', error)
    closeInMemory()
  }
}

function show(frame: ConsoleFrame, isOfflineSession: boolean): void {
  setTenantId(frame.user.selectedTenant.Id)
  setLabels(frame.language)
  changeSession({ phase: 'in', frame, isOfflineSession, endReason: null, endsAt: null })
}
