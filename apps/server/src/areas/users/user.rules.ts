import { fail, failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { readPhone } from '../../kernel/phone.ts'
import { isAdministrator, type RoleFacts } from '../../kernel/session/policy.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { isCallerAdministrator, readPermissions, refuseWider, refuseWiderRoles } from '../roles/index.ts'

type UserRow = ModelRow<'user'> & { roles?: string[]; tenants?: string[]; permissions?: string[] }

/** Last look at a user: roles and tenants that the caller may give, names in one form, and a changed address has to be confirmed anew. */
export async function prepareUser(ctx: Ctx, { kind, input, before, id }: PrepareWrite<UserRow>): Promise<Partial<UserRow>> {
  if (kind === 'remove') return { status: 0 }
  const permissions = input.permissions && readPermissions(input.permissions)
  if (permissions) refuseRights(ctx, id, { before: before?.permissions ?? [], after: permissions })
  await refuseWiderRoles(
    ctx,
    (input.roles ?? []).filter((id) => !before?.roles?.includes(id)),
  )
  if (input.tenants) await refuseForeignTenants(ctx, before?.tenants ?? [], input.tenants)
  if (input.mobile) readPhone(ctx, 'mobile', input.mobile)
  const userName = input.userName?.toLowerCase()
  if (userName !== undefined && !/^[a-z0-9][a-z0-9._-]*$/.test(userName)) {
    failField('userName', 'may hold letters, digits, dots, hyphens and underscores only')
  }
  const isNewAddress = kind === 'update' && input.emailAddress !== undefined && input.emailAddress !== before?.emailAddress
  return {
    ...(userName === undefined ? {} : { userName }),
    ...(isNewAddress ? { emailVerifiedAt: null } : {}),
    ...(permissions ? { permissions } : {}),
  }
}

/** Nobody gives rights that he does not hold, or changes his own: what a role lends for a time must not be kept for good. */
function refuseRights(ctx: Ctx, userId: string, { before, after }: { before: readonly string[]; after: readonly string[] }): void {
  const added = after.filter((hierarchy) => !before.includes(hierarchy))
  const isChanged = added.length > 0 || before.some((hierarchy) => !after.includes(hierarchy.toUpperCase()))
  if (isChanged && [ctx.user.id, ctx.realUser.id].includes(userId))
    fail('FORBIDDEN', {
      message: 'Nobody changes their own rights.',
      fields: [{ field: 'permissions', message: 'are given and taken by somebody else' }],
    })
  refuseWider(ctx, added)
}

/** What a user holds at present; decides who may change that user. */
export interface HeldRights {
  id: string
  roles: (RoleFacts & { id: string })[]
  permissions: string[]
  tenantIds: string[]
}

/** Standings of users of the company, deactivated ones too; those that do not exist are left out. */
export function heldRightsOf(ctx: Ctx, userIds: readonly string[]): Promise<HeldRights[]> {
  return ctx.sql.query<HeldRights>(sql`
    select u."id",
      coalesce((select json_agg(json_build_object('id', r."id", 'name', r."name", 'systemRole', r."systemRole") order by r."id")
        from user_role m join role r on r."companyId" = m."companyId" and r."id" = m."roleId" and r."deletedAt" is null
        where m."companyId" = u."companyId" and m."userId" = u."id"), '[]') as roles,
      array(select upper(p."hierarchy") from user_role m join role_permission p on p."companyId" = m."companyId" and p."roleId" = m."roleId"
        where m."companyId" = u."companyId" and m."userId" = u."id"
        union select upper(p."hierarchy") from user_permission p where p."companyId" = u."companyId" and p."userId" = u."id") as permissions,
      array(select m."tenantId"::text from user_tenant m where m."companyId" = u."companyId" and m."userId" = u."id" order by m."position", m."tenantId") as "tenantIds"
    from app_user u where u."companyId" = ${ctx.company.id}::uuid and u."id" = any(${userIds}::uuid[])`)
}

/**
 * Nobody changes a user who may more, or works in more places, than he: through that user's password or address he
 * would get there himself. Stops with FORBIDDEN.
 */
export function refuseHigher(ctx: Ctx, standings: readonly HeldRights[]): void {
  if (ctx.isGlobalAdministrator) return
  for (const { id, roles, permissions, tenantIds } of standings) {
    if (id === ctx.user.id) continue
    if (isAdministrator(roles) && !isCallerAdministrator(ctx))
      fail('FORBIDDEN', { message: 'Only an administrator may change an administrator.' })
    if (permissions.some((hierarchy) => !ctx.permissions.has(hierarchy)))
      fail('FORBIDDEN', { message: 'This user has rights that you do not have.' })
    if (ctx.scope !== '*' && tenantIds.some((tenantId) => !ctx.scope.includes(tenantId)))
      fail('FORBIDDEN', { message: 'This user also works outside your reach.' })
  }
}

const administrators = (ctx: Ctx) => sql`
  u."companyId" = ${ctx.company.id}::uuid and u."status" = 1 and u."deletedAt" is null and exists (
    select 1 from user_role m join role r on r."companyId" = m."companyId" and r."id" = m."roleId" and r."deletedAt" is null
    where m."companyId" = u."companyId" and m."userId" = u."id" and r."systemRole" in ('admin', 'company-admin'))`

/**
 * Runs a change to users, one of whom may be an administrator; stops with CONFLICT when it left the company without
 * any. All administrators are locked first, so that two of them cannot remove each other at the same time.
 */
export async function withAnAdministratorLeft<Result>(
  ctx: Ctx,
  standings: readonly HeldRights[],
  change: () => Promise<Result>,
): Promise<Result> {
  if (!standings.some(({ roles }) => isAdministrator(roles))) return change()
  await ctx.sql.exec(sql`select 1 from app_user u where ${administrators(ctx)} order by u."id" for update`)
  const result = await change()
  const left = await ctx.sql.maybe(sql`select 1 as one from app_user u where ${administrators(ctx)} limit 1`)
  if (!left) fail('CONFLICT', { message: 'The last administrator of the company stays.' })
  return result
}

/** Tenants that a user gains or loses must be tenants of the caller's reach. */
export async function refuseForeignTenants(ctx: Ctx, before: readonly string[], after: readonly string[]): Promise<void> {
  const changed = [...after.filter((id) => !before.includes(id)), ...before.filter((id) => !after.includes(id))]
  const isReached = ctx.scope === '*' || changed.every((id) => ctx.scope.includes(id))
  const { known } = await ctx.sql.one<{ known: number }>(sql`
    select count(*)::int as known from tenant where "companyId" = ${ctx.company.id}::uuid and "id" = any(${after}::uuid[]) and "deletedAt" is null and "status" = 1`)
  if (!isReached || known < after.length) failField('tenants', 'names a tenant that is not in your reach')
}
