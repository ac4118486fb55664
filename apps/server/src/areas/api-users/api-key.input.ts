import { identifierSchema, numberOr } from '@outpost/contract/input'
import { z } from 'zod'
import { idSchema } from '../../kernel/resource/schema.ts'

/** Longest life of a key: a key nobody renews is a key nobody watches. */
export const maxKeyDays = 730
/** Longest time that an old key goes on beside its successor. */
export const maxOverlapHours = 168

export const manyInput = z.strictObject({
  ids: z
    .array(idSchema)
    .min(1)
    .max(100)
    .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))]),
})

const days = numberOr(z.int().min(1).max(maxKeyDays), 365)
export const newKeyInput = z.strictObject({ id: idSchema, name: z.string().trim().min(1).max(60), days })
export const rotateInput = z.strictObject({
  id: idSchema,
  days,
  overlapHours: numberOr(z.int().min(0).max(maxOverlapHours), 24),
})

const key = z.strictObject({
  Id: identifierSchema,
  name: z.string(),
  prefix: z.string(),
  state: z.enum(['valid', 'ended', 'revoked']),
  dateCreated: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  lastUsedIp: z.string().nullable(),
  createdBy: z.string().nullable(),
})
export const keysAnswer = z.strictObject({ keys: z.array(key) })
/** `key` is the whole key, shown this once. */
export const newKeyAnswer = z.strictObject({ key: z.string(), Id: identifierSchema, prefix: z.string(), expiresAt: z.iso.datetime() })
