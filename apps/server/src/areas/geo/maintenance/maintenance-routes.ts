import { geoCalls } from '@outpost/contract/geo/calls'
import { may, route } from '../../../kernel/area.ts'
import { fileRoutes } from '../../../kernel/keeps/files.ts'
import { history } from '../../../kernel/keeps/history.ts'
import { create, get, list, remove, update } from '../../../kernel/resource/operations.ts'
import { detailOf, formOf, listOf, screen } from '../../../kernel/screens/screen.ts'
import type { Route, Screen } from '../../../kernel/types.ts'
import { maintenanceEntry } from './maintenance-entry.resource.ts'
import { maintenancePlan } from './maintenance-plan.resource.ts'

const [see, add, edit, drop] = [
  may(...geoCalls['devices.list'].anyOf),
  may(...geoCalls['devices.create'].anyOf),
  may(...geoCalls['devices.update'].anyOf),
  may(...geoCalls['devices.remove'].anyOf),
]
const own = { own: true }
const [plans, entries] = ['/api/tracking/maintenance-plans', '/api/tracking/maintenance-entries']

/** What is done to vehicles again and again, and each time that it was done. */
export const maintenanceRoutes: Route[] = [
  route('maintenancePlans.list', 'GET', plans, see, list(maintenancePlan), own),
  route('maintenancePlans.get', 'GET', `${plans}/:id`, see, get(maintenancePlan), own),
  route('maintenancePlans.timeline', 'GET', `${plans}/:id/timeline`, see, history(maintenancePlan), own),
  route('maintenancePlans.create', 'POST', plans, add, create(maintenancePlan), own),
  route('maintenancePlans.remove', 'POST', `${plans}/delete`, drop, remove(maintenancePlan), own),
  route('maintenancePlans.update', 'PUT', `${plans}/:id`, edit, update(maintenancePlan), own),
  route('maintenanceEntries.list', 'GET', entries, see, list(maintenanceEntry), own),
  route('maintenanceEntries.get', 'GET', `${entries}/:id`, see, get(maintenanceEntry), own),
  route('maintenanceEntries.timeline', 'GET', `${entries}/:id/timeline`, see, history(maintenanceEntry), own),
  route('maintenanceEntries.create', 'POST', entries, edit, create(maintenanceEntry), own),
  route('maintenanceEntries.remove', 'POST', `${entries}/delete`, drop, remove(maintenanceEntry), own),
  route('maintenanceEntries.update', 'PUT', `${entries}/:id`, edit, update(maintenanceEntry), own),
  ...fileRoutes(maintenanceEntry, { area: 'maintenanceEntries', path: entries, read: see, write: edit }),
]

export const maintenanceScreens: Screen[] = [
  screen('/tracking/maintenance', see, listOf(maintenancePlan, { overrides: { exportReport: 'exportList' } }), {
    menu: { under: 'tracking', label: 'Maintenance plans', icon: 'tool', order: 83 },
  }),
  screen('/tracking/maintenance/create', add, formOf(maintenancePlan)),
  screen('/tracking/maintenance/edit/:id', edit, formOf(maintenancePlan)),
  screen('/tracking/maintenance/done', see, listOf(maintenanceEntry, { overrides: { exportReport: 'exportList' } }), {
    menu: { under: 'tracking', label: 'Maintenance done', icon: 'check', order: 84 },
  }),
  screen('/tracking/maintenance/done/create', edit, formOf(maintenanceEntry)),
  screen('/tracking/maintenance/done/edit/:id', edit, formOf(maintenanceEntry)),
  screen('/tracking/maintenance/done/:id/view', see, detailOf(maintenanceEntry)),
]
