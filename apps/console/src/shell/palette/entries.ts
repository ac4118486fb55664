import type { ConsoleLayout } from '@outpost/contract/console'
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
export function navigateEntries(layout: ConsoleLayout, isOnline: boolean): PaletteEntry[] {
  const menu = visibleMenu(layout.menu, isOnline)
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
  const others = reachable(layout, isOnline).filter((screen) => !known.has(screen.path) && !isCreate(screen.path))
  return [
    ...named,
    ...others.map(({ path, title }) => ({ id: `screen ${path}`, label: t(title), kind, path, ...placeOf(layout, path) })),
    { id: 'profile', label: t('Profile'), kind, path: '/profile' },
  ]
}

const orderOf = ({ createOrder = 1_000 }: { createOrder?: number }) => createOrder

/** The forms that make something new, what is made most often first. */
export function createEntries(layout: ConsoleLayout, isOnline: boolean): PaletteEntry[] {
  return reachable(layout, isOnline)
    .filter(({ path }) => isCreate(path))
    .toSorted((a, b) => orderOf(a) - orderOf(b))
    .map(({ path, title }) => ({ id: `create ${path}`, label: t(title), kind: t('New'), path, ...placeOf(layout, path) }))
}

/** The group of the menu that a screen belongs to. */
function placeOf({ menu }: ConsoleLayout, path: string): { place?: string } {
  const active = activePath(menu, path)
  const group = active === null || active === '/' ? undefined : menu.find((entry) => flatMenu([entry]).some((leaf) => leaf.path === active))
  return group ? { place: t(group.label) } : {}
}

function reachable(layout: ConsoleLayout, isOnline: boolean): ConsoleLayout['screens'] {
  return layout.screens.filter(
    ({ permitted, offline, path, takesId }) => permitted && (isOnline || offline) && !takesId && !path.includes(':'),
  )
}

function isCreate(path: string): boolean {
  return /\/(create|add|wizard)\/?$/.test(path)
}
