import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { jobsArea } from '../../apps/server/src/areas/jobs/index.ts'
import { leadsArea } from '../../apps/server/src/areas/leads/index.ts'
import { reportsArea } from '../../apps/server/src/areas/reports/index.ts'
import { rolesArea } from '../../apps/server/src/areas/roles/index.ts'
import { tenantsArea } from '../../apps/server/src/areas/tenants/index.ts'
import { usersArea } from '../../apps/server/src/areas/users/index.ts'
import type { Area } from '../../apps/server/src/kernel/types.ts'
import type { Machine } from '../../apps/server/src/machine.ts'

/** The areas that tests of what runs beside requests need, and no more. */
export function salesAreas(machine: Machine): Area[] {
  const areas = [authArea(machine), tenantsArea, rolesArea, usersArea, leadsArea(machine), jobsArea]
  return [...areas, reportsArea(machine, areas)]
}
