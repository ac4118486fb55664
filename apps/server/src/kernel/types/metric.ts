import type { Statement } from '@outpost/platform/types'
import type { TargetUnit } from '@outpost/rules/targets/target-units'

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
