import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { tenantInReach } from '../../kernel/session/reach.ts'
import { figureOf, tileFigureSchema } from '../../kernel/screens/tiles.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { doneIn } from './activity.tiles.ts'

export const branchesAnswer = z.strictObject({
  branches: z.array(tileFigureSchema.extend({ Id: identifierSchema, name: z.string() })),
})

/** Visits done today in each branch of the caller's reach, with the address of their rows. */
export async function doneByBranch(ctx: Ctx): Promise<Answer> {
  const branches = await ctx.sql.query<{ id: string; name: string }>(sql`
    select "id", "name" from tenant where "companyId" = ${ctx.company.id} and "type" = 3 and "deletedAt" is null
      and ${tenantInReach(ctx, sql`"id"`)} order by "name", "id" limit 100`)
  return {
    data: { branches: await Promise.all(branches.map(async ({ id, name }) => ({ Id: id, name, ...(await figureOf(ctx, doneIn(id))) }))) },
  }
}
