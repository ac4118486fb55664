import type { SystemRoleKey } from '@outpost/contract/roles'
import { systemRoles } from '@outpost/contract/roles'
import type { Permission } from '@outpost/contract/permissions'
import { defaultPermissions } from './role-defaults.ts'

export interface RoleDefault {
  systemRole: SystemRoleKey
  name: string
  permissions: Permission[]
}

/** The system roles of a new company or group. Only a group has global administrators: within a company nobody may assign that role. */
export function defaultRoles(of: 'company' | 'group'): RoleDefault[] {
  const wanted = systemRoles.filter(({ key }) => (key === 'global') === (of === 'group'))
  return wanted.map(({ key, name }) => ({ systemRole: key, name, permissions: defaultPermissions(key) }))
}

/** The activity types of a new company. */
export const defaultActivityTypes = [
  { name: 'Client visit', colour: 'blue', default: true, duration: 60, geofenceRadius: 300 },
  { name: 'Phone call', colour: 'cyan', default: false, duration: 15, geofenceRadius: null },
  { name: 'Document collection', colour: 'gold', default: false, duration: 30, geofenceRadius: 300 },
  { name: 'Loan application', colour: 'green', default: false, duration: 60, geofenceRadius: null },
  { name: 'Collections visit', colour: 'orange', default: false, duration: 60, geofenceRadius: 300 },
  { name: 'Market activation', colour: 'purple', default: false, duration: 120, geofenceRadius: 500 },
] as const

/** The activity statuses of a new company; `meaning` is fixed, the company may change the names. */
export const defaultActivityStatuses = [
  { name: 'Pending', meaning: 'open', colour: 'gold', default: true },
  { name: 'In progress', meaning: 'started', colour: 'blue', default: false },
  { name: 'Completed', meaning: 'done', colour: 'green', default: false },
  { name: 'Missed', meaning: 'missed', colour: 'red', default: false },
  { name: 'Cancelled', meaning: 'cancelled', colour: 'default', default: false },
] as const
