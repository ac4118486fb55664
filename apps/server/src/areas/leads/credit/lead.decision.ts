import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../../kernel/types.ts'
import { statusMoves } from '../lead.log.ts'
import { familyOf } from '../merging/lead.family.ts'

/** What decides on credit asks for this permission. */
export const creditPermission = 'LOAN/DISBURSEMENTS'

/**
 * Who made a lead ready for a decision, as a table of "userId" and part: captured it, holds it, sent it in, made its last
 * assessment, in person or in somebody's name. No decision on credit is made by one person alone.
 */
export const makersOf = (ctx: Ctx, leadId: string): Statement => sql`
  with family(id) as ${familyOf(ctx, leadId)}
  select unnest(array['captured', 'hold']) as part, unnest(array["createdByUserId", "assignedUserId"]) as "userId" from lead where "companyId" = ${ctx.company.id} and "id" = ${leadId}
  union all (select 'sent in', unnest(array["userId", "realUserId"]) from record_move m
    where ${statusMoves(ctx.company.id, 'm')} and "objectId" in (select id from family) and "to" = 'Submitted' order by "dateCreated" desc limit 2)
  union all (select 'assessed', unnest(array["createdByUserId", "realUserId"]) from affordability_run
    where "companyId" = ${ctx.company.id} and "leadId" in (select id from family) order by "dateCreated" desc limit 2)`

/** The same of a lead itself, as a list asks it of each row: whether the caller is one of them. */
export const ownWork = `coalesce(ctx.actor() in (t."createdByUserId", t."assignedUserId"), false)
  or exists (select from (select l."userId", l."realUserId" from record_move l where l."companyId" = t."companyId" and l."objectType" = 'lead' and l."objectId" = t."id" and l."field" = 'status' and l."to" = 'Submitted'
    order by l."dateCreated" desc limit 1) m where ctx.actor() in (m."userId", m."realUserId"))
  or exists (select from (select r."createdByUserId", r."realUserId" from affordability_run r where r."companyId" = t."companyId" and r."leadId" = t."id"
    order by r."dateCreated" desc limit 1) m where ctx.actor() in (m."createdByUserId", m."realUserId"))`

/** Days that an assessment holds in the caller's company. */
export async function assessmentDays({ sql: db, company }: Pick<Ctx, 'sql' | 'company'>): Promise<number> {
  const row = await db.maybe<{ days: number }>(
    sql`select coalesce("assessmentDays", 90)::int as days from tenant where "companyId" = ${company.id} and "id" = ${company.id}`,
  )
  return row?.days ?? 90
}

/** The living client that was made of a lead. */
export async function clientOf(ctx: Ctx, leadId: string): Promise<string | undefined> {
  const row = await ctx.sql.maybe<{ id: string }>(
    sql`select "id" from client where "companyId" = ${ctx.company.id} and "leadId" = ${leadId} and "deletedAt" is null limit 1`,
  )
  return row?.id
}
