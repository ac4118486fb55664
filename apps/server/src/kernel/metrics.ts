import type { Permission } from '@outpost/contract/permissions'
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
