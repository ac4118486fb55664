import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import { recordSchema } from '../../kernel/resource/answers.ts'
import type { AnyResource } from '../../kernel/types.ts'

const owner = z.enum(['user', 'team', 'tenant'])

/** `values`: an amount for each metric in which there is one. */
export const scoresAnswer = z.strictObject({
  scores: z.array(z.strictObject({ Id: identifierSchema, name: z.string(), values: z.record(z.string(), z.number()) })),
  metrics: z.array(z.string()),
  by: owner,
})
/** A record that the caller may not open has neither name nor id. */
export const recordsAnswer = z.strictObject({
  records: z.array(
    z.strictObject({
      at: z.iso.datetime({ offset: true }),
      amount: z.number(),
      entity: z.string(),
      entityId: identifierSchema.optional(),
      userId: identifierSchema.nullable().optional(),
      who: z.string().nullable().optional(),
      label: z.string().nullable(),
    }),
  ),
  sum: z.number(),
  people: z.array(z.strictObject({ userId: identifierSchema.nullable(), name: z.string().nullable(), actual: z.number() })),
})
/** `actual` is null for days to come. */
export const progressAnswer = z.strictObject({
  points: z.array(z.strictObject({ day: z.iso.date(), actual: z.number().nullable(), expected: z.number() })),
  value: z.number(),
})
export const partsAnswer = z.strictObject({
  parts: z.array(
    z.strictObject({
      ownerType: owner,
      ownerId: identifierSchema,
      name: z.string(),
      people: z.int(),
      targetId: identifierSchema.nullable(),
      present: z.number().nullable(),
      weight: z.number(),
      value: z.number(),
      exact: z.number(),
    }),
  ),
  residual: z.number(),
  total: z.number(),
  to: owner,
  method: z.enum(['even', 'last', 'headcount']),
  decimals: z.int(),
})
/** `residual`: what is left of the whole. */
export const savedPartsAnswer = (target: AnyResource) => () =>
  z.strictObject({ targets: z.array(recordSchema(target, 'detail')), residual: z.number() })
