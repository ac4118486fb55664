import { identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { userName } from '../../kernel/names.ts'
import { statusMoves } from './lead.log.ts'
import { familyOf } from './merging/lead.family.ts'
import { lead } from './lead.resource.ts'

/** Name of the user in a column of alias t. */
const nameIn = (column: string): Statement => userName(sql`t."companyId"`, identifier('t', column))

/** Every change of a lead's status, newest first: who, really who, how long the status before held (days), where and why. */
export async function leadStatusLog(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, lead, id)
  const statusLog = await ctx.sql.query(sql`
    select t."id" as "Id", t."dateCreated", t."from" as "fromStatus", t."to" as "toStatus", t."reason", t."userId", ${nameIn('userId')} as who,
      case when t."realUserId" <> t."userId" then ${nameIn('realUserId')} end as "reallyWho",
      round(t."durationSeconds" / 86400.0, 1)::float8 as days,
      case when t."latitude" is null then null else concat(round(t."latitude", 5), ', ', round(t."longitude", 5)) end as place
    from record_move t where ${statusMoves(ctx.company.id, 't')} and t."objectId" in ${familyOf(ctx, id)} order by t."dateCreated" desc limit 500`)
  return { data: { statusLog } }
}

/** Who held the lead and when, newest first; with the rule that gave it to them and why. */
export async function leadAssignments(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, lead, id)
  const assignments = await ctx.sql.query(sql`
    select t."id" as "Id", t."dateCreated", t."endedAt", t."userId", ${nameIn('userId')} as agent, coalesce(${nameIn('assignedByUserId')}, 'Outpost') as who, t."explanation",
      (select r."name" from assignment_rule r where r."companyId" = t."companyId" and r."id" = t."ruleId") as rule
    from lead_assignment t where t."companyId" = ${ctx.company.id} and t."leadId" in ${familyOf(ctx, id)} order by t."dateCreated" desc limit 200`)
  return { data: { assignments } }
}
