import type { MenuEntry } from '@outpost/contract/console'
import type { Screen } from '../types.ts'
import type { MenuHeading } from './menu-place.ts'

/** The menu of a caller: the areas' headings and the places of permitted screens under them, by order; a heading left without a place is gone. */
export function menuOf(permitted: readonly Screen[], headings: readonly MenuHeading[]): MenuEntry[] {
  const headed = headings.flatMap(({ order, ...heading }) => {
    const children = placesUnder(permitted, heading.key).map(({ entry }) => entry)
    return children.length === 0 ? [] : [{ order, entry: { ...heading, children } }]
  })
  return [...headed, ...placesUnder(permitted, null)].toSorted((a, b) => a.order - b.order).map(({ entry }) => entry)
}

function placesUnder(screens: readonly Screen[], under: string | null): { order: number; entry: MenuEntry }[] {
  return screens
    .flatMap(({ path, menu }) => {
      if (menu?.under !== under) return []
      const { label, icon, order, hiddenOffline } = menu
      return [{ order, entry: { key: path, label, icon, path, ...(hiddenOffline ? { hiddenOffline } : {}) } }]
    })
    .toSorted((a, b) => a.order - b.order)
}
