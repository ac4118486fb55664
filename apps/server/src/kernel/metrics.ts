import { failField } from '@outpost/contract/errors'
import type { Permission } from '@outpost/contract/permissions'
import { join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { addDays, timeAt } from '@outpost/rules/time-zone'
import type { Ctx } from './types/ctx.ts'
import type { Metric, MetricWindow } from './types/metric.ts'
import type { AnyResource } from './types/resource.ts'

export type { Metric, MetricTables, MetricWindow } from './types/metric.ts'

/** Records that events name as their `entity`: who reads what they are called, and where they are shown. */
export interface CountedRecords {
  resource: AnyResource
  anyOf: readonly Permission[]
  /** Fields that call one by its name, after each other; default: its title. */
  name?: readonly string[]
  /** What each of them is called, where none has a name. */
  words?: string
  /** Screens of one record, `:id` in their paths; the first that the caller may open counts. */
  screens?: readonly string[]
}

/** Stops with INVALID when no area declares it. */
export const metricNamed = ({ program }: Ctx, name: string): Metric => program.metrics.get(name) ?? failField('metric', 'is not a metric')
export const metricLabel = ({ program }: Ctx, name: string): string => program.metrics.get(name)?.label ?? name

/** The events of one metric as a whole statement, for those who count one alone. */
export function metricEvents(ctx: Ctx, name: string, window: MetricWindow): Statement {
  const tables = sharedTables(ctx, [name], () => window)
  const events = metricNamed(ctx, name).events(window)
  return tables.length === 0 ? events : sql`with ${join(tables)} ${events}`
}

/** A metric over days of the company (YYYY-MM-DD), the last one included. */
export interface MetricDays {
  metric: string
  startDate: string
  endDate: string
}

/** The events of each metric over the time that all its days span together, and the common tables that they read. */
export function eventSources(
  ctx: Ctx,
  wanted: readonly MetricDays[],
): { shared: Statement[]; parts: { metric: string; events: Statement }[] } {
  const { id: companyId, timeZone } = ctx.company
  const windowOf = (own: readonly MetricDays[]): MetricWindow => {
    const first = own.reduce((least, { startDate }) => (startDate < least ? startDate : least), '9999-12-31')
    const last = own.reduce((most, { endDate }) => (endDate > most ? endDate : most), '0001-01-01')
    return { companyId, timeZone, from: new Date(timeAt(first, 0, timeZone)), to: new Date(timeAt(addDays(last, 1), 0, timeZone)) }
  }
  const groups = Map.groupBy(wanted, ({ metric }) => metric)
  const parts = [...groups].map(([metric, own]) => ({ metric, events: metricNamed(ctx, metric).events(windowOf(own)) }))
  const shared = sharedTables(ctx, [...groups.keys()], (some) => windowOf(wanted.filter(({ metric }) => some.includes(metric))))
  return { shared, parts }
}

/** The common tables that the sources of these metrics read: each is walked once, however many metrics ask it. */
function sharedTables(ctx: Ctx, names: readonly string[], windowOf: (some: readonly string[]) => MetricWindow): Statement[] {
  const readers = Map.groupBy(names, (name) => metricNamed(ctx, name).reads)
  return [...readers].flatMap(([tables, own]) => (tables ? [tables(windowOf(own), own)] : []))
}
