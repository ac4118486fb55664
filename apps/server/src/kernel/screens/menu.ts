import type { MenuEntry } from '@outpost/contract/console'
import type { Screen } from '../types.ts'

interface Place { label: string, icon: string, path: string, screen?: string }
interface Group { key: string, label: string, icon: string, hiddenOffline?: boolean, places: Place[] }

const at = (path: string, label: string, icon: string, screen?: string): Place => ({ path, label, icon, ...(screen ? { screen } : {}) })

/** The left menu of the specification (section 2), in its order. An entry appears once its screen exists and is permitted. */
const groups: (Place | Group)[] = [
  at('/', 'Dashboard', 'dashboard'),
  { key: 'clients', label: 'Clients', icon: 'team', places: [
    at('/clients/list', 'Clients', 'contacts'), at('/clients/ussd/clients', 'USSD clients', 'mobile'), at('/clients/ussd/dashboard', 'USSD dashboard', 'bar-chart'),
  ] },
  { key: 'communications', label: 'Communications', icon: 'message', places: [
    at('/comms/email/inbox/folderType/', 'E-mail', 'mail', '/comms/email/:id/folderType/'), at('/comms/sms', 'Bulk SMS', 'sms'), at('/comms/chat', 'Chat', 'comment'),
  ] },
  { key: 'sales', label: 'Sales', icon: 'rise', places: [
    at('/agents/landingpage', 'My Work', 'schedule'), at('/sales/teams', 'Teams', 'team'), at('/sales/targets', 'Targets', 'aim'),
    at('/sales/leads', 'Leads', 'funnel'), at('/sales/activities', 'Activities', 'calendar-check'), at('/sales/activities/agents', 'Agent activities', 'user-check'),
    at('/sales/agents/actions', 'Agent actions', 'history'), at('/sales/activities/calendar', 'Calendar', 'calendar'),
    at('/sales/activities/activity-plan', 'Route Plans', 'route'), at('/sales/activities/activity-plan/day-overview', 'Day overview', 'eye'),
  ] },
  { key: 'calculators', label: 'Affordability calculators', icon: 'calculator', places: [
    at('/sales/calculators/cs-affordability', 'Civil servant', 'calculator'), at('/sales/calculators/lbf-affordability', 'Log book', 'calculator'),
    at('/sales/calculators/sme-affordability', 'SME', 'calculator'), at('/sales/calculators/lbf-premium', 'Log book premium', 'calculator'),
  ] },
  { key: 'tracking', label: 'Tracking', icon: 'map', places: [
    at('/tracking/map', 'Map', 'map'), at('/tracking/devices', 'Devices', 'radar'), at('/tracking/geofences', 'Geofences', 'fence'),
    at('/tracking/commands', 'Commands', 'console'), at('/tracking/event-ios', 'Event IO', 'alert'), at('/tracking/drivers', 'Drivers', 'user'),
    at('/tracking/event-actions', 'Event actions', 'thunderbolt'), at('/tracking/device-trips', 'Device trips', 'route'),
    at('/tracking/asset-trips', 'Asset trips', 'car'), at('/tracking/workbench', 'Workbench', 'tool'), at('/tracking/notifications', 'Notifications', 'bell'),
  ] },
  { key: 'vehicles', label: 'Vehicles', icon: 'car', places: [at('/vehicles/list', 'Vehicles', 'car'), at('/vehicles/bids', 'Bids', 'tag')] },
  at('/loans/accounts', 'Loan accounts', 'bank'),
  at('/tasks', 'Tasks', 'check'),
  { key: 'reports', label: 'Reports', icon: 'file-chart', places: [
    at('/reports/standard/userLoginReport', 'User logins', 'login'), at('/reports/standard/salesAgentReport', 'Sales agents', 'rise'),
    at('/reports/standard/parVarThirtyReport', 'PAR 30', 'warning'), at('/reports/standard/tenantLoansReport', 'Tenant loans', 'bank'),
    at('/reports/standard/collectionsSummaryReport', 'Collections summary', 'wallet'), at('/scheduledReport/index', 'Scheduled reports', 'schedule'),
  ] },
  { key: 'administration', label: 'Administration', icon: 'setting', hiddenOffline: true, places: [
    at('/admin/locations', 'Locations', 'environment'), at('/admin/users/list', 'Users', 'user'), at('/admin/users/list-deleted', 'Deactivated Users', 'user-off'),
    at('/admin/roles/list', 'Roles', 'safety'), at('/admin/data-models/list', 'Data models', 'database'),
    at('/admin/tenants/list', 'Tenants', 'apartment'), at('/admin/tenants/products/edit', 'Tenant products', 'product'),
    at('/admin/insurance/list', 'All Offers', 'insurance'), at('/admin/settings', 'Settings', 'setting'),
  ] },
]

/** The menu of a caller: entries whose screen is among the permitted ones; a parent left without children is gone. */
export function menuOf(permitted: readonly Screen[]): MenuEntry[] {
  const paths = new Set(permitted.map((screen) => screen.path))
  const isThere = (place: Place) => paths.has(place.screen ?? place.path)
  const own = permitted.filter((screen) => screen.menu !== undefined)
  const standard = groups.flatMap((entry): MenuEntry[] => {
    if (!('places' in entry)) return isThere(entry) ? [toEntry(entry)] : []
    const { places, ...group } = entry
    const children = [...places.filter(isThere).map(toEntry), ...entriesUnder(own, entry.key)]
    return children.length === 0 ? [] : [{ ...group, children }]
  })
  return [...standard, ...entriesUnder(own, null)]
}

function toEntry({ path, label, icon }: Place): MenuEntry {
  return { key: path, label, icon, path }
}

/** Entries that screens bring themselves, beside the specification's. */
function entriesUnder(screens: readonly Screen[], under: string | null): MenuEntry[] {
  return screens.flatMap(({ path, menu }) => menu && menu.under === under ? [{ menu, path }] : [])
    .toSorted((a, b) => a.menu.order - b.menu.order)
    .map(({ path, menu: { label, icon, hiddenOffline } }) => ({ key: path, label, icon, path, ...(hiddenOffline ? { hiddenOffline } : {}) }))
}
