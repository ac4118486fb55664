import { z } from 'zod'
import { densities, languageCodes, sidebars, widths } from './looks.ts'

const choices = { language: z.enum(languageCodes), sidebar: z.enum(sidebars), width: z.enum(widths), density: z.enum(densities) }

/** How the console looks and speaks for a person; what is left out is the standard. */
export const preferencesSchema = z.object({
  language: choices.language.optional(),
  sidebar: choices.sidebar.optional(),
  width: choices.width.optional(),
  density: choices.density.optional(),
})
export type Preferences = z.infer<typeof preferencesSchema>

/** A change of some of them; null goes back to the standard. */
export const preferencesChange = z
  .strictObject({
    language: choices.language.nullable().optional(),
    sidebar: choices.sidebar.nullable().optional(),
    width: choices.width.nullable().optional(),
    density: choices.density.nullable().optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), { message: 'name at least one preference' })
export type PreferencesChange = z.infer<typeof preferencesChange>
