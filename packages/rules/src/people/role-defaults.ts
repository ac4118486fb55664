import { permissionHierarchies, type Permission } from '@outpost/contract/permissions'
import type { SystemRoleKey } from '@outpost/contract/roles'

const withActions = (...paths: Permission[]): Permission[] =>
  permissionHierarchies.filter((path) =>
    paths.some((start) => path === start || (/^\/(CREATE|EDIT|DELETE)$/.test(path.slice(start.length)) && path.startsWith(start))),
  )

const fieldWork: Permission[] = [
  'SALES',
  'SALES/ACTIVITIES',
  'SALES/ACTIVITIES/CALENDAR',
  'SALES/AGENTS/MYWORK',
  'SALES/AGENT/POSITION',
  'SALES/AFFORDABILITY',
  'SALES/AFFORDABILITY/CS',
  'SALES/AFFORDABILITY/LBF',
  'SALES/AFFORDABILITY/SME',
  'SALES/LEADS',
  'SALES/LEADS/CREATE',
  'SALES/LEADS/EDIT',
  'SALES/TARGETS',
  'SALES/CASES',
  'SALES/CASES/CREATE',
  'SALES/CASES/EDIT',
  'SALES/ACTIVITIES/ACTIVITIES',
  'SALES/ACTIVITIES/ACTIVITIES/CREATE',
  'SALES/ACTIVITIES/ACTIVITIES/EDIT',
  'SALES/ACTIVITIES/ACTIVITY_PLANS',
  'CLIENTS',
  'CLIENTS/CREATE',
  'CLIENTS/EDIT',
  'CLIENTS/GROUPS',
  'CLIENTS/GROUPS/CREATE',
  'CLIENTS/GROUPS/EDIT',
  'COMMUNICATIONS',
  'COMMUNICATIONS/EMAIL',
]

const teamWork: Permission[] = [
  ...fieldWork,
  'SALES/TEAMS',
  'SALES/AGENTS/HISTORY',
  'SALES/TARGETS/CREATE',
  'SALES/TARGETS/EDIT',
  'SALES/ACTIVITIES/ACTIVITY_PLANS/CREATE',
  'SALES/ACTIVITIES/ACTIVITY_PLANS/EDIT',
  'SALES/ACTIVITIES/ACTIVITY_PLANS/DAY_OVERVIEW/VIEW',
]

const management: Permission[] = [
  ...teamWork,
  ...withActions(
    'SALES/LEADS',
    'SALES/ACTIVITIES/ACTIVITIES',
    'SALES/ACTIVITIES/ACTIVITY_PLANS',
    'SALES/TEAMS',
    'SALES/TARGETS',
    'SALES/CASES',
    'CLIENTS',
    'COMMUNICATIONS/SMS',
    'COMMUNICATIONS/SCHEDULED',
  ),
  'CRM/REPORTS',
  'CLIENTS/USSD',
  'LOAN/DISBURSEMENTS',
  'ADMIN/USERS',
]

const everything: Permission[] = [...permissionHierarchies]

/** The permissions of each system role in a new company; companies change them under Roles. */
export const roleDefaults: Record<SystemRoleKey, readonly Permission[]> = {
  global: everything,
  admin: everything,
  'company-admin': everything,
  officer: fieldWork,
  credit: [...fieldWork, 'LOAN/DISBURSEMENTS', 'CRM/REPORTS'],
  leader: teamWork,
  branch: management,
  regional: management,
  zonal: management,
  sales: management,
  product: [...management, ...withActions('ADMIN/PRODUCTS', 'ADMIN/INSURANCE', 'ADMIN/TEMPLATES')],
  md: [
    ...management,
    ...withActions('ADMIN/PRODUCTS', 'ADMIN/INSURANCE', 'ADMIN/REPORTS'),
    'ADMIN/TENANTS',
    'ADMIN/ROLES',
    'ADMIN/LOCATIONS',
  ],
}

/** The default permissions of a role, without duplicates, sorted. */
export function defaultPermissions(key: SystemRoleKey): Permission[] {
  return [...new Set(roleDefaults[key])].toSorted()
}
