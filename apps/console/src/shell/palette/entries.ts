import type { ConsoleFrame } from '@outpost/contract/console'
import { t } from '../../session/labels.ts'
import { activePath, flatMenu, visibleMenu } from '../layout/menu/menu.ts'

/** A row that leads somewhere: `kind` says what it is ("Screen", "New"), `place` where it is. */
export interface PaletteEntry {
  id: string
  label: string
  kind: string
  place?: string
  path: string
}

/** The screens a user can go to: the menu's, then permitted ones that need no parameter. */
export function navigateEntries(frame: ConsoleFrame, isOnline: boolean): PaletteEntry[] {
  const menu = visibleMenu(frame.menu, isOnline)
  const kind = t('Screen')
  const named = menu.flatMap((entry) =>
    flatMenu([entry]).map((leaf) => ({
      id: `menu ${leaf.path}`,
      label: t(leaf.label),
      kind,
      path: leaf.path ?? '/',
      ...(leaf !== entry ? { place: t(entry.label) } : {}),
    })),
  )
  const known = new Set(named.map((entry) => entry.path))
  const others = reachable(frame, isOnline).filter((screen) => !known.has(screen.path) && !isCreate(screen.path))
  return [
    ...named,
    ...others.map(({ path, title }) => ({ id: `screen ${path}`, label: t(title), kind, path, ...placeOf(frame, path) })),
    { id: 'profile', label: t('Profile'), kind, path: '/profile' },
  ]
}

const orderOf = ({ createOrder = 1_000 }: { createOrder?: number }) => createOrder

/** The forms that make something new, what is made most often first. */
export function createEntries(frame: ConsoleFrame, isOnline: boolean): PaletteEntry[] {
  return reachable(frame, isOnline)
    .filter(({ path }) => isCreate(path))
    .toSorted((a, b) => orderOf(a) - orderOf(b))
    .map(({ path, title }) => ({ id: `create ${path}`, label: t(title), kind: t('New'), path, ...placeOf(frame, path) }))
}

/** The group of the menu that a screen belongs to. */
function placeOf({ menu }: ConsoleFrame, path: string): { place?: string } {
  const active = activePath(menu, path)
  const group = active === null || active === '/' ? undefined : menu.find((entry) => flatMenu([entry]).some((leaf) => leaf.path === active))
  return group ? { place: t(group.label) } : {}
}

function reachable(frame: ConsoleFrame, isOnline: boolean): ConsoleFrame['screens'] {
  return frame.screens.filter(
    ({ permitted, offline, path, takesId }) => permitted && (isOnline || offline) && !takesId && !path.includes(':'),
  )
}

function isCreate(path: string): boolean {
  return /\/(create|add|wizard)\/?$/.test(path)
}
