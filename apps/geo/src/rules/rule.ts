import { z } from 'zod'
import { eventTypes, type EventType } from './catalogue.ts'

const ids = z.array(z.string().min(1)).min(1, 'Name at least one').max(1_000)
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Write a time of day as HH:MM')

/**
 * Conditions on an event besides its type. All conditions of a rule must hold; a value that the message lacks never matches. `attribute`
 * compares a value of the event (speed in km/h, or an attribute of the message); `fence` checks the fence of the event (`of`) or those
 * the device is in.
 */
export const condition = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('attribute'),
    name: z.string().min(1).max(100),
    operator: z.enum(['eq', 'ne', 'gt', 'ge', 'lt', 'le']),
    value: z.union([z.string().max(200), z.number(), z.boolean()]),
  }),
  z.strictObject({ kind: z.literal('alarm'), names: ids }),
  z.strictObject({ kind: z.literal('device'), ids }),
  z.strictObject({ kind: z.literal('fence'), ids, where: z.enum(['of', 'inside', 'outside']) }),
])

/**
 * Days by ISO number (1 Monday), times of day in the tenant's zone; from 22:00 to 06:00 crosses midnight and belongs to the day it
 * began. `isInverted`: outside these hours.
 */
export const calendar = z.strictObject({
  days: z.array(z.int().min(1).max(7)).min(1, 'Name at least one day').max(7),
  from: clock,
  to: clock,
  isInverted: z.boolean().default(false),
})

/** Days by ISO number and the time of day in the tenant's zone at which a device must (not) be in the fences of the rule. */
export const schedule = z.strictObject({ days: calendar.shape.days, at: clock })

/** Event types that are checked at a time of day. */
export const scheduledTypes = ['geofenceNotInside', 'geofenceNotOutside'] as const satisfies readonly EventType[]
export const isScheduled = (type: string): type is (typeof scheduledTypes)[number] => (scheduledTypes as readonly string[]).includes(type)

export type Condition = z.infer<typeof condition>
export type Calendar = z.infer<typeof calendar>
export type Schedule = z.infer<typeof schedule>

const types = Object.keys(eventTypes) as [EventType, ...EventType[]]

/** The fields of a rule (eventIo) that a caller writes and matching reads. */
export const ruleInput = z.object({
  type: z.enum(types, `The type of event is one of ${types.join(', ')}`),
  conditions: z.array(condition).max(20).default([]),
  severity: z.enum(['info', 'warning', 'critical']).default('info'),
  cooldownSeconds: z
    .int()
    .min(0)
    .max(7 * 86_400)
    .default(0),
  calendar: calendar.nullable().default(null),
  schedule: schedule.nullable().default(null),
})

/** A rule in the form that matching uses. */
export interface Rule extends Omit<z.infer<typeof ruleInput>, 'schedule'> {
  id: string
}
