import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { ConsoleLayout, ScreenEntry } from '@outpost/contract/console'
import { calm, goTo, launchLasting, tooWide } from '../console/support/browser.ts'
import { until } from '../support/until.ts'
import { isNightly, ways, waysAt, type Way } from '../support/size.ts'
import { openPerson, signIn, type Person } from '../support/browser.ts'
import { metadataXml } from '../support/identity-provider.ts'
import { leaveTwice } from './support/left-twice.ts'
import { callAs, type Call } from './support/calls.ts'
import { pushFrom } from './support/device.ts'
import { look, settle, type Look } from './support/look.ts'
import { takeShifts, watchShifts } from './support/shifts.ts'

const url = inject('outpostUrl')
const open =
  '/login /login/oauth/authorize?client_id=x /token /impersonate/1/officer /forgot-password /update-password /end-impersonation /reset-password/x /verify/x /account/verification/1/x /not-me/x /saml /not-authorized /coming-soon /offline /no-such-page /logout'.split(
    ' ',
  )
/** A screen with next to nothing on it. */
const nowhere = '/no/such/page'
const own = ['/profile', '/profile/edit', '/profile/sign-ins', '/profile/change-password', nowhere]
let browser: Browser
let call: Call

beforeAll(async () => {
  browser = await launchLasting()
  call = await callAs(url, 'admin@sunrise.test')
  // The demo company calls everything by its usual name.
  await call('POST', '/api/config/labels', { label: 'Postcode', value: 'Post code' })
  // Nor has it another system, with an address of its own.
  const [tenant] = ((await call('GET', '/api/tenants?size=1')).body as unknown as { data: { tenants: { Id: string }[] } }).data.tenants
  const made = await call('POST', '/api/api-users', { firstName: 'Payroll', tenants: [tenant?.Id], permissions: ['SALES/LEADS'] })
  const { apiUser } = (made.body as unknown as { data: { apiUser: { Id: string } } }).data
  await call('POST', '/api/ip-addresses', { name: 'Payroll', range: '127.0.0.1', appliesTo: 'user', userId: apiUser.Id })
  await pushFrom(url, 'officer@sunrise.test')
  await call('POST', '/api/webhooks', { name: 'Payroll', url: 'https://hooks.example.org/outpost', events: ['lead.created'] })
  await call('POST', '/api/oauth-clients', {
    name: 'Payroll',
    clientType: 'confidential',
    redirectUris: ['https://payroll.example.org/back'],
  })
})
/** What the demo has none of and would lead others astray: it goes again with this file. */
async function makeForAdministrators(): Promise<void> {
  const { roles = [] } = (await call('GET', '/api/roles?size=50')).body.data as { roles?: { Id: string; name: string }[] }
  const role = roles.find(({ name }) => name === 'Loan Officer') ?? roles[0]
  await call('POST', '/api/saml-providers', { name: 'Payroll', metadata: metadataXml(), linksByEmail: true })
  await call('POST', '/api/applications/limits', { roleId: role?.Id, amount: 1_000 })
  await call('POST', '/api/report-categories', { name: 'People', reports: ['userLoginReport'] })
  await call('POST', '/api/statements', { source: 'bank', csv: 'Date,Amount,Reference\n2026-01-05,10.00,B1' })
  await call('POST', '/api/reconciliation/run', {})
  await until(
    async () => JSON.stringify((await call('GET', '/api/reconciliation/differences?size=1')).body).includes('differenceNumber'),
    30_000,
  )
  await leaveTwice(url, call)
  await call('POST', '/api/statements/rules', { position: 1, column: 'details', holds: 'bank fee', does: 'ignore' })
  await call('POST', '/api/geo/asset-group', { name: 'Pool cars' })
  await call('POST', '/api/geo/asset-category', { name: 'Pool cars' })
  // A vehicle that the officer sees, too.
  const officer = await callAs(url, 'officer@sunrise.test')
  const { assets } = (await officer('GET', '/api/tracking/assets?size=1')).body.data as { assets: { Id: string }[] }
  const assetId = assets[0]?.Id
  const made = await call('POST', '/api/tracking/maintenance-plans', { name: 'Service', assetId, everyDays: 180 })
  const { maintenancePlan } = made.body.data as { maintenancePlan: { Id: string } }
  await call('POST', '/api/tracking/maintenance-entries', { planId: maintenancePlan.Id, assetId, doneOn: '2026-01-05' })
  const { loans } = (await call('GET', '/api/loans?size=200')).body.data as { loans: { Id: string; status: string }[] }
  const loanId = loans.find(({ status }) => status === 'Active')?.Id
  await call('POST', '/api/security-sales', { loanId, description: 'Generator', soldOn: today(), price: 100, costs: 10, channel: 'bank' })
}

