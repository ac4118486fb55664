import type { Route } from '../../../apps/server/src/kernel/types.ts'
import { seed } from '../../support/draws.ts'
import { isNightly } from '../../support/size.ts'

/**
 * Which probes meet a route: all of them at night. By day `each` of them (1), other ones from one route to the next, so that every route
 * meets one and every kind of operation meets all of them; TEST_SEED says where the turns begin.
 */
export function byTurns<Probe>(
  routes: readonly Route[],
  probes: readonly Probe[],
  { each = 1 }: { each?: number } = {},
): (route: Route) => readonly Probe[] {
  const chosen = new Map<Route, readonly Probe[]>()
  for (const own of Map.groupBy(routes, ({ operation }) => operation.kind).values()) {
    const many = isNightly ? probes.length : Math.min(probes.length, Math.max(each, Math.ceil(probes.length / own.length)))
    for (const [index, route] of own.entries())
      chosen.set(
        route,
        Array.from({ length: many }, (_, n) => probes[(seed + index * many + n) % probes.length]!),
      )
  }
  return (route) => chosen.get(route) ?? []
}
