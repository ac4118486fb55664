import type { Access } from '@outpost/contract/permissions'
import { metricsOf } from '../declared.ts'
import { timelineOf } from '../keeps/timeline-of.ts'
import type { Area, Program, Route } from '../types.ts'

/** A program before the declarations of its areas are loaded. */
export const newProgram = (): Program => ({ readers: new Map(), listeners: [], metrics: new Map(), timelineOf: () => [] })

/** Loads what the areas declare: who reads what, who listens, what is counted, and what histories tell beside. At the start, before the first call or job. */
export function loadDeclarations(program: Program, areas: readonly Area[]): void {
  program.readers = readersOf(areas.flatMap(({ routes }) => routes))
  program.listeners = areas.flatMap(({ listeners }) => listeners)
  program.metrics = metricsOf(areas)
  program.timelineOf = timelineOf(areas.flatMap(({ timeline }) => timeline))
}

function readersOf(routes: readonly Route[]): Map<string, Access[]> {
  const readers = routes.flatMap(({ operation, access }) =>
    operation.kind !== 'public' && operation.resource && ['list', 'get'].includes(operation.kind)
      ? [{ one: operation.resource.one, access }]
      : [],
  )
  return new Map([...Map.groupBy(readers, ({ one }) => one)].map(([one, own]) => [one, own.map(({ access }) => access)]))
}
