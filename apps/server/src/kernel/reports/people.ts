import { empty, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../types.ts'
import { nameOf } from '../names.ts'

/** Users of the company who work in a tenant of the caller's reach, with the names of their roles; `roles`: those alone who have one of these system roles. */
export function peopleInReach({ company, scope }: Ctx, { roles }: { roles?: readonly string[] } = {}): Statement {
  const inReach =
    scope === '*'
      ? empty
      : sql`
    and exists (select from user_tenant ut where ut."companyId" = u."companyId" and ut."userId" = u."id" and ut."tenantId" = any(${scope}::uuid[]))`
  const whoHas = roles
    ? sql`
    and exists (select from user_role ur join role r on r."companyId" = ur."companyId" and r."id" = ur."roleId"
      where ur."companyId" = u."companyId" and ur."userId" = u."id" and r."systemRole" = any(${roles}::text[]))`
    : empty
  return sql`
    select u."id", u."userName", ${nameOf('u')} as "name", u."emailAddress", u."lastSeenAt",
      u."status" = 1 and u."deletedAt" is null as "isActive", t."name" as "tenant",
      (select string_agg(r."name", ', ' order by r."name") from user_role ur join role r on r."companyId" = ur."companyId" and r."id" = ur."roleId"
        where ur."companyId" = u."companyId" and ur."userId" = u."id") as "roles"
    from app_user u left join tenant t on t."companyId" = u."companyId" and t."id" = u."tenantId"
    where u."companyId" = ${company.id}::uuid ${inReach} ${whoHas}`
}
