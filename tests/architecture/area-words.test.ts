import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createAreas } from '../../apps/server/src/areas/index.ts'

const root = resolve(import.meta.dirname, '../..')
const areas = createAreas({ mail: {}, files: {}, env: {} } as never)
/** Areas that the kernel itself works with: who somebody is, where they belong, what is kept of them. */
const ofTheHouse = new Set([
  'auth',
  'saml',
  'users',
  'apiUsers',
  'oauthClients',
  'ipAddresses',
  'roles',
  'tenants',
  'config',
  'views',
  'notifications',
  'providers',
  'search',
  'storage',
  'sync',
  'jobs',
  'audit',
  'mail',
  'reports',
  'reportCategories',
  'home',
  'geo',
])
/** Words of the business that are words of programs too. */
const ambiguous = new Set([
  'agent',
  'case',
  'client',
  'plan',
  'target',
  'person',
  'pipeline',
  'stage',
  'holiday',
  'application',
  'product',
  'location',
  'task',
  'message',
  // What the kernel keeps of any record that goes to another branch.
  'transfer',
  // What a client of the sockets says.
  'clientmessage',
])
const business = areas.filter(({ name }) => !ofTheHouse.has(name))
const singular = (word: string) => word.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '')
/** What the business calls its things; further words of its records that are nothing else. */
const words = new Set(
  [
    ...business.flatMap(({ name, resources }) => [singular(name), ...resources.map(({ one }) => singular(one))]),
    'visit',
    'consent',
    'affordability',
    'onboarding',
    'phonenumber',
    'vehicle',
    'loan',
    // Of the fleet, whose service the kernel itself asks.
    'asset',
    'geofence',
    'trip',
    'fleet',
    'collateral',
    'maintenance',
  ].filter((word) => !ambiguous.has(word)),
)

/** Where the words may not be. Tests, what only tests use and what is generated from the areas speak of the business. */
const folders = [
  'apps/server/src/kernel',
  'apps/console/src/offline',
  'packages/contract/src',
  'apps/console/src/shell/palette',
  'apps/console/src/shell/notifications',
  // These run or list what the other areas declare, and know none of them.
  'apps/server/src/areas/home',
  'apps/server/src/areas/reports',
  'apps/server/src/areas/search',
  'apps/server/src/areas/notifications',
  'apps/console/src/custom/home',
]

/** Lists of the contract that are the business by their nature, with the words they know. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // The specification’s headers of the bell.
  'apps/console/src/shell/notifications/notification-text.ts': ['activity'],
  // The terms of a loan, which forms, sums and stored documents share.
  'packages/contract/src/lending.ts': ['insurance', 'loan'],
  // What the geo service is asked and answers.
  'packages/contract/src/geo/answers.ts': ['asset', 'geofence', 'trip'],
  'packages/contract/src/geo/calls.ts': ['asset', 'geofence', 'trip'],
  'packages/contract/src/geo/events.ts': ['geofence', 'maintenance'],
  'packages/contract/src/geo/records.ts': ['asset', 'geofence', 'trip'],
  'packages/contract/src/geo/reports.ts': ['asset', 'geofence', 'trip'],
  'packages/contract/src/geo/rows.ts': ['geofence', 'trip'],
  'packages/contract/src/geo/rule-words.ts': ['geofence'],
  'apps/server/src/kernel/geo-client/report-ticket.ts': ['asset', 'geofence', 'trip'],
  'apps/server/src/kernel/reports/writer/geo-columns.ts': ['asset'],
  // The wall of assets holds at sockets, which are the kernel's.
  'apps/server/src/kernel/realtime/followers.ts': ['asset'],
  // What the calculators take and give, on both sides.
  'packages/contract/src/calculators.ts': ['affordability', 'calculator', 'ruleset'],
  // The specification’s item types of the bell.
  'packages/contract/src/notifications.ts': ['activity'],
  // Whom a reaction of the geo service tells: teamIds.
  'packages/contract/src/geo/rules.ts': ['team'],
  // The specification’s tree of permissions and its roles.
  'packages/contract/src/permissions.ts': [
    'activity',
    'activityplan',
    'affordability',
    'disbursement',
    'insurance',
    'lead',
    'loan',
    'team',
    'ussd',
    'webform',
  ],
  'packages/contract/src/roles.ts': ['loan', 'team'],
  // What forms are filled in about, which builder, devices and server share.
  'packages/contract/src/web-forms/form.ts': ['activity', 'lead'],
  // Names of hand-made screens, by which the server asks for one.
  'packages/contract/src/views/custom-screens.ts': ['activity', 'clientmerge', 'fleet', 'lead', 'onboarding', 'trip', 'ussd', 'visit'],
  // The kind of view that the calculators are drawn by.
  'packages/contract/src/views.ts': ['calculator', 'ruleset'],
  // The name of a standard: Standard Webhooks.
  'apps/server/src/kernel/providers/connection.ts': ['webhook'],
}

/** The words of an area in the code of a file, comments aside: names are taken apart (trimmedPhonenumber, LEAD_NOT_FOUND, web_form_answer), neighbours tried together. */
function wordsIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:])\/\/.*$/gm, '$1')
  const found = [...code.matchAll(/[A-Za-z]+(?:[_-][A-Za-z]+)*/g)].flatMap(([name]) => {
    const parts = name.split(/[_-]|(?<=[a-z])(?=[A-Z])/)
    return [...parts, ...parts.slice(1).map((part, index) => `${parts[index] ?? ''}${part}`), parts.join('')].map(singular)
  })
  return [...new Set(found.filter((word) => words.has(word)))].toSorted()
}

const sources = () =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
    .filter((path) => !/\.test(-d)?\.|\.generated\.|\/fake-/.test(path))

test('neither the kernel nor the device’s store nor a list of the contract knows an area', () => {
  const found = Object.fromEntries(
    sources()
      .toSorted()
      .flatMap((path) => {
        const own = wordsIn(readFileSync(resolve(root, path), 'utf8'))
        return own.length > 0 ? [[path, own]] : []
      }),
  )
  expect(found).toEqual(exceptions)
})

test('the rule sees what it is for', () => {
  expect([...words]).toEqual(expect.arrayContaining(['lead', 'activity', 'team', 'calculator', 'affordabilityrun']))
  expect(wordsIn(`const a = { trimmedPhonenumber: 1 }; fail('LEAD_NOT_FOUND'); at('/sales/activities')`)).toEqual([
    'activity',
    'lead',
    'phonenumber',
  ])
  expect(wordsIn("from web_form_answer where webFormId; '/sales/activity-plans'; collectionSheets")).toEqual([
    'activity',
    'activityplan',
    'collection',
    'collectionsheet',
    'webform',
    'webformanswer',
  ])
  expect(wordsIn('// a lead\nconst leading = readLeast() /* its activities */')).toEqual([])
})

test('every place in the menu is under a heading that an area declares', () => {
  const headings = new Set<string | null>([null, ...areas.flatMap(({ menu }) => menu.map(({ key }) => key))])
  expect(
    areas
      .flatMap(({ screens }) => screens)
      .filter(({ menu }) => menu && !headings.has(menu.under))
      .map(({ path }) => path),
  ).toEqual([])
})
