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
        'Targets /sales/targets',
        'Leads /sales/leads',
        'Activities /sales/activities',
        'Agent activities /sales/activities/agents',
        'Agent actions /sales/agents/actions',
        'Calendar /sales/activities/calendar',
        'Route Plans /sales/activities/activity-plan',
        'Day overview /sales/activities/activity-plan/day-overview',
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
    ['Tracking', ['Devices /tracking/devices'], false],
    [
      'Reports',
      [
        'User logins /reports/standard/userLoginReport',
        'Sales agents /reports/standard/salesAgentReport',
        'Time in status /reports/standard/leadTimeInStateReport',
        'Time in stage /reports/standard/caseTimeInStateReport',
        'Time in activity status /reports/standard/activityTimeInStateReport',
        'Password history /reports/standard/passwordHistoryReport',
        'New users /reports/standard/newUsersReport',
        'Complaints register /reports/standard/complaintRegister',
        'Time in complaint status /reports/standard/complaintTimeInStateReport',
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
        'Webhooks /admin/webhooks/list',
        'Tenants /admin/tenants/list',
        'Settings /admin/settings',
        'Activity types /admin/sales/activity-types',
        'Activity statuses /admin/sales/activity-statuses',
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
