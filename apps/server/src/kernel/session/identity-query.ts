import { named, sql } from '@outpost/platform/db/sql'
import type { Preferences } from '@outpost/contract/preferences'
import type { Statement } from '@outpost/platform/types'
import type { AddressRule } from './addresses.ts'

export interface IdentityKey {
  /** The user's home company (or group). */
  companyId: string
  userId: string
  /** Null for work without a session: jobs. */
  sessionId: string | null
  /** The tenant asked for; null takes the selected one, else the first. */
  tenantId: string | null
}

/** A time as it comes: a Date from a row, text from JSON that Postgres built. */
export type Moment = string | Date

export interface PersonRow {
  id: string
  companyId: string
  firstName: string
  lastName: string
  userName: string
  emailAddress: string
  status: number
  isProgram: boolean
  deletedAt: string | null
  tours: Record<string, unknown>
  preferences: Preferences
  pictureId: string | null
  selectedTenantId: string | null
}
export interface TenantRow {
  id: string
  companyId: string
  groupId: string | null
  parentId: string | null
  name: string
  shortCode: string
  type: number
  path: string[]
  isLocationRequired: boolean
  country: string | null
  currency: string | null
  timeZone: string | null
}
export interface SessionRow {
  id: string
  companyId: string
  userId: string
  version: number
  policy: string
  idleSeconds: number | null
  reason: string | null
  deviceId: string | null
  parentId: string | null
  actorUserId: string | null
  actorCompanyId: string | null
  dateCreated: Moment
  lastSeenAt: Moment
  expiresAt: Moment
  endedAt: Moment | null
  endReason: string | null
  /** The program that opened it, when one did. */
  oauthClientId: string | null
}
/** All that decides who a caller is and what is in reach, in one row. */
export interface IdentityRow {
  person: PersonRow | null
  session: SessionRow | null
  /** What the program that opened the session may; null when none did, or when it may nothing any more. */
  client: { scopes: string[] } | null
  /** Only under impersonation: the administrator, and whether that administrator's session and right are still valid. */
  actor: PersonRow | null
  actorStands: boolean | null
  roles: { name: string; systemRole: string | null }[]
  /** Somebody else knows the password: another one must be chosen before anything else. */
  mustChange: boolean | null
  permissions: string[]
  rolePermissions: string[]
  /** The user's tenants, first one first. */
  assigned: TenantRow[]
  /** The tenant that was asked for, when it is in reach. */
  chosen: TenantRow | null
  /** The tenant worked in: the chosen one, or a chosen group's first company. */
  work: TenantRow | null
  company: Pick<TenantRow, 'id' | 'name' | 'country' | 'currency' | 'timeZone'> | null
  /** The first day of the company's week, where it or its group chose one. */
  firstDay: string | null
  /** Null = the whole company. */
  reach: string[] | null
  /** Entries of the lists of addresses that are about the person, of the home company and of the one worked in. */
  addressRules: AddressRule[]
}

/**
 * One statement for the whole identity. Reach: the user's tenants and everything below them, inside the home
 * company, or inside the companies of the group when the home is a group. Anything else does not exist here.
 */
export function identityStatement(key: IdentityKey, now: Date): Statement {
  const { companyId, userId, sessionId } = key
  return named(
    'session.identity',
    sql`
with person as (select * from app_user where "companyId" = ${companyId}::uuid and "id" = ${userId}::uuid),
session_row as (select * from session where "companyId" = ${companyId}::uuid and "id" = ${sessionId}::uuid and "userId" = ${userId}::uuid),
${placeOf(key)}
actor as (
  select a.* from session_row s join app_user a on a."companyId" = s."actorCompanyId" and a."id" = s."actorUserId"
)
select to_json(p) as person, (select to_json(s) from session_row s) as session, (select to_json(a) from actor a) as actor,
  (select json_build_object('scopes', o."scopes") from session_row s join oauth_client o on o."id" = s."oauthClientId"
    where not o."isDisabled" and o."deletedAt" is null) as client,
  ${actorStands(now)} as "actorStands",
  (select c."mustChange" from credential c where c."companyId" = p."companyId" and c."userId" = p."id") as "mustChange",
  ${rightsOfPerson},
  coalesce((select json_agg(to_json(a) order by a."position", a."id") from assigned a), '[]') as assigned,
  (select to_json(c) from chosen c) as chosen,
  (select to_json(w) from work w) as work,
  (select to_json(t) from tenant t join work w on t."companyId" = w."companyId" and t."id" = w."companyId") as company,
  (select s."value" #>> '{}' from work w join tenant t on t."companyId" = w."companyId" and t."id" = w."companyId"
    join setting s on s."tenantId" in (t."id", t."groupId") and s."name" = 'firstDayOfWeek' order by s."tenantId" = t."id" desc limit 1) as "firstDay",
  (select case when w."type" > 2 then array_to_json(array(
     select t."id" from tenant t where t."companyId" = w."companyId" and t."path" @> array[w."id"] and t."deletedAt" is null)) end
   from work w) as reach,
  coalesce((select json_agg(json_build_object('appliesTo', i."appliesTo", 'range', i."range")) from (
    -- Who was let in by the group is on a list of their own meanwhile.
    select "companyId", 'user' as "appliesTo", "userId", null::uuid as "roleId", "ip" as "range", null::timestamptz as "deletedAt" from break_glass where "allowedUntil" > ${now}
    union all select "companyId", "appliesTo", "userId", "roleId", "range", "deletedAt" from ip_rule) i
    where i."companyId" in (p."companyId", (select w."companyId" from work w)) and i."deletedAt" is null
      and (i."appliesTo" = 'company' or i."userId" = p."id" or i."roleId" in (
        select ur."roleId" from user_role ur where ur."companyId" = p."companyId" and ur."userId" = p."id"))), '[]') as "addressRules"
from person p`,
  )
}

