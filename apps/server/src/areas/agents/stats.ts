import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { userInReach } from '../../kernel/session/reach.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { isInTeam } from '../teams/index.ts'
import { requireAgent } from './tracking.ts'

/** What consoles send in the place of an id when there is no user. */
const absent = new Set(['', 'undefined', 'null', '00000000-0000-0000-0000-000000000000'])
export const userInput = z.strictObject({
  userId: z
    .string()
    .trim()
    .transform((value) => (absent.has(value) ? undefined : value))
    .pipe(idSchema.optional()),
})
type UserInput = z.infer<typeof userInput>

/** Roles of the field: who is counted as an agent. */
export const agentRoles = ['officer', 'credit', 'leader', 'sales'] as const

/** Activities that are still to be done: how many have the agent among theirs, and how many in reach have nobody. */
export async function agentStats(ctx: Ctx, { userId }: UserInput): Promise<Answer> {
  return { data: { stats: userId === undefined ? noActivities : await activityCounts(ctx, userId) } }
}

/** Agents who work where the user works or below: how many belong to a team, and how many do not. */
export async function teamStats(ctx: Ctx, { userId }: UserInput): Promise<Answer> {
  return { data: { stats: userId === undefined ? noAgents : await agentCounts(ctx, userId) } }
}

/** Both, in one answer. */
export async function allStats(ctx: Ctx, { userId }: UserInput): Promise<Answer> {
  if (userId === undefined) return { data: { stats: { ...noActivities, ...noAgents } } }
  const [activities, agents] = await Promise.all([activityCounts(ctx, userId), agentCounts(ctx, userId)])
  return { data: { stats: { ...activities, ...agents } } }
}

const noActivities = { assignedActivities: 0, unassignedActivities: 0 }
const noAgents = { assignedAgents: 0, unassignedAgents: 0 }

async function activityCounts(ctx: Ctx, userId: string): Promise<typeof noActivities> {
  await requireAgent(ctx, userId)
  return ctx.sql.one(sql`
    select count(*) filter (where m."userId" is not null)::int as "assignedActivities",
      count(*) filter (where not exists (select from activity_assignment x where x."companyId" = a."companyId" and x."activityId" = a."id"))::int as "unassignedActivities"
    from activity a left join activity_status s on s."companyId" = a."companyId" and s."id" = a."statusId"
      left join activity_assignment m on m."companyId" = a."companyId" and m."activityId" = a."id" and m."userId" = ${userId}::uuid
    where a."companyId" = ${ctx.company.id}::uuid and a."deletedAt" is null and coalesce(s."meaning", 'open') in ('open', 'started')
      and a."startDate" > now() - interval '60 days'`)
}

async function agentCounts(ctx: Ctx, userId: string): Promise<typeof noAgents> {
  await requireAgent(ctx, userId)
  return ctx.sql.one(sql`
    select count(*) filter (where "hasTeam")::int as "assignedAgents", count(*) filter (where not "hasTeam")::int as "unassignedAgents"
    from (
      select ${isInTeam('u')} as "hasTeam"
      from app_user u where ${agentsInReach(ctx)}
        and exists (select from user_tenant m join tenant b on b."companyId" = m."companyId" and b."id" = m."tenantId"
          where m."companyId" = u."companyId" and m."userId" = u."id"
            and b."path" && array(select o."tenantId" from user_tenant o where o."companyId" = u."companyId" and o."userId" = ${userId}::uuid))
    ) people`)
}

/** Where-clause over app_user u: active people of the field in the caller's reach. */
export function agentsInReach(ctx: Ctx): Statement {
  return sql`u."companyId" = ${ctx.company.id}::uuid and u."deletedAt" is null and u."status" = 1 and ${userInReach(ctx, 'u')}
    and exists (select from user_role ur join role r on r."companyId" = ur."companyId" and r."id" = ur."roleId"
      where ur."companyId" = u."companyId" and ur."userId" = u."id" and r."systemRole" = any(${[...agentRoles]}::text[]))`
}
