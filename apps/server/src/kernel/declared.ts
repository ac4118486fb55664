import type { Area } from './types.ts'

/** What the areas declare of a kind, by name. Stops the start when two areas say the same name, and names both. */
export function declared<Item extends { name: string }>(areas: readonly Area[], what: string, read: (area: Area) => readonly Item[]): ReadonlyMap<string, Item> {
  const items = new Map<string, Item>()
  const sayers = new Map<string, string>()
  for (const area of areas) {
    for (const item of read(area)) {
      const other = sayers.get(item.name)
      if (other !== undefined) throw new Error(`The ${what} ${item.name} is declared twice: by ${other} and by ${area.name}.`)
      sayers.set(item.name, area.name)
      items.set(item.name, item)
    }
  }
  return items
}
