import type { ConsoleFrame } from '@outpost/contract/console'
import { t } from '../../session/labels.ts'
import { flatMenu, visibleMenu } from '../frame/menu.ts'

export interface PaletteEntry { id: string, label: string, hint?: string, path: string }

/** The screens a user can go to: the menu's, then permitted ones that need no parameter. */
export function navigateEntries(frame: ConsoleFrame, isOnline: boolean): PaletteEntry[] {
  const menu = visibleMenu(frame.menu, isOnline)
  const named = menu.flatMap((entry) => flatMenu([entry]).map((leaf) => ({
    id: `menu ${leaf.path}`, label: t(leaf.label), path: leaf.path ?? '/', ...(leaf !== entry ? { hint: t(entry.label) } : {}),
  })))
  const known = new Set(named.map((entry) => entry.path))
  const others = reachable(frame, isOnline).filter((screen) => !known.has(screen.path) && !isCreate(screen.path))
  return [...named, ...others.map(({ path, title }) => ({ id: `screen ${path}`, label: t(title), path })), { id: 'profile', label: 'Profile', path: '/profile' }]
}

/** The forms that make something new. */
export function createEntries(frame: ConsoleFrame, isOnline: boolean): PaletteEntry[] {
  return reachable(frame, isOnline).filter(({ path }) => isCreate(path)).map(({ path, title }) => ({ id: `create ${path}`, label: t(title), path }))
}

function reachable(frame: ConsoleFrame, isOnline: boolean): ConsoleFrame['screens'] {
  return frame.screens.filter(({ permitted, offline, path }) => permitted && (isOnline || offline) && !path.includes(':'))
}

function isCreate(path: string): boolean {
  return /\/(create|add|wizard)\/?$/.test(path)
}
