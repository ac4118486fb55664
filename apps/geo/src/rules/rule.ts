import { mostConditions } from '@outpost/contract/geo/rule-words'
import { ruleCondition, ruleHours, ruleSchedule } from '@outpost/contract/geo/rules'
import { z } from 'zod'
import { eventTypes, type EventType } from './catalogue.ts'

const types = Object.keys(eventTypes) as [EventType, ...EventType[]]

/** The fields of a rule (eventIo) that a caller writes and matching reads. */
export const ruleInput = z.object({
  type: z.enum(types, `The type of event is one of ${types.join(', ')}`),
  conditions: z.array(ruleCondition).max(mostConditions).default([]),
  severity: z.enum(['info', 'warning', 'critical']).default('info'),
  cooldownSeconds: z
    .int()
    .min(0)
    .max(7 * 86_400)
    .default(0),
  calendar: ruleHours.nullable().default(null),
  schedule: ruleSchedule.nullable().default(null),
})

/** A rule in the form that matching uses. */
export interface Rule extends Omit<z.infer<typeof ruleInput>, 'schedule'> {
  id: string
}
