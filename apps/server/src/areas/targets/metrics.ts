import { fail } from '@outpost/contract/errors'
import { join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { declared } from '../../kernel/declared.ts'
import type { Metric, MetricWindow } from '../../kernel/metrics.ts'
import type { Area } from '../../kernel/types.ts'

let metrics: ReadonlyMap<string, Metric> = new Map()

/** Takes over, at the start, what the areas let targets count. */
export function useMetrics(areas: readonly Area[]): void {
  const found = [...declared(areas, 'metric', (area) => area.metrics).values()].toSorted((a, b) => a.order - b.order)
  metrics = new Map(found.map((metric) => [metric.name, metric]))
}

export const allMetrics = (): Metric[] => [...metrics.values()]
export const isMetric = (name: string): boolean => metrics.has(name)
/** Stops with INVALID when no area declares it. */
export const metricNamed = (name: string): Metric =>
  metrics.get(name) ?? fail('INVALID', { fields: [{ field: 'metric', message: 'is not a metric' }] })
export const labelOf = (name: string): string => metrics.get(name)?.label ?? name

/**
 * The common tables that the sources of these metrics read: each is walked once, however many metrics ask it. `windowOf`: the time
 * that some of the metrics span together.
 */
export function sharedTables(names: readonly string[], windowOf: (some: readonly string[]) => MetricWindow): Statement[] {
  const readers = Map.groupBy(new Set(names), (name) => metricNamed(name).reads)
  return [...readers].flatMap(([tables, own]) => (tables ? [tables(windowOf(own), own)] : []))
}

/** The events of one metric as a whole statement, for those who count one alone. */
export function metricEvents(name: string, window: MetricWindow): Statement {
  const tables = sharedTables([name], () => window)
  const events = metricNamed(name).events(window)
  return tables.length === 0 ? events : sql`with ${join(tables)} ${events}`
}
