import type { Permission } from '@outpost/contract/permissions'
import type { Statement } from '@outpost/platform/types'
import type { TargetUnit } from '@outpost/rules/targets/target-units'
import type { AnyResource } from './types/resource.ts'

/** The part of time that a figure covers: [from, to). Days are those of the company's time zone. */
export interface MetricWindow {
  companyId: string
  from: Date | Statement
  to: Date | Statement
  timeZone: string
}

/** Common tables that several metrics read (`name as (...)`, with commas between): each table is walked once, for all of these metrics together. */
export type MetricTables = (window: MetricWindow, metrics: readonly string[]) => Statement

/** Something that a target may count. It has one source of records, its area's; nothing is ever entered by hand. */
export interface Metric {
  name: string
  label: string
  unit: TargetUnit
  /** Its events have a product, so that a target may be for one product. */
  hasProduct: boolean
  /** Less is better. */
  isBurden?: boolean
  /** Its place among what can be counted. */
  order: number
  /** The events behind every figure of it: ("userId", "tenantId", at, amount, product, entity, "entityId"). */
  events(window: MetricWindow): Statement
  reads?: MetricTables
}

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
