import { sql } from '@outpost/platform/db/sql'
import { userInReach } from '../../kernel/session/reach.ts'
import type { Ctx } from '../../kernel/types.ts'

/** More would be no team that one looks at name by name. */
const most = 100

/** The active people who share a team with the caller, or are in one that the caller leads (isInTeam); without the caller. */
export async function teammatesOf(ctx: Ctx): Promise<string[]> {
  const { company, user } = ctx
  const rows = await ctx.sql.query<{ id: string }>(sql`
    select u."id" from app_user u where u."companyId" = ${company.id}::uuid and u."status" = 1 and u."deletedAt" is null and u."id" <> ${user.id}::uuid and ${userInReach(ctx, 'u')}
      and (exists (select from user_tenant m join tenant b on b."companyId" = m."companyId" and b."id" = m."tenantId" and b."type" = 4 and b."deletedAt" is null
          join user_tenant o on o."companyId" = m."companyId" and o."tenantId" = m."tenantId" and o."userId" = ${user.id}::uuid
          where m."companyId" = u."companyId" and m."userId" = u."id")
        or exists (select from team_member s join team g on g."companyId" = s."companyId" and g."id" = s."teamId" and g."deletedAt" is null
          where s."companyId" = u."companyId" and s."userId" = u."id" and s."toDate" is null and (g."leaderUserId" = ${user.id}::uuid
            or exists (select from team_member o where o."companyId" = g."companyId" and o."teamId" = g."id" and o."userId" = ${user.id}::uuid and o."toDate" is null))))
    order by u."id" limit ${most}`)
  return rows.map(({ id }) => id)
}
