import type { ConsoleLayout } from '@outpost/contract/console'
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

let prepare: ((layout: ConsoleLayout) => Promise<void>) | undefined

/** Sets what is done before the console of a layout is shown to whoever comes in. */
export function beforeShown(task: typeof prepare): void {
  prepare = task
}

/** Loads the user's layout for the current token and opens the console; `given` unlocks the device's data of field roles. */
export async function enter(given?: Given): Promise<ConsoleLayout> {
  const former = getSession().layout
  const layout = await loadLayout()
  setServerNow(layout.serverNow)
  await openData(layout, given)
  // Records of another user or company must not be visible.
  if (former && (former.user.Id !== layout.user.Id || former.company.Id !== layout.company.Id)) dropRecords()
  sessionHint.keep()
  await show(layout, false)
  void sendUnsent(layout.user.Id)
  return layout
}

/** Opens the console from the layout stored on this device, without the server; the data key must be open. */
export async function enterOffline(): Promise<ConsoleLayout> {
  const { cachedLayout } = await import('../data/queries.ts')
  const layout = await cachedLayout()
  queryClient.setQueryData(keys.layout, layout)
  sessionHint.keep()
  await show(layout, getToken() === null)
  return layout
}

/** Reloads the layout, e.g. after a change of tenant or profile. */
export async function reloadLayout(): Promise<void> {
  await show(await loadLayout(), getSession().isOfflineSession)
}

/** Closes the console: removes key, cache and layout; the sign-in screen shows the reason. */
export async function leave(reason: SessionEndReason | null): Promise<void> {
  const isWiped = reason === 'wiped' || reason === 'disabled'
  const wiped = isWiped ? await personOnDevice() : undefined
  stopFetchingAhead()
  setTenantId(null)
  sessionHint.drop()
  queryClient.clear()
  changeSession({ phase: 'out', layout: null, isOfflineSession: false, endReason: reason, endsAt: null, isAskingDevicePassword: false })
  await lockDataKey()
  if (wiped !== undefined) await (await import('../offline/store/wipe.ts')).wipeDevice(wiped)
}

/** Clears the answers cached in memory, e.g. when the tenant changes. */
export function dropRecords(): void {
  void queryClient.cancelQueries()
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== keys.layout[0] })
}

async function loadLayout(): Promise<ConsoleLayout> {
  // The data layer of signed-in users is not part of the sign-in screen's download.
  const { fetchLayout } = await import('../data/queries.ts')
  const layout = await fetchLayout()
  queryClient.setQueryData(keys.layout, layout)
  return layout
}

async function openData(layout: ConsoleLayout, given?: Given): Promise<void> {
  const contact = { userId: layout.user.Id, companyId: layout.company.Id, offlineDays: layout.offlineDays }
  if (layout.impersonation || !layout.isFieldRole) return closeInMemory()
  try {
    if (given && 'secret' in given) await openByPasskey(contact, given)
    else if (given)
      await prepareDataKey({
        ...contact,
        names: [given.email, layout.user.emailAddress, layout.user.userName].filter(Boolean),
        password: given.password,
      })
    else await resumeDataKey(contact)
  } catch (error) {
    // Private windows and full disks have no database: the person works without an offline store.
    console.warn('This device keeps no data.', error)
    closeInMemory()
  }
}

async function show(told: ConsoleLayout, isOfflineSession: boolean): Promise<void> {
  const layout = withUnsent(told)
  const { language } = layout.user.preferences
  // Whoever works in another's name reads on in the own language.
  if (language && !layout.impersonation) await showLanguage(language)
  askOutside(layout.connectivityUrl)
  setTenantId(layout.user.selectedTenant.Id)
  setLabels(layout.language)
  setFormats(layout.company.formats, layout.company.timeZone)
  await alignWeeks()
  setBrand(layout.company)
  allowFetchingAhead()
  // Without it the console loads its parts when it draws them, and says what it cannot load.
  if (getSession().phase !== 'in') await prepare?.(layout).catch(() => undefined)
  changeSession({ phase: 'in', layout, isOfflineSession, endReason: null, endsAt: null })
}
