import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MenuEntry } from '@outpost/contract/console'
import { makeWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

test('the menu has the order of the specification, and behind its entries those that areas add', async () => {
  const { menu } = (await world.as.admin.get<{ menu: MenuEntry[] }>('/api/console')).body.data
  expect(
    menu.map(({ label, path, hiddenOffline, children = [] }) => [
      label,
      path ?? children.map((child) => `${child.label} ${child.path ?? ''}`),
      hiddenOffline ?? false,
    ]),
  ).toEqual([
    ['Dashboard', '/', false],
    [
      'Clients',
      [
        'Clients /clients/list',
        'Groups /clients/groups/list',
        'Phone book /clients/phone-book',
        'Payments /clients/payments/',
        'Complaints /complaints/',
        'Complaints dashboard /complaints/dashboard',
      ],
      false,
    ],
    [
      'Sales',
      [
        'My Work /agents/landingpage',
        'Teams /sales/teams',
        'Applications /sales/applications',
        'Targets /sales/targets',
        'Leads /sales/leads',
        'Activities /sales/activities',
        'Agent activities /sales/activities/agents',
        'Agent actions /sales/agents/actions',
        'Calendar /sales/activities/calendar',
        'Route Plans /sales/activities/activity-plan',
        'Day overview /sales/activities/activity-plan/day-overview',
        'Collections /sales/collections',
        'Sales dashboard /sales/dashboard',
        'Leads dashboard /sales/leadsdashboard',
        'Cases /sales/cases',
      ],
      false,
    ],
    [
      'Affordability calculators',
      [
        'Civil servant /sales/calculators/cs-affordability',
        'Log book /sales/calculators/lbf-affordability',
        'SME /sales/calculators/sme-affordability',
        'Log book premium /sales/calculators/lbf-premium',
      ],
      false,
    ],
    [
      'Tracking',
      [
        'Map /tracking/map',
        'Assets /tracking/assets',
        'Devices /tracking/devices',
        'Unlinked devices /tracking/devices/unlinked',
        'Geofences /tracking/fences',
        'Commands /tracking/commands',
        'Event IO /tracking/event-ios',
        'Drivers /tracking/drivers',
        'Event actions /tracking/event-actions',
        'Device trips /tracking/device-trips',
        'Asset trips /tracking/asset-trips',
        'Notifications /tracking/notifications',
        'Asset groups /tracking/asset-groups',
        'Asset categories /tracking/asset-categories',
      ],
      false,
    ],
    [
      'Loan accounts',
      [
        'Loan accounts /loans/accounts',
        'Disbursements /disbursements',
        'Restructures /loans/changes',
        'Settlement quotes /loans/settlements',
        'Promises to pay /loans/promises',
        'Ledger /ledger/accounts',
        'Ledger entries /ledger/entries',
        'Providers /loans/providers',
      ],
      false,
    ],
    [
      'Reports',
      [
        'User logins /reports/standard/userLoginReport',
        'Sales agents /reports/standard/salesAgentReport',
        'Time in status /reports/standard/leadTimeInStateReport',
        'Time in stage /reports/standard/caseTimeInStateReport',
        'Time in activity status /reports/standard/activityTimeInStateReport',
        'Time in status of applications /reports/standard/loanApplicationTimeInStateReport',
        'Password history /reports/standard/passwordHistoryReport',
        'New users /reports/standard/newUsersReport',
        'Complaints register /reports/standard/complaintRegister',
        'Time in complaint status /reports/standard/complaintTimeInStateReport',
        'PAR 30 /reports/standard/parVarThirtyReport',
        'Collections /reports/standard/collectionsSummaryReport',
        'Tenant loans /reports/standard/tenantLoansReport',
        'Roll rates /reports/standard/rollRatesReport',
      ],
      false,
    ],
    [
      'Administration',
      [
        'Users /admin/users/list',
        'Deactivated Users /admin/users/list-deleted',
        'Sign-ins /admin/users/logins',
        'Roles /admin/roles/list',
        'API users /admin/api-users/list',
        'IP addresses /admin/ip-addresses/list',
        'OAuth clients /admin/oauth-clients/list',
        'Identity providers /admin/saml/list',
        'Webhooks /admin/webhooks/list',
        'Tenants /admin/tenants/list',
        'Settings /admin/settings',
        'Activity types /admin/sales/activity-types',
        'Activity statuses /admin/sales/activity-statuses',
        'Products /products',
        'Product categories /products/categories',
        'Products of tenants /admin/tenants/products/edit',
        'Limits of approval /admin/approval-limits',
        'Dunning steps /loans/dunning',
        'Assignment rules /admin/sales/assignment-rules',
        'Calculator rules /admin/calculators',
        'Work devices /admin/work-devices',
        'Changes not placed /admin/dead-letters',
        'Conflicts /admin/conflicts',
        'Jobs that failed /admin/dead-jobs',
        'Errors of devices /admin/error-log',
        'Audit chain /admin/audit',
      ],
      true,
    ],
  ])
})
