import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { reaches, tenantInReach } from '../../kernel/session/reach.ts'
import { atHome } from '../users/index.ts'
import type { Ctx } from '../../kernel/types.ts'

/** A tenant with settings of its own, and the ctx that may write there. */
export interface Place {
  id: string
  companyId: string
  /** 1 Group, 2 Company, 3 Branch, 4 Team */
  type: number
  path: readonly string[]
  ctx: Ctx
}

/** The tenant of that id: one in the caller's reach, or the group where the caller is at home. Stops with NOT_FOUND. */
export async function placeOf(ctx: Ctx, id: string): Promise<Place> {
  if (isOwnGroup(ctx, id)) return { id, companyId: id, type: 1, path: [id], ctx: await atHome(ctx) }
  const isInReach = reaches(ctx, id)
  const found = isInReach
    ? await ctx.sql.maybe<{ type: number; path: string[] }>(sql`
        select "type", "path" from tenant where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "deletedAt" is null`)
    : undefined
  return found ? { id, companyId: ctx.company.id, ...found, ctx } : fail('NOT_FOUND')
}

/** Staff of a group with the whole of it, who work in one of its companies. */
export const isOwnGroup = (ctx: Ctx, id: string): boolean =>
  id === ctx.user.companyId && id !== ctx.company.id && ctx.isGlobalAdministrator && ctx.scope === '*'

/** Whether the caller chooses what companies do not choose for themselves: staff of the group with the whole of it. */
export const choosesForGroup = (ctx: Ctx): boolean =>
  ctx.isGlobalAdministrator && ctx.scope === '*' && ctx.user.companyId !== ctx.company.id

/** The tenants whose settings the caller may look at: the group first, then the tree from the top. */
export async function placesOf(ctx: Ctx): Promise<{ Id: string; name: string; type: number }[]> {
  const own = await ctx.sql.query<{ Id: string; name: string; type: number }>(sql`
    select "id" as "Id", "name", "type" from tenant where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null
      and ${tenantInReach(ctx, sql`"id"`)} order by cardinality("path"), "name", "id" limit 500`)
  if (!isOwnGroup(ctx, ctx.user.companyId)) return own
  const home = await atHome(ctx)
  return [{ Id: home.tenant.id, name: home.tenant.name, type: 1 }, ...own]
}
