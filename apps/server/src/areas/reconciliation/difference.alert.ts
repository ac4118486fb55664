import { sql } from '@outpost/platform/db/sql'
import { notify } from '../../kernel/realtime/notify.ts'
import { listAddress } from '../../kernel/screens/tiles.ts'
import type { Ctx } from '../../kernel/types.ts'
import { booksNews } from './difference.news.ts'
import type { Found } from './found.ts'
import { moneyDifference } from './difference.resource.ts'

interface Watcher {
  userId: string
  tenantIds: string[]
}

/** Where the differences are listed that have these values. */
export const differencesWhere = (ctx: Ctx, values: Readonly<Record<string, string>>): string =>
  listAddress(
    ctx,
    moneyDifference,
    '/loans/differences',
    Object.entries(values).map(([field, value]) => ({ field, op: 'eq', value })),
  )

/** Tells everybody who may see them of differences that are new: one notification a person, about those in their reach, which names the first loan and opens them all. */
export async function notifyOfDifferences(ctx: Ctx, fresh: readonly Found[], at: string): Promise<void> {
  if (fresh.length === 0) return
  ctx.log.warn({ differences: fresh.length, first: fresh[0]?.what }, 'the books do not agree')
  for (const { userId, tenantIds } of await decidersOnMoney(ctx, [...new Set(fresh.map(({ tenantId }) => tenantId))])) {
    const reach = new Set(tenantIds)
    const theirs = fresh.filter(({ tenantId }) => reach.has(tenantId))
    if (theirs.length === 0) continue
    await notify(ctx, {
      userId,
      itemType: 'Message',
      kind: booksNews,
      message: await messageOf(ctx, theirs),
      link: differencesWhere(ctx, { foundAt: at }),
    })
  }
}

/** Active people who decide on money, and see differences, and which of the tenants lie in their reach. */
export const decidersOnMoney = (ctx: Ctx, tenantIds: readonly string[]) =>
  ctx.sql.query<Watcher & Record<string, unknown>>(sql`
    select u."id" as "userId", array_agg(distinct t."id"::text) as "tenantIds" from app_user u
      join user_tenant m on m."companyId" = u."companyId" and m."userId" = u."id"
      join tenant t on t."companyId" = m."companyId" and t."id" = any(${[...tenantIds]}::uuid[]) and m."tenantId" = any(t."path")
    where u."companyId" = ${ctx.company.id}::uuid and u."status" = 1 and u."deletedAt" is null and not u."isProgram" and (
      exists (select from user_permission p where p."companyId" = u."companyId" and p."userId" = u."id" and upper(p."hierarchy") = 'LOAN/DISBURSEMENTS')
      or exists (select from user_role ur join role_permission p on p."companyId" = ur."companyId" and p."roleId" = ur."roleId" and upper(p."hierarchy") = 'LOAN/DISBURSEMENTS'
        where ur."companyId" = u."companyId" and ur."userId" = u."id"))
    group by 1 order by 1 limit 200`)

async function messageOf(ctx: Ctx, differences: readonly Found[]): Promise<string> {
  const [first] = differences
  const where = first?.loanId ? await loanNumber(ctx, first.loanId) : (first?.reference ?? '')
  const count = differences.length === 1 ? 'The books do not agree' : `The books do not agree in ${differences.length} places`
  return `${count}: ${first?.what ?? ''}${where === '' ? '' : ` (${where})`}, ${first?.stated ?? 'nothing'} and ${first?.booked ?? 'nothing'}`
}

async function loanNumber(ctx: Ctx, id: string): Promise<string> {
  const row = await ctx.sql.maybe<{ number: number }>(
    sql`select "number" from loan where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`,
  )
  return row ? `L-${String(row.number).padStart(6, '0')}` : ''
}
