import { identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { nameOf, userName } from '../../kernel/names.ts'
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

/** What is planned and was done with the lead, newest first. */
export async function leadActivities(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, lead, id)
  const activities = await ctx.sql.query(sql`
    select t."id" as "Id", t."name", t."status", t."startDate", t."endDate", t."location",
      (select y."name" from activity_type y where y."companyId" = t."companyId" and y."id" = t."activityTypeId") as type,
      (select string_agg(${nameOf('u')}, ', ') from activity_assignment a join app_user u on u."companyId" = a."companyId" and u."id" = a."userId"
        where a."companyId" = t."companyId" and a."activityId" = t."id") as agents
    from activity_lead x join activity t on t."companyId" = x."companyId" and t."id" = x."activityId"
    where x."companyId" = ${ctx.company.id} and x."leadId" = ${id} and t."deletedAt" is null order by t."startDate" desc limit 200`)
  return { data: { activities } }
}
