import { fail } from '@outpost/contract/errors'
import { arrangeTenants } from '@outpost/rules/people/tenant-tree'
import { sql, trusted } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { reaches, userInReach } from '../../kernel/session/reach.ts'
import { session } from '../../kernel/session/services.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { hasPlace } from './tenant.resource.ts'
import { tenantCompanyNotFound } from './tenant.errors.ts'

export interface TreeTenant {
  Id: string
  parentId: string | null
  companyId: string
  name: string
  shortCode: string
  type: number
  tenant_type: number
  locationRequired: boolean
  location: string | null
  lat: number | null
  lng: number | null
}

export const underInput = z.strictObject({ tenantId: idSchema })

/** Everything the caller may select: own tenants and all below, through all companies for staff of a group. */
export async function descendantsOfUser(ctx: Ctx): Promise<Answer> {
  return tree(await reachable(ctx))
}

/** The tenant worked in and all below it. */
export async function descendantsOfTenant(ctx: Ctx): Promise<Answer> {
  return tree(await reachable(ctx, ctx.tenant.id))
}

/** A tenant in the caller's reach and all below it. */
export async function descendantsOf(ctx: Ctx, { tenantId }: z.infer<typeof underInput>): Promise<Answer> {
  const tenants = await reachable(ctx, tenantId)
  return tenants.length === 0 ? fail('NOT_FOUND') : tree(tenants)
}

/** How many tenants are below the one worked in, by type. */
export async function countBelow(ctx: Ctx): Promise<Answer> {
  const below = (await reachable(ctx, ctx.tenant.id)).filter(({ Id }) => Id !== ctx.tenant.id)
  const ofType = (type: number) => below.filter((one) => one.type === type).length
  return { data: { count: below.length, companies: ofType(2), branches: ofType(3), teams: ofType(4) } }
}

function tree(tenants: TreeTenant[]): Answer {
  return { data: { tenants, tenantsArranged: arrangeTenants(tenants) } }
}

/**
 * The tenants in reach of a person, whatever is selected at present. Read as fx_auth, for a group's companies lie
 * behind walls of their own; the condition is the one that x-tenant-id is checked by (session/identity-query.ts).
 */
async function reachable({ user }: Ctx, underId: string | null = null): Promise<TreeTenant[]> {
  return session().store.sql.query<TreeTenant>(sql`
    with homes as (select array(select "id" from tenant where "groupId" = ${user.companyId}::uuid) || ${user.companyId}::uuid as ids),
    assigned as (
      select t."id", t."type" from user_tenant m cross join homes h
      join tenant t on t."companyId" = any(h.ids) and t."id" = m."tenantId"
      where m."companyId" = ${user.companyId}::uuid and m."userId" = ${user.id}::uuid and t."status" = 1 and t."deletedAt" is null
    ),
    reach as (select array_agg("id") as ids, coalesce(bool_or("type" = 1), false) as "isWholeGroup" from assigned)
    select t."id" as "Id", coalesce(t."parentId", t."groupId") as "parentId", t."companyId", t."name", t."shortCode", t."type", t."type" as tenant_type,
      ctx.location_is_required(t."companyId", t."path") as "locationRequired", place."location", place."lat"::float8 as lat, place."lng"::float8 as lng
    from tenant t left join lateral ${placeAbove} place on true, homes h, reach r
    where t."companyId" = any(h.ids) and t."status" = 1 and t."deletedAt" is null and (r."isWholeGroup" or t."path" && r.ids)
      and (${underId}::uuid is null or t."path" @> array[${underId}::uuid] or t."groupId" = ${underId}::uuid)
    order by t."dateCreated" desc, t."name"`)
}

/** The place of a tenant t: its own, or, where that is blank, the nearest one above it that has one. */
const placeAbove = sql`(
  select a."location", a."lat", a."lng" from tenant a where a."companyId" = t."companyId" and a."id" = any(t."path") and ${trusted(hasPlace('a'))}
  order by cardinality(a."path") desc limit 1)`

const tenantColumns = sql`t."id" as "Id", t."parentId", t."name", t."shortCode", t."type", t."type" as tenant_type,
  ctx.location_is_required(t."companyId", t."path") as "locationRequired"`

/** The tenants a user works in, the first one first. */
export async function tenantsOfUser(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  if (id === ctx.user.id) return { data: { tenants: await ownTenants(ctx) } }
  const inReach = userInReach(ctx, 'u')
  const user = await ctx.sql.maybe(sql`
    select u."id" from app_user u where u."companyId" = ${ctx.company.id}::uuid and u."id" = ${id}::uuid and u."deletedAt" is null and ${inReach}`)
  if (!user) fail('NOT_FOUND')
  const tenants = await ctx.sql.query(sql`
    select ${tenantColumns} from user_tenant m join tenant t on t."companyId" = m."companyId" and t."id" = m."tenantId" and t."deletedAt" is null
    where m."companyId" = ${ctx.company.id}::uuid and m."userId" = ${id}::uuid order by m."position", t."id"`)
  return { data: { tenants } }
}

function ownTenants({ user }: Ctx): Promise<object[]> {
  return session().store.sql.query(sql`
    select ${tenantColumns} from user_tenant m
    join tenant t on t."id" = m."tenantId" and t."deletedAt" is null and (t."companyId" = m."companyId" or t."groupId" = m."companyId"
      or exists (select 1 from tenant c where c."id" = t."companyId" and c."companyId" = t."companyId" and c."groupId" = m."companyId"))
    where m."companyId" = ${user.companyId}::uuid and m."userId" = ${user.id}::uuid order by m."position", t."id"`)
}

interface CompanyRow {
  Id: string
  name: string
  shortCode: string
  type: number
  country: string | null
  currency: string | null
  timeZone: string | null
}

/** The company that a tenant in the caller's reach belongs to. */
export async function companyOf(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  return { data: { tenantCompany: await findCompany(ctx, id) } }
}

/** The currency that a tenant counts in: its own, else the company's. */
export async function currencyOf(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const { currency, country } = await findCompany(ctx, id)
  return {
    data: { tenantCurrency: { currency: currency?.trim() || ctx.company.currency, country: country?.trim() || ctx.company.country } },
  }
}

async function findCompany(ctx: Ctx, tenantId: string): Promise<CompanyRow> {
  const isReached = reaches(ctx, tenantId) || tenantId === ctx.company.id
  const row = isReached
    ? await ctx.sql.maybe<CompanyRow>(sql`
    select c."id" as "Id", c."name", c."shortCode", c."type", coalesce(t."country", c."country") as country,
      coalesce(t."currency", c."currency") as currency, coalesce(t."timeZone", c."timeZone") as "timeZone"
    from tenant t join tenant c on c."companyId" = t."companyId" and c."id" = t."companyId"
    where t."companyId" = ${ctx.company.id}::uuid and t."id" = ${tenantId}::uuid and t."deletedAt" is null`)
    : undefined
  return row ?? fail(tenantCompanyNotFound)
}
