import { createHash } from 'node:crypto'

export interface Random {
  /** From 0 up to, but not, 1. */
  next(): number
  /** A whole number from `from` to `to`, both included. */
  int(from: number, to: number): number
  pick<Item>(items: readonly Item[]): Item
  /** An item as often as its weight says. */
  weighted<Item>(items: readonly (readonly [item: Item, weight: number])[]): Item
}

/** Random numbers that come out the same for the same seed (mulberry32), so that every demo installation is alike. */
export function createRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE()
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const pick = <Item>(items: readonly Item[]) => items[int(0, items.length - 1)] as Item
  const weighted = <Item>(items: readonly (readonly [Item, number])[]) => {
    let left = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
    const found = items.find(([, weight]) => (left -= weight) < 0) ?? items[0]
    if (!found) throw new Error('weighted: nothing to choose from')
    return found[0]
  }
  return { next, int, pick, weighted }
}

const prefixes = new Map<string, string>()

/** The id of a demo row: the same at every seeding, so that tests and links may name it. Rows of a kind are numbered. */
export function demoId(key: string, number = 0): string {
  const prefix = prefixes.get(key) ?? prefixOf(key)
  prefixes.set(key, prefix)
  return `${prefix}${number.toString(16).padStart(12, '0')}`
}

function prefixOf(key: string): string {
  const hex = createHash('sha256').update(`outpost demo ${key}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-`
}