/** Of a tenant t: the setting that the nearest one above, or the group, has. */
const isLocationRequired = sql`ctx.location_is_required(t."companyId", t."path") as "isLocationRequired"`

/** From the user's tenants to the one worked in: assigned, chosen, work. */
function placeOf({ companyId, userId, tenantId }: IdentityKey): Statement {
  return sql`
homes as (select array(select "id" from tenant where "groupId" = ${companyId}::uuid) || ${companyId}::uuid as ids),
assigned as (
  select t.*, u."position", ${isLocationRequired} from user_tenant u cross join homes h
  join tenant t on t."companyId" = any(h.ids) and t."id" = u."tenantId"
  where u."companyId" = ${companyId}::uuid and u."userId" = ${userId}::uuid and t."status" = 1 and t."deletedAt" is null
),
reach as (select array_agg("id") as ids, coalesce(bool_or("type" = 1), false) as "isWholeGroup" from assigned),
wanted as (select coalesce(${tenantId}::uuid, (select "selectedTenantId" from person)) as id),
chosen as (
  select t.*, ${isLocationRequired} from tenant t, homes h, reach r, wanted w
  where t."companyId" = any(h.ids) and t."status" = 1 and t."deletedAt" is null
    and (r."isWholeGroup" or t."path" && r.ids)
    and (t."id" = w.id or (${tenantId}::uuid is null and t."id" = (select a."id" from assigned a order by a."position", a."id" limit 1)))
  order by (t."id" = w.id) is true desc limit 1
),
work as (
  select * from chosen where "type" > 1
  union all
  (select t.*, ${isLocationRequired} from tenant t, chosen c where c."type" = 1 and t."groupId" = c."id" and t."type" = 2 and t."status" = 1
   and t."deletedAt" is null order by t."name", t."id" limit 1)
),`
}

/** True while the administrator behind an impersonation has session, account and right to it. */
function actorStands(now: Date): Statement {
  return sql`
  (select a."status" = 1 and a."deletedAt" is null and parent."endedAt" is null and parent."expiresAt" > ${now}
     and exists (
       select from user_permission up where up."companyId" = a."companyId" and up."userId" = a."id" and upper(up."hierarchy") = 'ADMIN/USERS/IMPERSONATE'
       union all
       select from user_role ur join role r on r."companyId" = ur."companyId" and r."id" = ur."roleId" and r."deletedAt" is null
       left join role_permission rp on rp."companyId" = r."companyId" and rp."roleId" = r."id" and upper(rp."hierarchy") = 'ADMIN/USERS/IMPERSONATE'
       where ur."companyId" = a."companyId" and ur."userId" = a."id"
         and (rp."roleId" is not null or r."systemRole" = 'global' or lower(trim(r."name")) = 'global administrator'))
   from actor a, session_row s join session parent on parent."companyId" = s."actorCompanyId" and parent."id" = s."parentId")`
}

const rightsOfPerson = sql`
  coalesce((select json_agg(json_build_object('name', r."name", 'systemRole', r."systemRole") order by r."name")
    from user_role ur join role r on r."companyId" = ur."companyId" and r."id" = ur."roleId" and r."deletedAt" is null
    where ur."companyId" = p."companyId" and ur."userId" = p."id"), '[]') as roles,
  coalesce((select json_agg(distinct upper("hierarchy")) from user_permission where "companyId" = p."companyId" and "userId" = p."id"), '[]') as permissions,
  coalesce((select json_agg(distinct upper(rp."hierarchy"))
    from user_role ur join role r on r."companyId" = ur."companyId" and r."id" = ur."roleId" and r."deletedAt" is null
    join role_permission rp on rp."companyId" = r."companyId" and rp."roleId" = r."id"
    where ur."companyId" = p."companyId" and ur."userId" = p."id"), '[]') as "rolePermissions"`
