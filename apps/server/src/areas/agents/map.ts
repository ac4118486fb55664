import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { identifierSchema } from '@outpost/contract/input'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { nameOf } from '../../kernel/names.ts'
import { happenedAt } from './action.time.ts'
import { atWork } from './consent/trackable.ts'
import { agentsInReach } from './stats.ts'

const isOnline = sql`coalesce(d."action" = 1 and d.at > now() - interval '24 hours', false)`
const newestMove = sql`lateral (select a."action", ${happenedAt('a')} as at from agent_action a
  where a."companyId" = u."companyId" and a."performedByUserId" = u."id" and a."action" <= 1 order by ${happenedAt('a')} desc, a."dateCreated" desc limit 1) d on true`

/** How many agents in reach have begun their day and not ended it: as many as the map shows at work. */
export async function countOnlineAgents(ctx: Ctx): Promise<number> {
  return (
    await ctx.sql.one<{ count: number }>(
      sql`select count(*)::int as count from app_user u left join ${newestMove} where ${agentsInReach(ctx)} and ${isOnline}`,
    )
  ).count
}

export const positionsAnswer = z.strictObject({
  agents: z.array(
    z.strictObject({
      Id: identifierSchema,
      name: z.string(),
      mobile: z.string().nullable(),
      tenant: z.string().nullable(),
      isOnline: z.boolean(),
      since: z.string().nullable(),
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
      accuracy: z.number().nullable(),
      battery: z.number().nullable(),
      source: z.string(),
      deviceTime: z.string().nullable(),
      flags: z.array(z.string()),
    }),
  ),
})

/**
 * Every agent in reach with the newest position at work of the last seven days, how it was known, and whether the day runs:
 * the manager's map. How old a position is, the reader sees from deviceTime.
 */
export async function agentPositions(ctx: Ctx): Promise<Answer> {
  const company = sql`${ctx.company.id}::uuid`
  const rows = await ctx.sql.text(sql`
    select coalesce(json_agg(r order by r."name"), '[]')::text from (
      select u."id" as "Id", ${nameOf('u')} as name, u."mobile", t."name" as tenant,
        ${isOnline} as "isOnline", d.at as "since",
        p."latitude", p."longitude", p."accuracy", p."battery", coalesce(p."source", 'none') as source, p."deviceTime", coalesce(p."flags", '{}') as flags
      from app_user u left join tenant t on t."companyId" = u."companyId" and t."id" = u."tenantId"
        left join ${newestMove}
        left join lateral (select * from user_position p where p."companyId" = ${company} and p."userId" = u."id"
          and p."deviceTime" > now() - interval '7 days' and p."deviceTime" < now() + interval '1 day' and ${atWork(sql`u."id"`, sql`now() - interval '7 days'`, sql`now() + interval '1 day'`)} order by p."deviceTime" desc limit 1) p on true
      where ${agentsInReach(ctx)}) r`)
  return { json: `{"success":true,"data":{"agents":${rows}}}` }
}
