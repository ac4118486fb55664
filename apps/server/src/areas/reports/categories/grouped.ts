import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { holdsAny } from '../../../kernel/session/permission.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import type { ReportDefinition } from '../../../kernel/reports/definition.ts'
import { seenCategories, type SeenCategory } from './seen.ts'

export const groupedAnswer = z.strictObject({
  reports: z.array(
    z.strictObject({
      Id: z.string(),
      name: z.string(),
      title: z.string(),
      description: z.string(),
      category: z.string().nullable(),
    }),
  ),
})

/** Between the names of a category and the one it lies in; the console makes headings of the parts. */
export const categorySeparator = ' › '

/** Whether the company has any category. */
export async function hasCategories(ctx: Ctx): Promise<boolean> {
  const found = await ctx.sql.maybe(
    sql`select 1 as one from report_category where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null limit 1`,
  )
  return found !== undefined
}

/**
 * The reports under their headings, once under each; behind them those that are in no category of the company. What is only in categories that the
 * caller does not see is left out here, as the company wants it; who manages categories sees them all.
 */
export async function groupedReports(reports: readonly ReportDefinition[], ctx: Ctx): Promise<Answer> {
  const isAll = ctx.isGlobalAdministrator || holdsAny(ctx, 'ADMIN/REPORTS')
  const [seen, all] = await Promise.all([seenCategories(ctx, ctx.user.id, { isAll }), seenCategories(ctx, ctx.user.id, { isAll: true })])
  const placed = new Set(all.flatMap((one) => one.reports))
  const wordsOf = ({ name, title, description }: ReportDefinition) => ({ name, title, description })
  const under = inOrder(seen).flatMap(({ Id, path, reports: names }) =>
    reports
      .filter(({ name }) => names.includes(name))
      .map((report) => ({ Id: `${Id}.${report.name}`, ...wordsOf(report), category: path })),
  )
  const others = reports.filter(({ name }) => !placed.has(name)).map((report) => ({ Id: report.name, ...wordsOf(report), category: null }))
  const rows = [...under, ...others]
  return { data: { reports: rows }, meta: { page: 1, size: rows.length, total: rows.length } }
}

/** Each category with its names from the top, those within it behind it. */
function inOrder(seen: readonly SeenCategory[]): { Id: string; path: string; reports: string[] }[] {
  const within = Map.groupBy(seen, ({ parentCategoryId }) => parentCategoryId)
  const below = (id: string | null, above: readonly string[]): { Id: string; path: string; reports: string[] }[] =>
    (within.get(id) ?? []).flatMap(({ Id, name, reports }) => [
      { Id, path: [...above, name].join(categorySeparator), reports },
      ...below(Id, [...above, name]),
    ])
  return below(null, [])
}
