import { numberLike } from '@outpost/contract/input'
import { z } from 'zod'
import { idSchema } from '../../kernel/resource/schema.ts'
import { daySchema } from '../../kernel/days.ts'

const uuidOrRecord = z.union([idSchema, z.object({ Id: idSchema })]).transform((one) => (typeof one === 'string' ? one : one.Id))
export const idList = z.array(uuidOrRecord).max(1_000)
/** A list, or one text with commas. */
const idsOrText = z
  .union([
    z
      .string()
      .max(40_000)
      .transform((text) =>
        text
          .split(',')
          .map((id) => id.trim())
          .filter(Boolean),
      ),
    z.array(z.unknown()),
  ])
  .pipe(idList)

/** In any case. */
export const detailsLevel = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(['FULL', 'BASIC']))
  .default('BASIC')

/** One stop; the order of the list is the order of each agent's day. */
export const stopInput = z.strictObject({
  activityId: idSchema,
  userId: idSchema,
  day: daySchema.optional(),
  lock: z.enum(['first', 'last', 'place']).nullish(),
  keepsTime: z.boolean().optional(),
})
export type StopInput = z.infer<typeof stopInput>

/** A plan that is read has its number of stops; as input that is ignored. */
const notACount = (given: unknown) => (typeof given === 'number' ? undefined : given)

/**
 * A plan with its stops, or with activityIds alone (each goes to its agent on the day it is due). The plan's own
 * fields are checked by the resource. `setTimes`: the activities are moved to the planned times.
 */
export const planInput = z.looseObject({
  activityIds: idsOrText.optional(),
  status: z.string().max(60).nullish(),
  agents: idList.optional(),
  stops: z.preprocess(notACount, z.array(stopInput).max(1_000).optional()),
  setTimes: z.boolean().optional(),
})
export type PlanInput = z.infer<typeof planInput>
export const planUpdate = planInput.extend({ id: idSchema })

const seen = { agents: idList, stops: z.array(stopInput).max(1_000) }
/** Agents and stops as a device made them, beside what it had seen: what the office did meanwhile is kept. */
export const plannedInput = z.object({ base: z.strictObject(seen), ...seen, setTimes: z.boolean().default(false) })

export const deleteInput = z.strictObject({ activityPlans: idList.min(1).max(200), deleteActivities: z.boolean().nullish() })
export const restoreInput = z.strictObject({ activityPlans: idList.min(1).max(200), deleteActivities: z.unknown().optional() })

const settings = {
  speed: z.number().min(3).max(130).default(30),
  roadFactor: z.number().min(1).max(3).default(1.3),
  longestDay: z.number().min(1).max(24).default(9),
  dayStart: z.int().min(0).max(1_439).default(480),
  dayEnd: z.int().min(1).max(1_440).default(1_020),
  startLat: numberLike(z.number().min(-90).max(90).nullish()),
  startLng: numberLike(z.number().min(-180).max(180).nullish()),
  returnsToStart: z.boolean().default(false),
}
export const settingsInput = z.strictObject(settings)

/** Stops as they are in the editor; nothing is written. */
export const previewInput = z.strictObject({ ...settings, planId: idSchema.nullish(), stops: z.array(stopInput).max(1_000) })
export type PreviewInput = z.infer<typeof previewInput>
