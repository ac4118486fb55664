import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { create, remove, update } from '../../kernel/resource/operations.ts'
import { idSchema, type RecordInput } from '../../kernel/resource/schema.ts'
import { inTransaction } from '../../kernel/session/ctx.ts'
import { userInReach } from '../../kernel/session/reach.ts'
import type { Answer, Ctx, Operation } from '../../kernel/types.ts'
import { foundCompany, type NewCompany } from './company.ts'
import { locateUser } from '../../kernel/session/place.ts'
import { tenant } from './tenant.resource.ts'
import { lockTree } from './tenant.rules.ts'

/** The four kinds of tenant. */
export function tenantTypes(): Answer {
  const names = ['Group', 'Company', 'Branch', 'Team']
  return { data: { tenanttypes: names.map((name, index) => ({ Id: index + 1, name })) } }
}

/** One change to the shape of the tree at a time: two moves at once could close a circle. The lock is taken before a tenant's own, or the two would wait for each other. */
const oneAtATime = <Input>(operation: Operation<Input>): Operation<Input> => ({
  ...operation,
  run: (ctx, input, facts) =>
    inTransaction(ctx, async (inner) => {
      await lockTree(inner)
      return operation.run(inner, input, facts)
    }),
})

const createBelow = oneAtATime(create(tenant))

/** A branch or team below a parent of the caller's reach, or, for a global administrator, a company of the group. */
export const createTenant: Operation<RecordInput> = {
  ...createBelow,
  run: async (ctx, input, facts) => {
    if (input['type'] !== 2) return createBelow.run(ctx, input, facts)
    return { data: { tenant: await foundCompany(ctx, input as unknown as NewCompany) }, message: 'Tenant created successfully' }
  },
}
export const updateTenant = oneAtATime(update(tenant))
export const removeTenant = oneAtATime(remove(tenant))

export const userInput = z.strictObject({ userId: idSchema })

/** Where work of a user takes place when it names no place; empty texts and zeros when nothing is known. */
export async function locationOf(ctx: Ctx, { userId }: z.infer<typeof userInput>): Promise<Answer> {
  const inReach = userInReach(ctx, 'u')
  const user =
    userId === ctx.user.id ||
    (await ctx.sql.maybe(sql`
    select 1 as one from app_user u where u."companyId" = ${ctx.company.id}::uuid and u."id" = ${userId}::uuid and ${inReach}`))
  if (!user) fail('NOT_FOUND')
  return { data: { location: (await locateUser(ctx, userId)) ?? { location: '', lat: '0', lng: '0' } } }
}
