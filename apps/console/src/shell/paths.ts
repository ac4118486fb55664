import type { ScreenEntry } from '@outpost/contract/console'
import { guardedParts } from './guarded.generated.ts'

/** The router's form of a specification path: `:id` -> `$id`, `:model?` -> `{-$model}`, no slash at the end. */
export function routerPath(path: string): string {
  const parts = path.split('/').map((part) => {
    if (!part.startsWith(':')) return part
    return part.endsWith('?') ? `{-$${part.slice(1, -1)}}` : `$${part.slice(1)}`
  })
  let end = parts.length
  while (end > 2 && parts[end - 1] === '') end -= 1
  return parts.slice(0, end).join('/')
}

/** What an address puts in the place of the parameters of a screen's path; undefined where it is the address of another. */
export function paramsIn(path: string, address: string): Record<string, string> | undefined {
  const [parts, given] = [path, address].map((one) => one.replace(/(?<=.)\/+$/, '').split('/')) as [string[], string[]]
  const isOne = parts.length === given.length && parts.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]))
  if (!isOne) return undefined
  const named = parts.flatMap((part, at) =>
    part.startsWith(':') ? [[part.replace(/^:|\?$/g, ''), decodeURIComponent(given[at] ?? '')] as const] : [],
  )
  return Object.fromEntries(named)
}

/** Screens that become routes: one a path, without those the shell draws itself. */
export function routedScreens(screens: readonly ScreenEntry[], own: ReadonlySet<string>): ScreenEntry[] {
  const seen = new Set(own)
  return screens.filter((screen) => {
    const path = routerPath(screen.path)
    if (seen.has(path)) return false
    seen.add(path)
    return true
  })
}

/** First parts of paths that need a session; another path is not found even for strangers. The shell's own and the specification's beside those of screens. */
const guardedAreas = new Set([...guardedParts, 'profile', 'notifications', 'comms', 'csv', 'scheduledreport', 'vehicles', 'assets'])

/** True when the address belongs to the console's guarded part, whether or not such a screen exists. */
export function isGuardedPath(path: string): boolean {
  return guardedAreas.has((path.split('/')[1] ?? '').toLowerCase())
}
