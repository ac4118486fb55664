import type { EventType } from './events.ts'

export const ruleOperators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
export type RuleOperator = (typeof ruleOperators)[number]
export const mostConditions = 20

/** Event types that are checked at a time of day. */
export const scheduledTypes = ['geofenceNotInside', 'geofenceNotOutside'] as const satisfies readonly EventType[]
export const isScheduled = (type: string): type is (typeof scheduledTypes)[number] => (scheduledTypes as readonly string[]).includes(type)