async function removeAll(path: string, many: string): Promise<void> {
  const rows = ((await call('GET', `${path}?size=50`)).body.data as Record<string, { Id: string }[]>)[many] ?? []
  for (const { Id } of rows) await call('POST', `${path}/delete`, { id: Id })
}
afterAll(async () => {
  call = await callAs(url, 'admin@sunrise.test')
  await removeAll('/api/saml-providers', 'samlProviders')
  await removeAll('/api/applications/limits', 'approvalLimits')
  await removeAll('/api/report-categories', 'reportCategories')
  await browser.close()
})

describe('every screen, light and wide, dark and narrow', () => {
  it('for strangers', async () => {
    const person = await openPerson(browser, { url })
    person.allow(/status of 501.*\/auth-url\/saml/, 'no company of the demo has an identity provider: the screen says so')
    expect(bad(await walk(person, open, { go: async (path) => void (await person.page.goto(path)), looks: ways }))).toEqual([])
    await person.context.close()
  })

  it.each(['admin@sunrise.test', 'officer@sunrise.test'])(
    'for %s, who may have any width of window',
    async (email) => {
      const isAdmin = email.startsWith('admin')
      // A session of a program lasts ten minutes, the walk before this one may have taken longer.
      call = await callAs(url, 'admin@sunrise.test')
      if (isAdmin) await makeForAdministrators()
      const paths = await pathsOf(email)
      expect(paths.length).toBeGreaterThan(isAdmin ? 25 : 10)
      // Two walk, each half of the way: one alone mostly waits for what its page asks.
      const halves = [0, 1].map((half) => paths.filter((_, place) => place % 2 === half))
      for (const found of await Promise.all(halves.map((half) => walkAs(email, half))))
        expect(found).toEqual({ looks: [], wide: [], unsteady: [], faults: [] })
    },
    isNightly ? 2_400_000 : 1_800_000,
  )
})

/** What is wrong with these screens as somebody sees them: what looks found, what sticks out, what moves by itself, and faults. */
async function walkAs(email: string, paths: readonly string[]): Promise<Record<'looks' | 'wide' | 'unsteady' | 'faults', unknown[]>> {
  const isAdmin = email.startsWith('admin')
  const person = await openPerson(browser, { url })
  person.allow(
    /status of 503.*\/(api\/tracking|geo)\//,
    'no geo service runs beside this house: its screens say so; with one they are in tests/geo/devices-screen.test.ts',
  )
  await watchShifts(person.context)
  await showFewRows(person)
  await signIn(person, email)
  const wide: string[] = []
  const unsteady: string[] = []
  const go = async (path: string) => {
    await takeShifts(person.page)
    await goTo(person.page, path)
  }
  const arrived = async (path: string) => {
    const shift = await takeShifts(person.page)
    if (shift) unsteady.push(`${path} ${shift}`)
  }
  const fit = async (path: string) => {
    wide.push(...(await tooWideAt(person, isAdmin ? widths : [])).map((what) => `${path} at ${what}`))
  }
  // The administrator comes to each screen with the smallest phone, where least has room, the officer with a computer. What the officer
  // may open is drawn by the same views: every day they are asked for faults, calls that are refused and what moves or sticks out, every
  // night for all that axe knows.
  const looks = await walk(person, paths, {
    go,
    away: () => goTo(person.page, nowhere),
    arrived,
    also: fit,
    looks: isAdmin ? waysAt(1440, 320).toReversed() : isNightly ? ways : ways.slice(0, 1),
    rules: isAdmin || isNightly ? undefined : [],
  })
  await person.context.unrouteAll({ behavior: 'ignoreErrors' })
  await person.context.close()
  return { looks: bad(looks), wide, unsteady, faults: person.faults }
}

/** Records of a list are alike: a phone draws a hundred cards of them, and axe asks about each. Every day some are enough, at night a whole page. */
const mostRows = isNightly ? 100 : 8
const showFewRows = ({ context }: Person): Promise<unknown> =>
  context.route('**/api/console/screens/**', async (route) => {
    const response = await route.fetch()
    if (response.status() !== 200) return route.fulfill({ response })
    const body = (await response.json()) as { data?: { view?: { pageSize?: number } } }
    const view = body.data?.view
    if (view?.pageSize !== undefined) view.pageSize = Math.min(view.pageSize, mostRows)
    await route.fulfill({ response, json: body })
  })

const widths = isNightly ? [768, 1280, 1920] : []
/** Widths at which the screen that is open scrolls sideways, and what does it. */
async function tooWideAt({ page }: Person, all: readonly number[]): Promise<string[]> {
  const found: string[] = []
  for (const width of all) {
    await page.setViewportSize({ width, height })
    await settle({ page })
    found.push(...(await tooWide(page)).map((what) => `${width}: ${what}`))
  }
  return found
}

