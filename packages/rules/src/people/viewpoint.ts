import type { SystemRoleKey } from '@outpost/contract/roles'
import { systemRoleByName } from './roles.ts'

/** Whose questions a dashboard answers first: of the whole house, of a branch, of a team, of the system, or of one's own day. */
export type Viewpoint = 'director' | 'branch' | 'team' | 'admin' | 'own'

const viewpoints: Partial<Record<SystemRoleKey, Viewpoint>> = {
  md: 'director',
  zonal: 'director',
  product: 'director',
  regional: 'branch',
  branch: 'branch',
  sales: 'branch',
  leader: 'team',
  admin: 'admin',
  'company-admin': 'admin',
  global: 'admin',
}

/** The viewpoint of a person's roles; of several the one that looks furthest. */
export function viewpointOf(roleNames: readonly string[]): Viewpoint {
  const own = roleNames.map((name) => viewpoints[systemRoleByName(name) ?? 'officer'])
  return (['director', 'admin', 'branch', 'team'] as const).find((viewpoint) => own.includes(viewpoint)) ?? 'own'
}
