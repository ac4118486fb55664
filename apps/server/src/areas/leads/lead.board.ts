import { sql } from '@outpost/platform/db/sql'
import { leadStatusNames } from '@outpost/rules/leads/lead-status'
import { fieldSql } from '../../kernel/resource/read/columns.ts'
import { groupRecords } from '../../kernel/resource/read/list.ts'
import type { ListInput } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { lead } from './lead.resource.ts'

interface Column {
  value: string
  count: number
  sum: number
  affordable: number
  stale: number
}

/**
 * Leads a status under the same search, filters and dates as the list: how many, the sum of their instalments and of
 * what they can afford a month (company currency), and how many are stale. Empty statuses count 0.
 */
export async function boardSummary(ctx: Ctx, input: ListInput): Promise<Answer> {
  const rows = await groupRecords<Column>(ctx, lead, input, {
    by: 'status',
    figures: sql`count(*)::int as count, coalesce(sum(t."installmentAmount"), 0)::float8 as sum, coalesce(sum(t."totalAffordability"), 0)::float8 as affordable,
      count(*) filter (where ${fieldSql(lead, 'pace')} is not null)::int as stale`,
  })
  const summary = leadStatusNames.map(
    (value) => rows.find((row) => row.value === value) ?? { value, count: 0, sum: 0, affordable: 0, stale: 0 },
  )
  return { data: { summary } }
}
