import type { MenuEntry } from '@outpost/contract/console'

/** The entries to show: without what needs a connection while there is none, and without groups left empty. */
export function visibleMenu(menu: readonly MenuEntry[], isOnline: boolean): MenuEntry[] {
  return menu.flatMap((entry) => {
    if (!isOnline && entry.hiddenOffline) return []
    if (!entry.children) return entry.path ? [entry] : []
    const children = visibleMenu(entry.children, isOnline)
    return children.length > 0 ? [{ ...entry, children }] : []
  })
}

/**
 * The entry for this address: the one with the longest path that equals the address or begins it. /admin/users/edit/7 belongs to
 * /admin/users/list: what follows the list of a folder belongs to the list, before the folders above it.
 */
export function activePath(menu: readonly MenuEntry[], pathname: string): string | null {
  const here = bare(pathname)
  const paths = flatMenu(menu).map((entry) => entry.path ?? '')
  const equal = paths.find((path) => bare(path) === here)
  if (equal !== undefined) return equal
  const fitting = paths.filter((path) => folderOf(path) !== '' && here.startsWith(`${folderOf(path)}/`))
  return fitting.sort((a, b) => folderOf(b).length - folderOf(a).length)[0] ?? null
}

/** Entries that lead somewhere, groups opened up. */
export function flatMenu(menu: readonly MenuEntry[]): MenuEntry[] {
  return menu.flatMap((entry) => [...(entry.path ? [entry] : []), ...flatMenu(entry.children ?? [])])
}

/** Keys of the groups on the way to an entry. */
export function groupsOf(menu: readonly MenuEntry[], path: string | null): string[] {
  return menu.filter((entry) => entry.children && flatMenu(entry.children).some((child) => child.path === path)).map((entry) => entry.key)
}

function folderOf(path: string): string {
  return bare(path).replace(/\/(list|index)$/, '')
}

function bare(path: string): string {
  return path.replace(/\/+$/, '')
}
