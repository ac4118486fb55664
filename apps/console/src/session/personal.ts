import type { ConsoleLayout } from '@outpost/contract/console'
import type { Preferences, PreferencesChange } from '@outpost/contract/preferences'
import { call } from '../data/calls.ts'
import { toast } from '../feedback/toast.ts'
import { chooseLanguage } from './language.ts'
import { t } from './labels.ts'
import { changeSession, getSession } from './store.ts'
import { getToken } from './token.ts'

/** How far the user is in one tour; `never`: no tour is to start by itself any more. */
export interface TourState {
  status: 'started' | 'done' | 'skipped'
  step?: number
  version?: number
}
/** What the user changed about the console and the server has not got yet: it is no record, so it needs no sync of its own. */
interface Unsent {
  preferences: PreferencesChange
  tours: Record<string, TourState>
}

const keyOf = (userId: string): string => `outpost.personal.${userId}`
const nothing: Unsent = { preferences: {}, tours: {} }

/** Changes how the console looks and speaks for the user: at once here, and at the server as soon as it can be reached. */
export async function changePreferences(change: PreferencesChange): Promise<void> {
  const { layout } = getSession()
  if (!layout) return
  if (change.language && !(await chooseLanguage(change.language)))
    return toast.warning({ title: t('The texts of this language cannot be fetched now') })
  put(layout, (unsent) => ({ ...unsent, preferences: { ...unsent.preferences, ...change } }))
}

/** Remembers how far the user is in a tour, in the same way. */
export function saveTour(name: string, state: TourState): void {
  const { layout } = getSession()
  if (layout) put(layout, (unsent) => ({ ...unsent, tours: { ...unsent.tours, [name]: state } }))
}

/** The layout with what the server has not got yet. */
export function withUnsent(layout: ConsoleLayout): ConsoleLayout {
  const { preferences, tours } = read(layout.user.Id)
  const user = {
    ...layout.user,
    // A layout kept by an earlier version has none.
    preferences: merged(layout.user.preferences ?? {}, preferences),
    tours: { ...layout.user.tours, ...tours },
  }
  return { ...layout, user }
}

/** Sends what the server has not got yet. What it refuses is forgotten: a choice of this kind is made again in a second. */
export async function sendUnsent(userId: string): Promise<void> {
  const unsent = read(userId)
  if (!getToken()) return
  try {
    if (Object.keys(unsent.preferences).length > 0) await call('users.setPreferences', { body: unsent.preferences })
    for (const [name, state] of Object.entries(unsent.tours)) await call('users.tour', { body: { name, ...state } })
  } catch (error) {
    return console.info('Preferences wait on this device.', error)
  }
  // Another choice may have been made meanwhile.
  if (JSON.stringify(read(userId)) === JSON.stringify(unsent)) localStorage.removeItem(keyOf(userId))
}

function put(layout: ConsoleLayout, change: (unsent: Unsent) => Unsent): void {
  const userId = layout.user.Id
  // Under impersonation nothing of the other person is changed.
  if (layout.impersonation) return
  localStorage.setItem(keyOf(userId), JSON.stringify(change(read(userId))))
  changeSession({ layout: withUnsent(layout) })
  void sendUnsent(userId)
}

function merged(before: Preferences, change: PreferencesChange): Preferences {
  const after = { ...before, ...change }
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null && value !== undefined)) as Preferences
}

function read(userId: string): Unsent {
  try {
    return { ...nothing, ...(JSON.parse(localStorage.getItem(keyOf(userId)) ?? '{}') as Partial<Unsent>) }
  } catch {
    return nothing
  }
}
