import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'

const time = z.iso.datetime()

export const deadLettersAnswer = z.strictObject({
  deadLetters: z.array(
    z.strictObject({
      changeId: identifierSchema,
      deviceId: identifierSchema,
      userId: identifierSchema,
      userName: z.string(),
      envelope: z.unknown(),
      reason: z.string(),
      state: z.string(),
      dateCreated: time,
    }),
  ),
})
export const devicesAnswer = z.strictObject({
  devices: z.array(
    z.strictObject({
      deviceId: identifierSchema,
      userId: identifierSchema,
      userName: z.string(),
      lastSeen: time,
      appVersion: z.string().nullable(),
      pendingCount: z.int(),
      oldestPendingAt: time.nullable(),
      persisted: z.boolean(),
      clockSkewMs: z.number().nullable(),
      lossSuspectedAt: time.nullable(),
      lostCount: z.int(),
    }),
  ),
})
/** `base`, `mine` and `theirs`: the field's value before, on the device and on the server. */
export const conflictsAnswer = z.strictObject({
  conflicts: z.array(
    z.strictObject({
      Id: identifierSchema,
      entityType: z.string(),
      entityId: identifierSchema,
      field: z.string(),
      base: z.unknown(),
      mine: z.unknown(),
      theirs: z.unknown(),
      userId: identifierSchema,
      dateCreated: time,
    }),
  ),
})
export const pingAnswer = z.strictObject({ now: time })
const ids = z.array(identifierSchema)
export const keptAnswer = z.strictObject({ kept: ids })
export const handledAnswer = z.strictObject({ changeIds: ids })
export const resolvedAnswer = z.strictObject({ Id: identifierSchema, resolution: z.enum(['mine', 'theirs']) })
