import { fail } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { holdsAny } from '../../../kernel/session/permission.ts'
import { userInReach } from '../../../kernel/session/reach.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'

/** A category as its readers see it: whom else it is for is the administration's. */
export interface SeenCategory {
  Id: string
  name: string
  parentCategoryId: string | null
  reports: string[]
}
interface CategoryNode extends SeenCategory {
  children: CategoryNode[]
}

/** `children` are categories of the same form. */
export const categoriesAnswer = z.strictObject({
  reportCategories: z.array(
    z.strictObject({
      Id: identifierSchema,
      name: z.string(),
      parentCategoryId: identifierSchema.nullable(),
      reports: z.array(z.string()),
      children: z.array(z.looseObject({ Id: identifierSchema, name: z.string() })),
    }),
  ),
})

/** What a user sees by role and tenant, as a tree: one's own, or, for who manages categories, of a user in reach. */
export async function categoriesOfUser(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  if (id !== ctx.user.id) await refuseOthers(ctx, id)
  const seen = await seenCategories(ctx, id, { isAll: id === ctx.user.id && ctx.isGlobalAdministrator })
  return { data: { reportCategories: nested(seen) }, meta: { page: 1, size: seen.length, total: seen.length } }
}

async function refuseOthers(ctx: Ctx, userId: string): Promise<void> {
  if (!holdsAny(ctx, 'ADMIN/REPORTS')) fail('FORBIDDEN')
  const user = await ctx.sql.maybe(sql`
    select 1 as one from app_user u where u."companyId" = ${ctx.company.id}::uuid and u."id" = ${userId}::uuid and u."deletedAt" is null and ${userInReach(ctx, 'u')}`)
  if (!user) fail('NOT_FOUND')
}

/**
 * The categories that a user sees, by name. One without roles is all roles', one without tenants everywhere; a tenant means those above and
 * below it too. What lies in a category that is not seen is not seen either.
 */
export function seenCategories(ctx: Ctx, userId: string, { isAll = false } = {}): Promise<SeenCategory[]> {
  const mine = isAll
    ? sql`true`
    : sql`(not exists (select from report_category_role x where x."companyId" = c."companyId" and x."reportCategoryId" = c."id")
        or exists (select from report_category_role x join user_role m on m."companyId" = x."companyId" and m."roleId" = x."roleId" and m."userId" = ${userId}::uuid
          where x."companyId" = c."companyId" and x."reportCategoryId" = c."id"))
      and (not exists (select from report_category_tenant x where x."companyId" = c."companyId" and x."reportCategoryId" = c."id")
        or exists (select from report_category_tenant x join user_tenant m on m."companyId" = x."companyId" and m."userId" = ${userId}::uuid
          join tenant a on a."companyId" = m."companyId" and a."id" = m."tenantId" join tenant b on b."companyId" = x."companyId" and b."id" = x."tenantId"
          where x."companyId" = c."companyId" and x."reportCategoryId" = c."id" and (a."id" = any(b."path") or b."id" = any(a."path"))))`
  return ctx.sql.query<SeenCategory & Record<string, unknown>>(sql`
    with recursive seen as (
      select c."id", c."name", c."parentCategoryId", c."reports" from report_category c
      where c."companyId" = ${ctx.company.id}::uuid and c."deletedAt" is null and c."parentCategoryId" is null and ${mine}
      union all
      select c."id", c."name", c."parentCategoryId", c."reports" from report_category c join seen p on p."id" = c."parentCategoryId"
      where c."companyId" = ${ctx.company.id}::uuid and c."deletedAt" is null and ${mine})
    select "id" as "Id", "name", "parentCategoryId", "reports" from seen order by lower("name"), "id"`)
}

/** Rows as a tree by their parents. */
function nested(rows: readonly SeenCategory[]): CategoryNode[] {
  const within = Map.groupBy(rows, ({ parentCategoryId }) => parentCategoryId)
  const below = (id: string | null): CategoryNode[] => (within.get(id) ?? []).map((row) => ({ ...row, children: below(row.Id) }))
  return below(null)
}
