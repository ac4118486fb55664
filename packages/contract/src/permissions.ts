const crud = ['', '/CREATE', '/EDIT', '/DELETE'] as const

const withActions = [
  'CLIENTS',
  'CLIENTS/GROUPS',
  'COMMUNICATIONS/SMS',
  'COMMUNICATIONS/SCHEDULED',
  'SALES/LEADS',
  'SALES/ACTIVITIES/ACTIVITIES',
  'SALES/ACTIVITIES/ACTIVITY_PLANS',
  'SALES/TEAMS',
  'SALES/TARGETS',
  'SALES/CASES',
  'ADMIN/PRODUCTS',
  'ADMIN/LOCATIONS',
  'ADMIN/TENANTS',
  'ADMIN/USERS',
  'ADMIN/ROLES',
  'ADMIN/REPORTS',
  'ADMIN/TEMPLATES',
  'ADMIN/WEBFORMS',
  'ADMIN/DATA_MODELS',
  'ADMIN/BUSINESS_PROCESSES',
  'ADMIN/IPADDRESSES',
  'ADMIN/API',
  'ADMIN/INSURANCE',
] as const

const plain = [
  'CLIENTS/USSD',
  'COMMUNICATIONS',
  'COMMUNICATIONS/EMAIL',
  'SALES',
  'SALES/ACTIVITIES',
  'SALES/ACTIVITIES/CALENDAR',
  'SALES/ACTIVITIES/ACTIVITY_PLANS/DAY_OVERVIEW/VIEW',
  'SALES/AGENTS/MYWORK',
  'SALES/AGENTS/HISTORY',
  'SALES/AGENT/POSITION',
  'SALES/AFFORDABILITY',
  'SALES/AFFORDABILITY/CS',
  'SALES/AFFORDABILITY/LBF',
  'SALES/AFFORDABILITY/SME',
  'LOAN/DISBURSEMENTS',
  'CRM/REPORTS',
  'ADMIN/SETTINGS',
  'ADMIN/USERS/IMPERSONATE',
] as const

/** Every permission hierarchy there is, in upper case; a route may name only these. */
export const permissionHierarchies = [
  ...plain,
  ...withActions.flatMap((path) => crud.map((action) => `${path}${action}` as const)),
] as const
export type Permission = (typeof permissionHierarchies)[number]

/** What a route or screen asks of its caller: nothing, any session, or at least one of the permissions (and one of `alsoAnyOf` beside, and one of `andAnyOf`). */
export type Access =
  | { kind: 'public'; why: string }
  | { kind: 'session' }
  | { kind: 'permission'; anyOf: readonly Permission[]; alsoAnyOf?: readonly Permission[]; andAnyOf?: readonly Permission[] }
