/** Tells which pattern an address follows: '/sales/agents/day/:id/:date'. Undefined where none fits. */
export type PatternOf = (address: string) => string | undefined

/** First parts of links whose rest is a secret or a person: whatever follows them is never told. */
export const secretLinks = [
  '/impersonate/*',
  '/reset-password/*',
  '/verify/*',
  '/account/verification/*',
  '/not-me/*',
  '/consent/*',
  '/shared/*',
  '/let-in/*',
  '/hooks/*',
] as const

const partsOf = (path: string): string[] => path.replace(/(?<=.)\/+$/, '').split('/')

/** The weight of a part: a word before a parameter, a parameter before the rest. */
const weightOf = (part: string): number => (part === '*' ? 2 : part.startsWith(':') ? 1 : 0)

/** Finds the pattern of an address among these; of several that fit, the one that says the most. */
export function patternsOf(paths: Iterable<string>): PatternOf {
  const byCount = new Map<number, string[][]>()
  const open: string[][] = []
  for (const path of new Set([...paths, ...secretLinks])) {
    const parts = partsOf(path)
    if (parts.at(-1) === '*') open.push(parts)
    else byCount.set(parts.length, [...(byCount.get(parts.length) ?? []), parts])
  }
  return (address) => {
    const given = partsOf(address)
    const fitting = [...(byCount.get(given.length) ?? []), ...open].filter((parts) => fits(parts, given))
    return fitting.toSorted(byWeight)[0]?.join('/')
  }
}

function fits(parts: readonly string[], given: readonly string[]): boolean {
  const isOpen = parts.at(-1) === '*'
  const named = isOpen ? parts.slice(0, -1) : parts
  return given.length >= parts.length && named.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]))
}

function byWeight(one: readonly string[], other: readonly string[]): number {
  for (const [at, part] of one.entries()) {
    const difference = weightOf(part) - weightOf(other[at] ?? '*')
    if (difference !== 0) return difference
  }
  return 0
}
