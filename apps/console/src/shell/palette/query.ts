/** What the palette looks for, by the first character: `>` actions, `#` ids, `@` people; otherwise everything. */
export interface PaletteQuery {
  scope: 'all' | 'actions' | 'ids' | 'people'
  text: string
}

export function parseQuery(typed: string): PaletteQuery {
  const scope = ({ '>': 'actions', '#': 'ids', '@': 'people' } as const)[typed.trimStart()[0] ?? '']
  return scope ? { scope, text: typed.trimStart().slice(1).trim() } : { scope: 'all', text: typed.trim() }
}

/** True when every word of the search is somewhere in the text. */
export function matches(text: string, search: string): boolean {
  const lower = text.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

/** How well a label fits a search: 3 it begins with it, 2 one of its words does, 1 it holds every word (or its place does), 0 not at all. */
export function fitOf({ label, place }: { label: string; place?: string | undefined }, search: string): number {
  const [lower, text] = [label.toLowerCase(), search.toLowerCase()]
  if (lower.startsWith(text)) return 3
  if (lower.includes(` ${text}`)) return 2
  return matches(`${label} ${place ?? ''}`, search) ? 1 : 0
}

/** What fits, best first, at most so many; equals keep their order. */
export const fitting = <Entry extends { label: string; place?: string }>(
  entries: readonly Entry[],
  search: string,
  most: number,
): Entry[] =>
  entries
    .map((entry) => ({ entry, fit: fitOf(entry, search) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .slice(0, most)
    .map(({ entry }) => entry)
