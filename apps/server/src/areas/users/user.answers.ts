import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import { consoleUser } from '../../kernel/screens/console.answers.ts'
import { recordSchema } from '../../kernel/resource/answers.ts'
import { person, user } from './user.resource.ts'

const [time, day] = [z.iso.datetime(), z.iso.date()]

/** A user in full, or the names of one, by what the caller may know. */
const anyUser = (use: 'list' | 'detail') => z.union([recordSchema(user, use), recordSchema(person, use)])
export const personAnswer = () => z.strictObject({ user: anyUser('detail') })
export const peopleAnswer = () => z.strictObject({ users: z.array(anyUser('list')) })
export const userAnswer = () => z.strictObject({ user: recordSchema(user, 'detail') })

const placedTenant = z.strictObject({
  Id: identifierSchema,
  name: z.string(),
  shortCode: z.string(),
  type: z.number(),
  tenant_type: z.number(),
  parentId: identifierSchema.nullable(),
  level: z.number(),
})
export const highLevelAnswer = () =>
  z.strictObject({
    user: recordSchema(user, 'detail').extend({ highLevelTenants: z.array(placedTenant), company: placedTenant.nullable() }),
  })

/** `tenantId` and `version` come with one's own profile. */
export const consoleUserAnswer = z.strictObject({
  user: consoleUser.extend({
    mobile: z.string().nullable(),
    jobTitle: z.string().nullable(),
    tenantId: identifierSchema.nullable().optional(),
    version: z.number().optional(),
  }),
})

export const existAnswer = z.strictObject({ exists: z.boolean(), fields: z.array(z.string()) })
export const passwordHistoryAnswer = z.strictObject({
  passwordHistory: z.array(
    z.strictObject({
      Id: identifierSchema,
      userId: identifierSchema,
      userName: z.string(),
      fullName: z.string(),
      changedByUserId: identifierSchema.nullable(),
      changedBy: z.string(),
      dateCreated: time,
    }),
  ),
})
export const loginHistoryAnswer = z.strictObject({
  loginHistory: z.array(z.strictObject({ date: day, logins: z.number(), refused: z.number(), users: z.number() })),
})
export const newUsersAnswer = z.strictObject({
  newUsers: z.array(z.strictObject({ date: day, users: z.number() })),
  users: z.array(
    z.strictObject({
      Id: identifierSchema,
      fullName: z.string(),
      userName: z.string(),
      jobTitle: z.string().nullable(),
      tenantId: identifierSchema.nullable(),
      dateCreated: time,
    }),
  ),
})
export const userIdsAnswer = z.strictObject({ userIds: z.array(identifierSchema) })
/** What the person has seen of each tour. */
export const toursAnswer = z.strictObject({ tours: z.record(z.string(), z.unknown()) })

/** Address of the caller's picture, if there is one. */
export const pictureAnswer = z.strictObject({ picture: z.string().nullable() })
