/** What the palette looks for, by the first character: `>` actions, `#` ids, `@` people; otherwise everything. */
export interface PaletteQuery { scope: 'all' | 'actions' | 'ids' | 'people', text: string }

export function parseQuery(typed: string): PaletteQuery {
  const scope = ({ '>': 'actions', '#': 'ids', '@': 'people' } as const)[typed.trimStart()[0] ?? '']
  return scope ? { scope, text: typed.trimStart().slice(1).trim() } : { scope: 'all', text: typed.trim() }
}

/** True when every word of the search stands somewhere in the text. */
export function matches(text: string, search: string): boolean {
  const lower = text.toLowerCase()
  return search.toLowerCase().split(/\s+/).every((word) => lower.includes(word))
}

const people = new Set(['lead', 'leads', 'person', 'user', 'users', 'client', 'clients', 'driver', 'drivers', 'agent', 'agents'])

/** True for the kinds of record that are persons. */
export function isPerson(resource: string): boolean {
  return people.has(resource)
}
