import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { isCreditDecision, type LeadStatus } from '@outpost/rules/lead-status'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { Ctx } from '../../kernel/types.ts'
import { familyOf } from './lead.family.ts'

/** What decides on credit asks for this permission. */
export const creditPermission = 'LOAN/DISBURSEMENTS'

/** Stops with FORBIDDEN unless the caller may decide on the credit of this lead: by permission, and as somebody who did not make it ready. */
export async function refuseCreditDecision(ctx: Ctx, leadId: string, to: LeadStatus): Promise<void> {
  if (!isCreditDecision(to)) return
  if (!holdsAny(ctx, creditPermission)) fail('FORBIDDEN', { message: 'Credit decides on this. You do not have that permission.' })
  await refuseMaker(ctx, leadId)
}

/**
 * Stops with FORBIDDEN when the caller, or who really acts, captured the lead, holds it, sent it in or made its last
 * assessment: no decision on credit is made by one person alone.
 */
export async function refuseMaker(ctx: Ctx, leadId: string): Promise<void> {
  const callers = [ctx.user.id, ctx.realUser.id]
  const made = await ctx.sql.maybe<{ part: string }>(sql`
    with family(id) as ${familyOf(ctx, leadId)}, makers as (
      select unnest(array['captured', 'hold']) as part, unnest(array["createdByUserId", "assignedUserId"]) as "userId" from lead where "companyId" = ${ctx.company.id} and "id" = ${leadId}
      union all (select 'sent in', unnest(array["userId", "realUserId"]) from lead_status_log
        where "companyId" = ${ctx.company.id} and "leadId" in (select id from family) and "toStatus" = 'Submitted' order by "dateCreated" desc limit 2)
      union all (select 'assessed', unnest(array["createdByUserId", "realUserId"]) from affordability_run
        where "companyId" = ${ctx.company.id} and "leadId" in (select id from family) order by "dateCreated" desc limit 2))
    select part from makers where "userId" = any(${callers}::uuid[]) limit 1`)
  if (made) fail('FORBIDDEN', { message: `Another person has to decide: you ${made.part} this lead.` })
}

/** Days that an assessment holds in the caller's company. */
export async function assessmentDays({ sql: db, company }: Pick<Ctx, 'sql' | 'company'>): Promise<number> {
  const row = await db.maybe<{ days: number }>(sql`select coalesce("assessmentDays", 90)::int as days from tenant where "companyId" = ${company.id} and "id" = ${company.id}`)
  return row?.days ?? 90
}

/** The living client that was made of a lead. */
export async function clientOf(ctx: Ctx, leadId: string): Promise<string | undefined> {
  const row = await ctx.sql.maybe<{ id: string }>(sql`select "id" from client where "companyId" = ${ctx.company.id} and "leadId" = ${leadId} and "deletedAt" is null limit 1`)
  return row?.id
}
