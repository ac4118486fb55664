import { sql } from '@outpost/platform/db/sql'
import { nameOf } from '../../kernel/names.ts'
import type { AddressRule } from '../../kernel/session/addresses.ts'
import { session } from '../../kernel/session/services.ts'
import type { Ctx } from '../../kernel/types.ts'

export interface Rule extends AddressRule {
  roleId: string | null
  userId: string | null
}
export interface Entry extends Rule {
  id: string
}

/** Somebody who works in the company, with an address that they use. */
export interface Worker {
  Id: string
  name: string
  ip: string
  roleIds: string[]
  /** Of the group: its own lists hold for them too. */
  isOfGroup: boolean
}

/** The longest that a session of the field lasts: who has not been there since has none. */
export const days = 60

/** The company's entries. */
export const rulesOf = (ctx: Ctx): Promise<Entry[]> =>
  ctx.sql.query<Entry & Record<string, unknown>>(
    sql`select "id", "range", "appliesTo", "roleId", "userId" from ip_rule where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null`,
  )

/** Those of its group, which lie behind the company's wall. */
export const groupRulesOf = ({ company }: Ctx): Promise<Rule[]> =>
  session().store.sql.query<Rule & Record<string, unknown>>(sql`
    select i."range", i."appliesTo", i."roleId", i."userId" from ip_rule i join tenant c on c."companyId" = ${company.id}::uuid and c."id" = c."companyId"
    where i."companyId" = c."groupId" and i."deletedAt" is null`)

/** All who work in the company, an entry for each address of theirs, the newest first. */
export async function workersOf(ctx: Ctx): Promise<Worker[]> {
  return [...(await peopleOf(ctx)), ...(await programsOf(ctx))]
}

const roleIds = sql`array(select m."roleId"::text from user_role m where m."companyId" = u."companyId" and m."userId" = u."id")`

/**
 * People of the company, and those of its group who may work in it: from where open sessions were last used, and from where
 * each signed in last. A session taken over by an administrator tells where the administrator is, and does not count.
 */
const peopleOf = ({ company }: Ctx) =>
  session().store.sql.query<Worker & Record<string, unknown>>(sql`
    with here as (select "id", "groupId" from tenant where "companyId" = ${company.id}::uuid and "id" = ${company.id}::uuid)
    select u."id" as "Id", ${nameOf('u')} as name, seen."ip", u."companyId" <> here."id" as "isOfGroup", ${roleIds} as "roleIds"
    from here join app_user u on u."companyId" = here."id" or (u."companyId" = here."groupId" and exists (
        select from user_tenant m join tenant t on t."companyId" in (here."id", here."groupId") and t."id" = m."tenantId"
        where m."companyId" = u."companyId" and m."userId" = u."id" and (t."companyId" = here."id" or t."type" = 1)))
      cross join lateral (
        select coalesce(s."lastIp", s."ip") as "ip", s."lastSeenAt" as at from session s
          where s."companyId" = u."companyId" and s."userId" = u."id" and s."endedAt" is null and s."expiresAt" > now() and s."actorUserId" is null
            and s."lastSeenAt" > now() - make_interval(days => ${days})
        union all (select l."ip", l."dateCreated" from login_event l
          where l."companyId" = u."companyId" and l."userId" = u."id" and l."kind" = 'login' and l."dateCreated" > now() - make_interval(days => ${days})
          order by l."dateCreated" desc limit 1)) seen
    where u."status" = 1 and u."deletedAt" is null and seen."ip" is not null order by name, u."id", seen.at desc limit 50000`)

/** API users of the company, from where their keys were last used. */
const programsOf = ({ sql: db, company }: Ctx) =>
  db.query<Worker & Record<string, unknown>>(sql`
    select u."id" as "Id", ${nameOf('u')} as name, k."lastUsedIp" as "ip", false as "isOfGroup", ${roleIds} as "roleIds"
    from app_user u join api_key k on k."companyId" = u."companyId" and k."userId" = u."id" and k."lastUsedAt" > now() - make_interval(days => ${days})
    where u."companyId" = ${company.id}::uuid and u."status" = 1 and u."deletedAt" is null and k."lastUsedIp" is not null
    order by name, u."id", k."lastUsedAt" desc limit 20000`)
