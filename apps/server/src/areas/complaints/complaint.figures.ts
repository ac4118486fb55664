import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { addDays } from '@outpost/rules/time-zone'
import { z } from 'zod'
import { userName } from '../../kernel/names.ts'
import { periodOf } from '../../kernel/reports/period.ts'
import { daySchema } from '../../kernel/days.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { dashboard } from '../../kernel/screens/screen.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { complaint } from './complaint.resource.ts'

/** Days of the period looked at, the last one included; by default the last 30. */
export const figuresInput = z.strictObject({ startDate: daySchema.optional(), endDate: daySchema.optional() })

const row = { complaints: z.int(), usual: z.number(), trend: z.enum(['Spike', '']) }
const text = z.string()
export const figuresAnswer = z.strictObject({
  unsettled: z.int(),
  replyOverdue: z.int(),
  overdue: z.int(),
  nearOmbud: z.int(),
  received: z.int(),
  startDate: z.iso.date(),
  endDate: z.iso.date(),
  byBranch: z.array(z.strictObject({ branch: text, tenantId: z.string(), ...row })),
  byAgent: z.array(z.strictObject({ agent: text, accusedUserId: z.string(), ...row })),
  byProduct: z.array(z.strictObject({ product: text, ...row })),
  byCategory: z.array(z.strictObject({ category: text, ...row })),
})

const [usualDays, longestDays, formerPeriods, dayMs] = [30, 366, 3, 86_400_000]
/** Twice as many as usual, and three at least: fewer are chance. */
const spike = sql`count(*) filter (where is_new) >= 3 and count(*) filter (where is_new) >= 2.0 * count(*) filter (where not is_new) / ${formerPeriods}`

/**
 * Figures of the complaints that the caller sees: how many are unsettled and late, and where more came in within a period than
 * in the three as long before it (`usual`, an average): by branch, colleague, product and category.
 */
export async function complaintFigures(ctx: Ctx, input: z.infer<typeof figuresInput>): Promise<Answer> {
  const { startDate, endDate } = periodOf(ctx, input, { usual: usualDays - 1, longest: longestDays })
  const days = Math.round((Date.parse(endDate) - Date.parse(startDate)) / dayMs) + 1
  const first = addDays(startDate, -days * formerPeriods)
  const at = (day: string) => sql`(${day}::date::timestamp at time zone ${ctx.company.timeZone})`
  const by = (columns: Statement, where: Statement = sql`true`) => sql`(select coalesce(json_agg(x), '[]') from (
    select ${columns}, count(*) filter (where is_new)::int as complaints, round(count(*) filter (where not is_new)::numeric / ${formerPeriods}, 1)::float8 as usual,
      case when ${spike} then 'Spike' else '' end as "trend"
    from c where ${where} group by 1, 2 having count(*) filter (where is_new) > 0 order by 5 desc, 3 desc, 1 limit 100) x)`
  const count = (condition: Statement) => sql`(select count(*)::int from complaint t where ${visibleRows(ctx, complaint)} and ${condition})`
  const open = sql`t."resolvedAt" is null`
  const data = await ctx.sql.one<Record<string, unknown>>(sql`
    with c as (select b."id" as "branchId", b."name" as "branch", t."accusedUserId", t."product", t."category", t."receivedAt" >= ${at(startDate)} as is_new
      from complaint t left join lateral (${branchOf(ctx)}) b on true where ${visibleRows(ctx, complaint)} and t."receivedAt" >= ${at(first)} and t."receivedAt" < ${at(addDays(endDate, 1))})
    select ${count(open)} as unsettled, ${count(sql`t."firstResponseAt" is null and t."firstResponseDueAt" < now()`)} as "replyOverdue",
      ${count(sql`${open} and t."status" <> 'Waiting client' and t."resolutionDueAt" < now()`)} as overdue,
      ${count(sql`${open} and t."regulatorDueAt" < now() + interval '7 days'`)} as "nearOmbud",
      (select count(*)::int from c where is_new) as received,
      ${by(sql`c."branch", c."branchId" as "tenantId"`, sql`c."branchId" is not null`)} as "byBranch",
      ${by(sql`coalesce(${userName(sql`${ctx.company.id}::uuid`, sql`c."accusedUserId"`)}, 'Somebody') as agent, c."accusedUserId"`, sql`c."accusedUserId" is not null`)} as "byAgent",
      ${by(sql`c."product" as product, c."product" as again`, sql`c."product" is not null`)} as "byProduct",
      ${by(sql`c."category" as category, c."category" as again`)} as "byCategory"`)
  const plain = (rows: unknown) => (rows as Record<string, unknown>[]).map(({ again: _, ...one }) => one)
  return { data: { ...data, byProduct: plain(data['byProduct']), byCategory: plain(data['byCategory']), startDate, endDate } }
}

/** The topmost branch over a complaint's tenant: the filter by a branch holds what lies below it, too. */
const branchOf = ({ company }: Ctx) => sql`
  select o."id", o."name" from tenant n join tenant o on o."companyId" = n."companyId" and o."id" = any(n."path") and o."type" = 3
  where n."companyId" = ${company.id}::uuid and n."id" = t."tenantId" order by cardinality(o."path") limit 1`

const received = '/complaints/?dateType=received&from=:startDate&to=:endDate'
const where = (field: string, value: string | boolean) => `filter=${JSON.stringify([{ field, op: 'eq', value }])}`
const figures = 'complaints.figures'
const number = (id: string, title: string, open: string) => ({
  id,
  title,
  draw: 'number' as const,
  source: figures,
  value: id,
  open,
  span: 8 as const,
})
const table = (value: string, title: string, open: string) => ({
  id: value,
  title,
  draw: 'table' as const,
  source: figures,
  value,
  open,
  span: 12 as const,
})

/** Where complaints pile up. Each number opens the complaints that it counts. */
export const complaintDashboard = dashboard({
  title: 'Complaints dashboard',
  widgets: [
    number('received', 'Received', received),
    number('unsettled', 'Unsettled', `/complaints/?${where('isUnsettled', true)}`),
    number('overdue', 'Overdue', `/complaints/?${where('isOverdue', true)}`),
    number('replyOverdue', 'Reply overdue', `/complaints/?${where('isReplyOverdue', true)}`),
    number('nearOmbud', 'Ombud within a week', `/complaints/?${where('isNearOmbud', true)}`),
    table('byBranch', 'By branch', `${received}&${where('tenantId', ':tenantId')}`),
    table('byAgent', 'By colleague', `${received}&${where('accusedUserId', ':accusedUserId')}`),
    table('byProduct', 'By product', `${received}&${where('product', ':product')}`),
    table('byCategory', 'By category', `${received}&${where('category', ':category')}`),
  ],
})
