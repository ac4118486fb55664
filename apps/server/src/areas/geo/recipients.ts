import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../../kernel/types.ts'
import type { Reaction, ReactionParameters } from './reaction.ts'

const most = 500

/**
 * People of the company that an action names: by id, by role (its id, name or system key), by team as it is now. Only
 * those who work where the device belongs, or above: the message says where a vehicle is.
 */
export async function recipientsOf(
  ctx: Ctx,
  { userIds = [], roles = [], teamIds = [] }: ReactionParameters,
  { tenantPath, device }: Pick<Reaction, 'tenantPath' | 'device'>,
): Promise<string[]> {
  const company = ctx.company.id
  const rows = await ctx.sql.query<{ id: string }>(sql`
    select u."id" from app_user u
    where u."companyId" = ${company}::uuid and u."status" = 1 and u."deletedAt" is null
      and exists (select from user_tenant t where t."companyId" = u."companyId" and t."userId" = u."id" and t."tenantId" = any(${tenantPath}::uuid[]))
      and (u."id" = any(${userIds}::uuid[])
        or exists (select from user_role ur join role r on r."companyId" = ur."companyId" and r."id" = ur."roleId" and r."deletedAt" is null
          where ur."companyId" = u."companyId" and ur."userId" = u."id" and (r."id"::text = any(${roles}) or r."name" = any(${roles}) or r."systemRole" = any(${roles})))
        or exists (select from team_member m join team g on g."companyId" = m."companyId" and g."id" = m."teamId" and g."deletedAt" is null
          where m."companyId" = u."companyId" and m."userId" = u."id" and m."teamId" = any(${teamIds}::uuid[]) and m."toDate" is null)
        or exists (select from team g where g."companyId" = u."companyId" and g."leaderUserId" = u."id" and g."id" = any(${teamIds}::uuid[]) and g."deletedAt" is null))
    order by u."id" limit ${most}`)
  if (rows.length === 0) return []
  // Who does not see the asset is not told what happened to it.
  const seeing = await ctx.sql.query<{ id: string }>(
    sql`select s.id from ctx.who_sees_device(${company}::uuid, ${device.id}::uuid, ${rows.map(({ id }) => id)}::uuid[]) s(id) order by 1`,
  )
  return seeing.map(({ id }) => id)
}
