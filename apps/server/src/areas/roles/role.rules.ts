import { fail } from '@outpost/contract/errors'
import { permissionHierarchies, type Permission } from '@outpost/contract/permissions'
import { systemRoleByName, isAdminType } from '@outpost/rules/people/roles'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { isAdministrator, type RoleFacts } from '../../kernel/session/policy.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'

type RoleRow = ModelRow<'role'> & { permissions?: string[] }
type Rights = Pick<Ctx, 'permissions' | 'isGlobalAdministrator' | 'roles'>

const known = new Set<string>(permissionHierarchies)
/** Without these an administrator could lock everybody out of the administration. */
const keptByAdministrators: Permission[] = ['ADMIN/ROLES', 'ADMIN/ROLES/EDIT', 'ADMIN/USERS', 'ADMIN/USERS/EDIT']

/** Last look at a role: names of system roles carry rights of their own, so nobody else may bear them; nobody gives a new one more than he holds. */
export async function prepareRole(ctx: Ctx, { kind, input, before }: PrepareWrite<RoleRow>): Promise<Partial<RoleRow>> {
  if (kind === 'remove') return before ? refuseRemoval(ctx, before) : {}
  const permissions = input.permissions && readPermissions(input.permissions)
  if (kind === 'create') refuseWider(ctx, permissions ?? [])
  refuseName(input.name, before)
  return permissions ? { permissions } : {}
}

function refuseName(name: string | undefined, before: RoleRow | undefined): void {
  if (name === undefined || name === before?.name) return
  if (before?.systemRole)
    fail('FORBIDDEN', { message: 'A system role keeps its name.', fields: [{ field: 'name', message: 'cannot be changed' }] })
  if (systemRoleByName(name) || isAdminType([name]))
    fail('INVALID', { fields: [{ field: 'name', message: 'is the name of a system role' }] })
}

async function refuseRemoval(ctx: Ctx, { id, systemRole }: RoleRow): Promise<Partial<RoleRow>> {
  if (systemRole) fail('FORBIDDEN', { message: 'A system role cannot be deleted.' })
  const users = await ctx.db.userRole.count({ where: { companyId: ctx.company.id, roleId: id } })
  if (users > 0) fail('STILL_IN_USE', { message: `${users} users still have this role, deactivated ones counted.`, details: { users } })
  return {}
}

/** True for a caller who administers the company or the whole group. */
export const isCallerAdministrator = (ctx: Rights) => ctx.isGlobalAdministrator || isAdminType(ctx.roles)

/** Upper-case hierarchies, each once; INVALID naming those that do not exist. */
export function readPermissions(given: readonly string[], field = 'permissions'): string[] {
  const wanted = [...new Set(given.map((hierarchy) => hierarchy.trim().toUpperCase()))].toSorted()
  const unknown = wanted.filter((hierarchy) => !known.has(hierarchy))
  if (unknown.length > 0) fail('INVALID', { fields: [{ field, message: `${unknown.slice(0, 5).join(', ')}: no such permission` }] })
  return wanted
}

/** Nobody hands out what he does not hold himself. */
export function refuseWider(ctx: Rights, hierarchies: readonly string[], field = 'permissions'): void {
  if (ctx.isGlobalAdministrator) return
  const missing = hierarchies.filter((hierarchy) => !ctx.permissions.has(hierarchy.toUpperCase()))
  if (missing.length > 0) {
    fail('FORBIDDEN', {
      message: 'You cannot give rights that you do not have yourself.',
      fields: [{ field, message: `you do not hold ${missing.slice(0, 5).join(', ')}` }],
    })
  }
}

/** Who may change a role: one who holds all of it, and an administrator's only an administrator, who cannot lock himself out. */
export function refuseRoleChange(
  ctx: Rights,
  before: RoleFacts & { permissions: readonly string[] },
  wanted: readonly string[] | undefined,
): void {
  if (isAdministrator([before]) && !isCallerAdministrator(ctx))
    fail('FORBIDDEN', { message: 'Only an administrator may change the role of administrators.' })
  refuseWider(ctx, before.permissions)
  if (wanted === undefined) return
  refuseWider(
    ctx,
    wanted.filter((hierarchy) => !before.permissions.includes(hierarchy)),
  )
  const lost = before.systemRole === 'admin' ? keptByAdministrators.filter((hierarchy) => !wanted.includes(hierarchy)) : []
  if (lost.length > 0) fail('INVALID', { fields: [{ field: 'permissions', message: `administrators keep ${lost.join(', ')}` }] })
}

interface GivenRole extends RoleFacts {
  id: string
  permissions: string[]
}

/** Checks roles about to be given to a user: they exist, and the caller may hand them out. */
export async function refuseWiderRoles(ctx: Ctx, roleIds: readonly string[]): Promise<void> {
  if (roleIds.length === 0) return
  const roles = await ctx.sql.query<GivenRole>(sql`
    select r."id", r."name", r."systemRole", array(select upper(p."hierarchy") from role_permission p
      where p."companyId" = r."companyId" and p."roleId" = r."id") as permissions
    from role r where r."companyId" = ${ctx.company.id}::uuid and r."id" = any(${roleIds}::uuid[]) and r."deletedAt" is null`)
  if (roles.length < new Set(roleIds).size) fail('INVALID', { fields: [{ field: 'roles', message: 'names a role that does not exist' }] })
  if (isAdministrator(roles) && !isCallerAdministrator(ctx)) {
    fail('FORBIDDEN', {
      message: 'Only an administrator may make administrators.',
      fields: [{ field: 'roles', message: 'holds an administrator’s role' }],
    })
  }
  refuseWider(
    ctx,
    roles.flatMap(({ permissions }) => permissions),
    'roles',
  )
}
