import { fail } from '@outpost/contract/errors'
import type { Access } from '@outpost/contract/permissions'
import { mayAccess, mayAny } from '@outpost/rules/people/permission'
import type { Ctx } from '../types.ts'

type Holder = Pick<Ctx, 'permissions' | 'isGlobalAdministrator'>

/** True when the caller holds at least one of the permissions (exact paths; a global administrator all). */
export function holdsAny(ctx: Holder, ...anyOf: readonly string[]): boolean {
  return mayAny(ctx, anyOf)
}

/** True when a route's or screen's declared access lets the caller in. */
export function isPermitted(ctx: Holder, access: Access): boolean {
  return mayAccess(ctx, access)
}

/** Stops with WHILE_IMPERSONATING when somebody acts in another's name. */
export function requireInPerson({ user, realUser }: Pick<Ctx, 'user' | 'realUser'>): void {
  if (user.id !== realUser.id) fail('WHILE_IMPERSONATING')
}

/** Stops with PEOPLE_ONLY when an API user calls. */
export function requirePerson({ user }: Pick<Ctx, 'user'>): void {
  if (user.isProgram) fail('PEOPLE_ONLY')
}

/** Stops with FORBIDDEN unless the route lets the caller in. */
export function requirePermission(ctx: Holder, access: Access): void {
  if (!mayAccess(ctx, access)) fail('FORBIDDEN')
}
