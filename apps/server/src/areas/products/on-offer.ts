import { sql } from '@outpost/platform/db/sql'
import { companyDay } from '../../kernel/days.ts'
import type { Ctx } from '../../kernel/types.ts'

/** Ids of a product's versions in force today where the caller works, the one that new applications take first; none when it is not on offer. */
export async function versionOnOffer(ctx: Ctx, productId: string): Promise<string[]> {
  const today = companyDay(ctx)
  const rows = await ctx.sql.query<{ id: string }>(sql`
    select v."id" from product_version v join product p on p."companyId" = v."companyId" and p."id" = v."productId" and p."deletedAt" is null
    where v."companyId" = ${ctx.company.id}::uuid and v."productId" = ${productId}::uuid and v."state" = 'Published'
      and v."effectiveFrom" <= ${today}::date and (v."effectiveUntil" is null or v."effectiveUntil" >= ${today}::date)
      and ctx.offers_product(v."companyId", ${[...ctx.tenant.path]}::uuid[], v."productId")
    order by v."effectiveFrom" desc, v."number" desc`)
  return rows.map(({ id }) => id)
}
