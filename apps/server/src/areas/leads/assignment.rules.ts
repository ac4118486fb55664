import { enqueue } from '@outpost/platform/outbox'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../../kernel/types.ts'

/**
 * Asks for a new lead to be given away by the company's rules, if it has any. After the commit, by a job: whether the
 * lead came by form, wizard or a device's change log, it must be there first, and a slow rule keeps nobody waiting.
 */
export async function queueAssignment(ctx: Ctx, leadId: string): Promise<void> {
  const rule = await ctx.sql.maybe(sql`select from assignment_rule where "companyId" = ${ctx.company.id} and "isActive" limit 1`)
  if (rule) await enqueue(ctx.sql, { companyId: ctx.company.id, userId: null, type: 'leads.assignByRule', payload: { leadId } })
}
