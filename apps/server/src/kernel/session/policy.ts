import { systemRoles } from '@outpost/contract/roles'
import type { Setting } from '../settings/define.ts'
import { settingIn } from '../settings/effective.ts'
import type { SettingValues } from '../settings/store.ts'
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

const minutes = { unit: 'minutes', level: 'company', section: 'people' } as const
const hours = { unit: 'hours', level: 'company', section: 'people' } as const
const days = { unit: 'days', level: 'company', section: 'people' } as const

/** The same as settings of a company: in the office never longer than what Outpost begins with. They hold for sessions that begin later. */
export const sessionSettings = {
  admin: {
    idle: {
      ...minutes,
      name: 'adminIdleMinutes',
      label: 'Administrators: signed out without use after',
      help: 'Holds from the next time they sign in.',
      min: 5,
      max: 30,
      standard: policies.admin.idle / 60,
    },
    absolute: {
      ...hours,
      name: 'adminSessionHours',
      label: 'Administrators: a session lasts at most',
      help: 'After this they sign in again, however busy they are.',
      min: 1,
      max: 12,
      standard: policies.admin.absolute / 3_600,
    },
  },
  office: {
    idle: {
      ...minutes,
      name: 'officeIdleMinutes',
      label: 'Office: signed out without use after',
      help: 'For people at a desk. Holds from the next time they sign in.',
      min: 5,
      max: 60,
      standard: policies.office.idle / 60,
    },
    absolute: {
      ...hours,
      name: 'officeSessionHours',
      label: 'Office: a session lasts at most',
      help: 'After this people at a desk sign in again.',
      min: 1,
      max: 24,
      standard: policies.office.absolute / 3_600,
    },
  },
  field: {
    idle: {
      ...days,
      name: 'fieldIdleDays',
      label: 'Field: signed out without contact after',
      help: 'Officers may be offline for days; what is on the phone is locked all the same.',
      min: 1,
      max: 14,
      standard: policies.field.idle / 86_400,
    },
    absolute: {
      ...days,
      name: 'fieldSessionDays',
      label: 'Field: a session lasts at most',
      help: 'After this officers sign in again, with a connection.',
      min: 1,
      max: 60,
      standard: policies.field.absolute / 86_400,
    },
  },
} as const satisfies Record<PolicyName, Record<'idle' | 'absolute', Setting>>

/** How long a field device opens without the office. */
export const offlineDays: Setting = {
  ...days,
  name: 'offlineDays',
  label: 'Field: a phone opens offline for',
  help: 'So long after its last contact a phone opens without a connection; then its person signs in with one. What is not sent stays on it.',
  min: 1,
  max: 30,
  standard: 14,
}

const secondsOf = { minutes: 60, hours: 3_600, days: 86_400 } as const

/** How long a session of the policy lasts in that company, in seconds. */
export async function sessionTimes(
  settings: SettingValues,
  companyId: string,
  policy: PolicyName,
): Promise<{ idle: number; absolute: number }> {
  const { idle, absolute } = sessionSettings[policy]
  const [idleValue, absoluteValue] = await Promise.all([
    settingIn({ settings }, idle, companyId),
    settingIn({ settings }, absolute, companyId),
  ])
  return { idle: idleValue * secondsOf[idle.unit], absolute: absoluteValue * secondsOf[absolute.unit] }
}

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
