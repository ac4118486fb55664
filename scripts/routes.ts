import type { Route } from '../apps/server/src/kernel/types.ts'
import { declaredAreas, printCoverage, readContract } from './areas.ts'

/** A call's path with its parameters' names removed, so that {id} of the specification equals :id of a route. */
export function addressOf(method: string, path: string): string {
  const plain = path.replace(/\/$/, '').replace(/\{\w+\}|:\w+/g, ':')
  return `${method} ${plain}`
}

/** The route that answers a call of the specification. */
export function routeFor(routes: readonly Route[], method: string, path: string): Route | undefined {
  const wanted = addressOf(method, path)
  const exact = routes.find((route) => addressOf(route.method, route.path) === wanted)
  return (
    exact ?? routes.find((route) => route.path.endsWith('/*') && wanted.startsWith(addressOf(route.method, route.path.slice(0, -2)) + '/'))
  )
}

if (process.argv[1] === import.meta.filename) {
  const areas = await declaredAreas()
  const routes = areas.flatMap((area) => area.routes)
  const calls = await readContract<'area' | 'method' | 'path'>('api.tsv')
  printCoverage(
    calls.map(({ area, method, path }) => {
      const route = routeFor(routes, method, path)
      return { area, isThere: route !== undefined, text: `${method.padEnd(6)} ${path}${route ? `  ${route.name}` : ''}` }
    }),
    { onlyMissing: process.argv.includes('--missing') },
  )
  const known = new Set(calls.map(({ method, path }) => addressOf(method, path)))
  const own = routes.filter((route) => !known.has(addressOf(route.method, route.path)))
  console.log(`and ${own.length} of our own:`)
  for (const { method, path, name } of own) console.log(`  ${method.padEnd(6)} ${path}  ${name}`)
}
