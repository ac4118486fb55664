import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'

export const pingAnswer = z.strictObject({ now: z.iso.datetime() })
const ids = z.array(identifierSchema)
export const keptAnswer = z.strictObject({ kept: ids })
export const handledAnswer = z.strictObject({ ids })
export const replayedAnswer = z.strictObject({ changeId: identifierSchema, entityId: identifierSchema })
export const resolvedAnswer = z.strictObject({ Id: identifierSchema, resolution: z.enum(['mine', 'theirs']) })
export const letterValuesAnswer = z.strictObject({
  values: z.array(
    z.strictObject({
      Id: z.string(),
      label: z.string(),
      before: z.string().nullable(),
      now: z.string().nullable(),
      sent: z.string().nullable(),
    }),
  ),
})
export const deviceChangesAnswer = z.strictObject({
  changes: z.array(
    z.strictObject({
      Id: identifierSchema,
      receivedAt: z.iso.datetime(),
      kind: z.string(),
      record: z.string().nullable(),
      changeType: z.string(),
      result: z.string(),
      reason: z.string().nullable(),
    }),
  ),
})
export const signedOutAnswer = z.strictObject({ Id: identifierSchema })
