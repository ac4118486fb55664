import { sql } from '@outpost/platform/db/sql'
import { decimalsOf } from '@outpost/rules/currency'
import { Decimal } from '@outpost/rules/money'
import { wordingFor } from '../../kernel/settings/wording.ts'
import type { Ctx } from '../../kernel/types.ts'

/** Up to which amount the caller decides: the highest of their roles; null is no limit, as long as the company has set none. */
async function authorityOf(ctx: Ctx): Promise<Decimal | null> {
  const { isLimited, most } = await ctx.sql.one<{ isLimited: boolean; most: string | null }>(sql`
    select exists (select from approval_limit where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null) as "isLimited",
      (select max(l."amount")::text from approval_limit l join user_role r on r."companyId" = l."companyId" and r."roleId" = l."roleId"
        where l."companyId" = ${ctx.company.id}::uuid and l."deletedAt" is null and r."userId" = ${ctx.user.id}::uuid) as most`)
  return isLimited ? new Decimal(most ?? 0) : null
}

/** Why the caller may not decide to lend an amount, in words; null where they may. The limits hold whatever way a loan comes about. */
export async function overAuthority(ctx: Ctx, lent: string | number): Promise<string | null> {
  const most = await authorityOf(ctx)
  const amount = new Decimal(lent)
  if (most === null || amount.lte(most)) return null
  const { money } = await wordingFor(ctx.company)
  const words = (value: Decimal) => money(value.toFixed(decimalsOf(ctx.company.currency)))
  return most.isZero()
    ? 'Your roles have no limit of approval: somebody whose role has one decides.'
    : `${words(amount)} is above what your roles may approve, ${words(most)}. Somebody with a higher limit decides.`
}
