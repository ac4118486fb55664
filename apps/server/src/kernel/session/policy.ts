import { systemRoles } from '@outpost/contract/roles'
import * as rules from '@outpost/rules/people/roles'

export interface RoleFacts {
  name: string
  systemRole: string | null
}
export type PolicyName = 'admin' | 'office' | 'field'

/** How long a session lasts without use and at all, in seconds. */
export const policies = {
  admin: { idle: 30 * 60, absolute: 12 * 3_600 },
  office: { idle: 3_600, absolute: 24 * 3_600 },
  /** People in the field are offline for days (a documented deviation, security.md D5). */
  field: { idle: 7 * 86_400, absolute: 30 * 86_400 },
} as const satisfies Record<PolicyName, { idle: number; absolute: number }>

/** The names a person's roles count under: their own, and that of the system role they are made from. */
export function roleNames(roles: readonly RoleFacts[]): string[] {
  return roles.flatMap(({ name, systemRole }) => [name, ...systemRoles.filter(({ key }) => key === systemRole).map((role) => role.name)])
}

/** The strictest policy that fits: any administrator's role outweighs a field role. */
export function policyOf(roles: readonly RoleFacts[]): PolicyName {
  if (isAdministrator(roles)) return 'admin'
  return rules.isFieldRole(roleNames(roles)) ? 'field' : 'office'
}

export function isAdministrator(roles: readonly RoleFacts[]): boolean {
  return rules.isAdminType(roleNames(roles))
}

export function isGlobalAdministrator(roles: readonly RoleFacts[]): boolean {
  return rules.isGlobalAdministrator(roleNames(roles))
}

export function isFieldRole(roles: readonly RoleFacts[]): boolean {
  return rules.isFieldRole(roleNames(roles))
}

/** False for loan officers and team leaders, who see their tenant as fixed text. */
export function maySwitchTenant(roles: readonly RoleFacts[]): boolean {
  return rules.maySwitchTenant(roleNames(roles))
}

export function landingScreen(roles: readonly RoleFacts[]): string {
  return rules.landingScreen(roleNames(roles))
}
