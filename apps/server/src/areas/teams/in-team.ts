import { sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'

/**
 * The one notion of a person's team, as a condition over an alias of app_user: a team of the tenant tree (type 4) that they work in, or a
 * sales team that they are a present member of. With `teamId` that team alone.
 */
export function isInTeam(alias: string, teamId?: string): Statement {
  const u = trusted(alias)
  const wanted = (column: Statement) => (teamId === undefined ? sql`true` : sql`${column} = ${teamId}::uuid`)
  return sql`(exists (select from user_tenant m join tenant b on b."companyId" = m."companyId" and b."id" = m."tenantId" and b."type" = 4 and b."deletedAt" is null
      where m."companyId" = ${u}."companyId" and m."userId" = ${u}."id" and ${wanted(sql`b."id"`)})
    or exists (select from team_member s join team g on g."companyId" = s."companyId" and g."id" = s."teamId" and g."deletedAt" is null
      where s."companyId" = ${u}."companyId" and s."userId" = ${u}."id" and s."toDate" is null and ${wanted(sql`s."teamId"`)}))`
}
