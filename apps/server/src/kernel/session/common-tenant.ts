import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../types.ts'
import { tenantInReach } from './reach.ts'

/** Those of the people who work in the company now; a global administrator works for others and is nobody here. */
export async function workingHere(ctx: Ctx, userIds: readonly string[]): Promise<string[]> {
  const found = await ctx.sql.query<{ id: string }>(
    sql`select u."id" from app_user u where u."companyId" = ${ctx.company.id} and u."id" = any(${[...userIds]}::uuid[]) and u."deletedAt" is null and u."status" = 1`,
  )
  return found.map(({ id }) => id)
}

/**
 * The tenant that work of these people is filed under: its own when all of them see it there, else the topmost one in the caller's
 * reach where they do. People see what is filed in their tenants and below. Undefined when there is none.
 */
export async function commonTenant(ctx: Ctx, tenantId: string, userIds: readonly string[]): Promise<string | undefined> {
  if (userIds.length === 0) return tenantId
  const home = await ctx.sql.maybe<{ id: string }>(sql`
    select c."id" from tenant c
    where c."companyId" = ${ctx.company.id} and c."deletedAt" is null and ${tenantInReach(ctx, sql`c."id"`)}
      and (c."id" = ${tenantId} or exists (select 1 from user_tenant o where o."companyId" = c."companyId" and o."userId" = any(${userIds}::uuid[]) and o."tenantId" = c."id"))
      and not exists (select 1 from app_user u where u."companyId" = c."companyId" and u."id" = any(${userIds}::uuid[]) and not exists (
        select 1 from user_tenant m where m."companyId" = u."companyId" and m."userId" = u."id" and m."tenantId" = any(c."path")))
    order by (c."id" = ${tenantId}) desc, cardinality(c."path"), c."id" limit 1`)
  return home?.id
}
