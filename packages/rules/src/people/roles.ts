import { systemRoles, type SystemRoleKey } from '@outpost/contract/roles'
import { normaliseName } from './permission.ts'

const adminTypes = ['GLOBAL ADMINISTRATOR', 'ADMINISTRATOR', 'COMPANY ADMINISTRATOR', 'COMPANY ADMIN', 'ADMIN']
const tenantAdmins = ['COMPANY ADMINISTRATOR', 'ADMINISTRATOR', 'ADMIN']
const fieldRoles = ['TEAM LEADER', 'LOAN OFFICER', 'BRANCH MANAGER', 'REGIONAL MANAGER']
const fixedTenantRoles = ['LOAN OFFICER', 'TEAM LEADER']

const hasAny = (roleNames: readonly string[], wanted: readonly string[]) => roleNames.some((name) => wanted.includes(normaliseName(name)))

/** Administrator of any kind (specification 6: admin-type). */
export const isAdminType = (roleNames: readonly string[]) => hasAny(roleNames, adminTypes)
/** Administrator of a tenant (specification 6: tenant admin). */
export const isTenantAdmin = (roleNames: readonly string[]) => hasAny(roleNames, tenantAdmins)
/** Passes every permission check, but never the separation of companies. */
export const isGlobalAdministrator = (roleNames: readonly string[]) => hasAny(roleNames, ['GLOBAL ADMINISTRATOR'])
/** Works offline with periodic sync. */
export const isFieldRole = (roleNames: readonly string[]) => hasAny(roleNames, fieldRoles)
/** Loan officers and team leaders see their tenant as read-only text and cannot switch. */
export const maySwitchTenant = (roleNames: readonly string[]) => !hasAny(roleNames, fixedTenantRoles) || isAdminType(roleNames)
/** First screen after login: My Work for loan officers and team leaders, the dashboard for everyone else. */
export const landingScreen = (roleNames: readonly string[]) => (hasAny(roleNames, fixedTenantRoles) ? '/agents/landingpage' : '/')

/** The stable key of the system role with a given name. */
export function systemRoleByName(name: string): SystemRoleKey | undefined {
  return systemRoles.find((role) => normaliseName(role.name) === normaliseName(name))?.key
}
