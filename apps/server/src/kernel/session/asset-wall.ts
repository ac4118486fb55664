import type { Ctx } from '../types.ts'

/**
 * Whether a person gets messages about a device: null where it is on no asset of groups, else the names of the roles that see it, which
 * ctx.roles_of_device gives; administrators' among them, for they hand out the roles. The same as ctx.hidden_devices in SQL.
 */
export const isSeenBy = (
  { isGlobalAdministrator, roles }: Pick<Ctx, 'isGlobalAdministrator' | 'roles'>,
  seenBy: readonly string[] | null,
): boolean => seenBy === null || isGlobalAdministrator || roles.some((role) => seenBy.includes(role))