const height = 800

type Step = (path: string) => Promise<void>

interface Steps {
  go: Step
  looks: readonly Way[]
  /** Rules of axe, none of them when empty; without them all. */ rules?: string[] | undefined
  /** Leaves a screen before the window takes the size of the next: to draw it once more in that size is work for nobody. */
  away?: () => Promise<void>
  arrived?: Step
  also?: Step
}

/** Opens each screen once, in the first way, and looks at it in all of them; `arrived` looks when it has come to rest, `also` when all have looked. */
async function walk(
  person: Person,
  paths: readonly string[],
  { go, away, looks: [first, ...others], rules, arrived, also }: Steps,
): Promise<Look[]> {
  const looks: Look[] = []
  const take = async ({ scheme, width }: Way) => {
    await person.page.emulateMedia({ colorScheme: scheme })
    await person.page.setViewportSize({ width, height })
  }
  for (const path of paths) {
    if (away && others.length > 0) await leave(person, away)
    if (first) await take(first)
    await calm(person.page)
    await leave(person, () => go(path))
    await settle(person).catch(async (error: unknown) => {
      throw new Error(`${path} never comes to rest: ${await unrest(person)}`, { cause: error })
    })
    await arrived?.(path)
    if (first) looks.push(await look(person, `${path}, ${first.scheme} at ${first.width}`, rules))
    for (const way of others) {
      await take(way)
      await settle(person)
      looks.push(await look(person, `${path}, ${way.scheme} at ${way.width}`, rules))
    }
    await also?.(path)
  }
  return looks
}

/** Placeholders for what is still to come. */
const unrest = ({ page }: Person): Promise<string> =>
  page.evaluate(
    () =>
      [
        ...document.querySelectorAll(
          '[role="status"][aria-label="Loading"], .ant-skeleton, .ant-spin-spinning, .ant-btn-loading, [aria-busy="true"]',
        ),
      ]
        .map((element) => element.outerHTML.slice(0, 200))
        .join(' ') || `no main heading: ${document.querySelector('main')?.innerHTML.slice(0, 300) ?? 'no main'}`,
  )

/** Goes, and waits until the former screen is gone: by another heading, or, when both are called the same, after a moment. */
async function leave({ page }: Person, go: () => Promise<void>): Promise<void> {
  const former = await page
    .locator('h1')
    .allInnerTexts()
    .catch(() => [])
  await go()
  const isGone = (texts: readonly string[]) =>
    [...document.querySelectorAll('h1')].map((heading) => heading.innerText).join() !== texts.join()
  await page.waitForFunction(isGone, former, { timeout: 1_000 }).catch(() => undefined)
}

/** Screens with something wrong, and what it is. */
function bad(looks: readonly Look[]): object[] {
  return looks.flatMap(({ what, title, heading, ...found }) => {
    const isNamed = / · \S/.test(title) && heading !== '' && !heading.includes('|')
    return isNamed && found.violations.length === 0 && found.tooWide.length === 0 && found.faults.length === 0
      ? []
      : [{ what, title, heading, ...found }]
  })
}

/** Every screen that the console offers to someone, with a record in the place of :id. */
async function pathsOf(email: string): Promise<string[]> {
  const asPerson = await callAs(url, email)
  const { screens } = ((await asPerson('GET', '/api/console')).body as unknown as { data: ConsoleLayout }).data
  const permitted = screens.filter((screen) => screen.permitted)
  return [...own, ...(await Promise.all(permitted.map((screen) => pathOf(screen, asPerson))))]
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
async function pathOf({ path: plain, takesId }: ScreenEntry, asPerson: Call): Promise<string> {
  const path = takesId ? `${plain}?id=:id` : plain
  if (!/:(id|a)\b/.test(path)) return path
  const list = Object.entries(lists).find(([start]) => path.startsWith(start))?.[1]
  // Records of the geo service, which is away here.
  if (path.startsWith('/tracking/') && !list) return path.replace(':id', randomUUID()).replace(':date', today())
  if (!list) throw new Error(`Which record shows ${path}? Name its list in this test.`)
  const rowsOf = async (by: Call) =>
    Object.values(
      ((await by('GET', `/api/${list}${list.includes('?') ? '&' : '?'}size=2`)).body as { data?: Record<string, { Id: string }[]> }).data ??
        {},
    )[0] ?? []
  const theirs = await rowsOf(asPerson)
  const [row, other = row] = theirs.length > 0 ? theirs : await rowsOf(call)
  if (!row) throw new Error(`/api/${list} has no record to show ${path} with.`)
  return path
    .replace(/:(id|a)\b/, row.Id)
    .replace(/:b\b/, other?.Id ?? row.Id)
    .replace(':date', today())
}

const today = (): string => new Date().toISOString().slice(0, 10)
