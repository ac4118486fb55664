import { randomUUID } from 'node:crypto'
import type { ConsoleLayout, ScreenEntry } from '@outpost/contract/console'
import { callAs, type Call } from './calls.ts'
import { today } from './screen-records.ts'
import { nowhere } from './walk.ts'

const own = ['/profile', '/profile/edit', '/profile/sign-ins', '/profile/change-password', nowhere]

interface Whose {
  url: string
  email: string
  /** Has records to show where this person has none. */
  office: Call
}

/** Every screen that the console offers to someone, with a record in the place of :id. */
export async function pathsOf({ url, email, office }: Whose): Promise<string[]> {
  const asPerson = await callAs(url, email)
  const { screens } = ((await asPerson('GET', '/api/console')).body as unknown as { data: ConsoleLayout }).data
  const permitted = screens.filter((screen) => screen.permitted)
  return [...own, ...(await Promise.all(permitted.map((screen) => pathOf(screen, asPerson, office))))]
}

const lists: Record<string, string> = {
  '/sales/activities/calendar-address': 'activities',
  '/sales/activities/activity-plan': 'activities/activity-plan',
  '/admin/sales/activity-statuses': 'activities/statuses/manage',
  '/admin/sales/assignment-rules': 'leads/assignment-rules',
  '/admin/sales/activity-types': 'activities/types/manage',
  '/sales/leads/affordability': 'leads/affordability-runs',
  '/admin/calculators': 'calculators/rule-sets',
  '/sales/activities': 'activities',
  '/sales/agents/day': 'users',
  '/admin/settings': 'config/labels',
  '/admin/api-users': 'api-users',
  '/admin/ip-addresses': 'ip-addresses',
  '/admin/locations': 'locations',
  '/admin/webhooks': 'webhooks',
  '/admin/oauth-clients': 'oauth-clients',
  '/admin/work-devices': 'sync/devices',
  '/admin/dead-letters': 'sync/dead-letters',
  '/admin/tenants': 'tenants',
  '/admin/roles': 'roles',
  '/admin/users': 'users',
  '/admin/working-hours': 'working-calendars',
  '/admin/holidays': 'holidays',
  '/complaint': 'complaints',
  '/clients/payments': 'payments',
  '/clients/messages': 'client-messages',
  '/admin/web-form': 'web-forms',
  '/forms/fill': 'web-forms/to-fill',
  '/forms/answers': 'web-forms/answers',
  '/clients/groups/collection-sheets': 'collection-sheets',
  '/clients/groups': 'client-groups',
  '/clients/phone-book': `phone-book?filter=${encodeURIComponent('[{"field":"kind","op":"eq","value":"ENTRY"}]')}`,
  '/clients/ussd/sessions': 'ussd/sessions',
  '/clients/ussd/requests': 'ussd/requests',
  '/clients/ussd/menus': 'ussd/menus',
  '/clients': 'clients',
  '/admin/approval-limits': 'applications/limits',
  '/admin/saml': 'saml-providers',
  '/admin/insurance': 'insurance/offers',
  '/reports/categories': 'report-categories',
  '/tasks': 'tasks',
  '/disbursements': 'disbursements',
  '/ledger/accounts': 'ledger/accounts',
  '/ledger/entries': 'ledger/entries',
  '/loans/accounts': 'loans',
  '/loans/promises': 'promises',
  '/loans/changes': 'loan-changes',
  '/loans/settlements': 'settlement-quotes',
  '/loans/stray-payouts': 'stray-payouts',
  '/loans/securities': 'security-sales',
  '/loans/dunning': 'dunning-steps',
  '/loans/statements': 'statements',
  '/loans/statement-rules': 'statements/rules',
  '/loans/differences': 'reconciliation/differences',
  '/products/categories': 'products/categories',
  '/products/versions': 'products/versions',
  '/products': 'products',
  '/sales/applications': 'applications',
  '/tracking/maintenance/done': 'tracking/maintenance-entries',
  '/tracking/maintenance': 'tracking/maintenance-plans',
  '/tracking/assets': 'tracking/assets',
  '/tracking/replay': 'tracking/assets',
  '/tracking/asset-groups': 'geo/asset-group',
  '/tracking/asset-categories': 'geo/asset-category',
  '/sales/targets': 'targets',
  '/sales/cases': 'cases',
  '/sales/teams': 'teams',
  '/sales': 'leads',
}

/** With a record the person may see, else one of the administrator's: then the screen says that it is not theirs. */
async function pathOf({ path: plain, takesId }: ScreenEntry, asPerson: Call, office: Call): Promise<string> {
  const path = takesId ? `${plain}?id=:id` : plain
  if (!/:(id|a)\b/.test(path)) return path
  const list = Object.entries(lists).find(([start]) => path.startsWith(start))?.[1]
  // Records of the geo service, which is away here.
  if (path.startsWith('/tracking/') && !list) return path.replace(':id', randomUUID()).replace(':date', today())
  if (!list) throw new Error(`Which record shows ${path}? Name its list in screen-paths.ts.`)
  const rowsOf = async (by: Call) =>
    Object.values(
      ((await by('GET', `/api/${list}${list.includes('?') ? '&' : '?'}size=2`)).body as { data?: Record<string, { Id: string }[]> }).data ??
        {},
    )[0] ?? []
  const theirs = await rowsOf(asPerson)
  const [row, other = row] = theirs.length > 0 ? theirs : await rowsOf(office)
  if (!row) throw new Error(`/api/${list} has no record to show ${path} with.`)
  return path
    .replace(/:(id|a)\b/, row.Id)
    .replace(/:b\b/, other?.Id ?? row.Id)
    .replace(':date', today())
}
