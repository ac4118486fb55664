import { failField } from '@outpost/contract/errors'
import { join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Metric, MetricWindow } from '../../kernel/metrics.ts'
import type { Ctx } from '../../kernel/types.ts'

/** Stops with INVALID when no area declares it. */
export const metricNamed = ({ program }: Ctx, name: string): Metric => program.metrics.get(name) ?? failField('metric', 'is not a metric')
export const labelOf = ({ program }: Ctx, name: string): string => program.metrics.get(name)?.label ?? name

/**
 * The common tables that the sources of these metrics read: each is walked once, however many metrics ask it. `windowOf`: the time
 * that some of the metrics span together.
 */
export function sharedTables(ctx: Ctx, names: readonly string[], windowOf: (some: readonly string[]) => MetricWindow): Statement[] {
  const readers = Map.groupBy(new Set(names), (name) => metricNamed(ctx, name).reads)
  return [...readers].flatMap(([tables, own]) => (tables ? [tables(windowOf(own), own)] : []))
}

/** The events of one metric as a whole statement, for those who count one alone. */
export function metricEvents(ctx: Ctx, name: string, window: MetricWindow): Statement {
  const tables = sharedTables(ctx, [name], () => window)
  const events = metricNamed(ctx, name).events(window)
  return tables.length === 0 ? events : sql`with ${join(tables)} ${events}`
}
