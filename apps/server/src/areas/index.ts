import type { Machine } from '../machine.ts'
import type { Area } from '../kernel/types.ts'
import { authArea } from './auth/index.ts'
import { activitiesArea } from './activities/index.ts'
import { homeArea } from './home/home.area.ts'
import { leadsArea } from './leads/index.ts'
import { syncArea } from './sync/index.ts'

/** The areas of the business, one line each; those that need a part of the machine are given it here. */
export function createAreas(machine: Pick<Machine, 'mail' | 'files' | 'env'>): Area[] {
  const areas: Area[] = [
    authArea(machine),
    homeArea,
    leadsArea(machine),
    activitiesArea,
  ]
  return [...areas, syncArea(areas)]
}
