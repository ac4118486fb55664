import { z } from 'zod'
import { identifierSchema as id } from '../input.ts'
import { ruleOperators } from './rule-words.ts'

const ids = z.array(z.string().min(1)).min(1, 'Name at least one').max(1_000)
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Write a time of day as HH:MM')

/**
 * Conditions on an event besides its type. All conditions of a rule must hold; a value that the message lacks never matches. `attribute`
 * compares a value of the event (speed in km/h, or an attribute of the message); `fence` checks the fence of the event (`of`) or those
 * the device is in.
 */
export const ruleCondition = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('attribute'),
    name: z.string().min(1, 'Name the value').max(100),
    operator: z.enum(ruleOperators),
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
export const ruleHours = z.strictObject({
  days: z.array(z.int().min(1).max(7)).min(1, 'Name at least one day').max(7),
  from: clock,
  to: clock,
  isInverted: z.boolean().default(false),
})

/** Days by ISO number and the time of day in the tenant's zone at which a device must (not) be in the fences of the rule. */
export const ruleSchedule = z.strictObject({ days: ruleHours.shape.days, at: clock })

export type RuleCondition = z.infer<typeof ruleCondition>
export type RuleHours = z.infer<typeof ruleHours>
export type RuleSchedule = z.infer<typeof ruleSchedule>

const people = { userIds: z.array(id).optional(), roles: z.array(z.string()).optional(), teamIds: z.array(id).optional() }
/** What follows when a rule matches: of all kinds of reaction, each has its own of these. */
export const reactionParameters = z.strictObject({
  ...people,
  to: z.array(z.string()).optional(),
  subject: z.string().optional(),
  message: z.string().optional(),
  url: z.string().optional(),
  commandType: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
  /** Others are told after so many seconds without an acknowledgement. */
  escalateAfterS: z.int().optional(),
  escalateTo: z.strictObject({ ...people, emails: z.array(z.string()).optional(), phones: z.array(z.string()).optional() }).optional(),
})
