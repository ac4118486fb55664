import type { ConsoleLayout, MenuEntry, ScreenEntry } from '@outpost/contract/console'

const leaf = (path: string, label: string, icon: string): MenuEntry => ({ key: path, path, label, icon })
const screen = (path: string, title: string, more: Partial<ScreenEntry> = {}): ScreenEntry => ({
  id: path,
  path,
  title,
  layout: 'standard',
  offline: false,
  permitted: true,
  kind: 'custom',
  ...more,
})
const tenant = (Id: string, parentId: string | null, name: string, type: number) => ({
  Id,
  parentId,
  name,
  shortCode: Id.toUpperCase(),
  type,
  locationRequired: false,
})

const tenants = [
  tenant('t1', null, 'Sunrise Credit', 2),
  tenant('t2', 't1', 'Nairobi Branch', 3),
  tenant('t3', 't2', 'Westlands Team', 4),
  tenant('t4', 't1', 'Mombasa Branch', 3),
  tenant('t5', 't4', 'Nyali Team', 4),
]

/** A branch manager's console, with one entry of everything the shell treats in its own way. */
export function fixtureLayout(change: Partial<ConsoleLayout> = {}): ConsoleLayout {
  return {
    user: {
      Id: '11111111-1111-4111-8111-111111111111',
      userName: 'grace',
      emailAddress: 'branch@sunrise.test',
      firstName: 'Grace',
      lastName: 'Wanjiku',
      roles: [{ name: 'Branch Manager' }],
      permissions: [],
      rolepermissions: [{ hierarchy: 'SALES/LEADS' }],
      tenants,
      selectedTenant: tenants[0]!,
      tours: {},
      preferences: {},
      picture: null,
    },
    company: { Id: 'c1', name: 'Sunrise Credit', country: 'KE', currency: 'KES', timeZone: 'Africa/Nairobi' },
    maySwitchTenant: true,
    isFieldRole: false,
    landing: '/',
    menu: [
      leaf('/', 'Dashboard', 'dashboard'),
      {
        key: 'sales',
        label: 'Sales',
        icon: 'rise',
        children: [
          leaf('/agents/landingpage', 'My Work', 'schedule'),
          leaf('/sales/leads', 'Leads', 'funnel'),
          leaf('/sales/activities', 'Activities', 'calendar-check'),
        ],
      },
      {
        key: 'reports',
        label: 'Reports',
        icon: 'file-chart',
        children: [leaf('/reports/standard/salesAgentReport', 'Sales agents', 'rise')],
      },
      {
        key: 'administration',
        label: 'Administration',
        icon: 'setting',
        hiddenOffline: true,
        children: [leaf('/admin/users/list', 'Users', 'user'), leaf('/admin/roles/list', 'Roles', 'safety')],
      },
    ],
    screens: [
      screen('/', 'Dashboard', { offline: true }),
      screen('/agents/landingpage', 'My Work', { offline: true }),
      screen('/sales/leads', 'Leads'),
      screen('/sales/leads/create', 'New lead', { offline: true, createOrder: 10 }),
      screen('/sales/leads/edit/:id', 'Edit lead'),
      screen('/sales/activities', 'Activities'),
      screen('/reports/standard/salesAgentReport', 'Sales agents'),
      screen('/admin/users/list', 'Users'),
      screen('/admin/roles/list', 'Roles', { permitted: false }),
      screen('/sales/agents/location/:lng/:lat', 'Location', { layout: 'plain' }),
    ],
    language: [{ label: 'Activities', value: 'Visits' }],
    version: '0.9.9',
    build: 'test',
    serverNow: new Date().toISOString(),
    ...change,
  }
}

/** An unsigned access token the console can read. */
export function fixtureToken(claims: Record<string, unknown> = {}): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  return `${part({ alg: 'EdDSA' })}.${part({ sub: '11111111-1111-4111-8111-111111111111', iat: now, exp: now + 600, ...claims })}.x`
}

/** Every public route of the specification, with parameters filled in. */
export const publicPaths = [
  '/login',
  '/login/oauth/authorize?client_id=fleet&redirect_uri=https%3A%2F%2Ffleet.example.com%2Fback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256',
  '/login/oauth/authorize',
  '/token',
  '/impersonate/7/grace',
  '/forgot-password',
  '/update-password',
  '/end-impersonation',
  '/reset-password/abc',
  '/verify/abc',
  '/account/verification/7/abc',
  '/saml',
  '/not-authorized',
  '/coming-soon',
  '/offline',
  '/no/such/page',
] as const
