import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'

const named = z.strictObject({ Id: identifierSchema, name: z.string() })
const hierarchies = z.array(z.string())

export const comparedAnswer = z.strictObject({ a: named, b: named, onlyA: hierarchies, onlyB: hierarchies, both: hierarchies })
export const rolesOfUserAnswer = z.strictObject({
  roles: z.array(named.extend({ systemRole: z.string().nullable(), description: z.string().nullable() })),
})
export const permissionsAnswer = z.strictObject({
  permissions: z.array(z.strictObject({ Id: z.string(), hierarchy: z.string(), name: z.string(), parent: z.string().nullable() })),
})
/** Each right with where it comes from: roles, which have an Id, or given to the user alone. */
export const effectiveAnswer = z.strictObject({
  permissions: z.array(
    z.strictObject({
      hierarchy: z.string(),
      /** The sources as a sentence. */
      comesFrom: z.string(),
      sources: z.array(z.strictObject({ kind: z.enum(['role', 'user']), Id: identifierSchema.optional(), name: z.string() })),
    }),
  ),
  /** What is to be said of all of them. */
  note: z.string().nullable(),
})
export const permissionsOfRoleAnswer = z.strictObject({ role: named, permissions: z.array(z.strictObject({ hierarchy: z.string() })) })
