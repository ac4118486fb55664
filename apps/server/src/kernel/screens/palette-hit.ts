import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'

/** A record that the palette found. */
export const hitSchema = z.strictObject({
  resource: z.string(),
  Id: identifierSchema,
  title: z.string().nullable(),
  subtitle: z.string().nullable(),
  /** Its branch. */
  place: z.string().nullable(),
  screen: z.string(),
  isPerson: z.boolean(),
})
export type Hit = z.infer<typeof hitSchema>
