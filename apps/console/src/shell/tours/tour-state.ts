import type { ConsoleLayout } from '@outpost/contract/console'
import type { TourState } from '../../session/personal.ts'
import type { Tour } from './tours.ts'

/** Name under which the wish for no tours at all is kept beside the tours. */
export const allTours = 'all'

type Kept = ConsoleLayout['user']['tours']

const stateOf = (kept: Kept, name: string): Partial<TourState> => (kept[name] ?? {}) as Partial<TourState>

/** Whether tours start by themselves for this person. */
export const wantsTours = (kept: Kept): boolean => stateOf(kept, allTours).status !== 'skipped'

/** Whether this version of a tour was looked at to its end, or left by the person. */
export function isOver(kept: Kept, { name, version }: Pick<Tour, 'name' | 'version'>): boolean {
  const { status, version: seen = 0 } = stateOf(kept, name)
  return (status === 'done' || status === 'skipped') && seen >= version
}

/** Whether the tour of a screen starts by itself: not for a program at the browser, nor while somebody acts for another person. */
export function isDue({ user, impersonation, mustChangePassword }: ConsoleLayout, tour: Tour): boolean {
  if (impersonation || mustChangePassword || navigator.webdriver) return false
  return wantsTours(user.tours) && !isOver(user.tours, tour)
}

let asked: string | null = null
const listeners = new Set<() => void>()

/** Asks for a tour that is to start as soon as its screen is there; null: it has started. */
export function askForTour(name: string | null): void {
  asked = name
  for (const listener of listeners) listener()
}
export const askedTour = (): string | null => asked
export function onAskedTour(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
