import { describe, expect, it } from 'vitest'
import { themes } from '../../packages/rules/src/theme/themes.ts'
import { isNightly } from '../support/size.ts'
import { calm, findViolations, refuse, rulesIn, tooWide } from './support/browser.ts'
import type { PageOptions, TestPage } from './support/browser.ts'
import { fixtureLayout, fixtureToken, publicPaths } from './support/fixture.ts'
import { waitForKeys } from './support/officer.ts'
import { useSite } from './support/site.ts'

const site = useSite()

/** Opens a page; every screen answers with a report view, the simplest that C2's renderer draws. */
async function open(path: string, options: Partial<PageOptions> = {}): Promise<TestPage> {
  const view = (title: string) => ({ kind: 'report', title, report: 'x', description: '', parameters: [], formats: ['xlsx'] })
  const answers = {
    'GET /api/console/screens/*': (route: { request: () => { url: () => string } }) => ({
      view: view(decodeURIComponent(route.request().url().split('/').at(-1) ?? '')),
    }),
    'GET /api/reports/*': () => ({ runs: [], reportRuns: [] }),
    ...options.answers,
  }
  const test = await site.open({ ...options, answers })
  await test.page.goto(path)
  await test.page.locator('h1').first().waitFor()
  return test
}

const signedIn = (layout = fixtureLayout()) => ({ layout })
const login = (user = fixtureLayout()) => ({
  'POST /api/auth/login': () => ({ token: fixtureToken({ sub: user.user.Id }), serverNow: new Date().toISOString() }),
  'GET /api/console': () => user,
})

async function signIn({ page }: TestPage, password = 'outpost-demo-2026'): Promise<void> {
  await page.getByLabel('E-mail or user name').fill('branch@sunrise.test')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('the public screens', () => {
  // The walk over every screen looks at them light and wide.
  it.each(isNightly ? (['dark', 'light'] as const) : (['dark'] as const))(
    'have no accessibility violation, %s, and reflow at 320 px',
    async (scheme) => {
      const { page } = await open('/login', { scheme, width: 320, height: 640 })
      for (const path of publicPaths) {
        await page.goto(path)
        await page.locator('h1').waitFor()
        expect({ path, found: await findViolations(page), tooWide: await tooWide(page) }).toEqual({ path, found: [], tooWide: [] })
      }
    },
  )

  it('wear the theme of their host, readable in light and dark', async () => {
    const port = new URL(site.url).port
    const { page } = await open('/login', { scheme: 'light' })
    for (const theme of themes.filter(({ hosts }) => hosts.length > 0)) {
      await page.goto(`http://${theme.key}.localhost:${port}/login`)
      for (const scheme of ['light', 'dark'] as const) {
        if (scheme === 'dark') await page.getByRole('button', { name: 'Use dark theme' }).click()
        await page.locator(`html[data-scheme=${scheme}] h1`).waitFor()
        await calm(page)
        const found = await findViolations(page, ['color-contrast'])
        const brand = await page.evaluate(() => document.documentElement.dataset.brand)
        expect({ brand, scheme, title: await page.title(), found }).toEqual({
          brand: theme.key,
          scheme,
          title: `Sign in · ${theme.productName}`,
          found: [],
        })
      }
    }
  })

  it('choose the scheme before the first paint and remember it', async () => {
    const { page } = await open('/login', { scheme: 'dark' })
    expect(await page.evaluate(() => document.documentElement.dataset.scheme)).toBe('dark')
    await page.getByRole('button', { name: 'Use light theme' }).click()
    expect(await page.evaluate(() => [document.documentElement.dataset.scheme, localStorage.getItem('outpost.theme')])).toEqual([
      'light',
      'light',
    ])
  })

  it('say that SAML is not configured, and confirm by a button only', async () => {
    const { page, calls } = await open('/saml', {
      answers: { 'GET /api/auth/auth-url/saml': (route) => refuse(route, 501, 'NOT_CONFIGURED', 'SAML is not configured') },
    })
    await page.getByRole('heading', { name: 'Single sign-on is not configured' }).waitFor()
    await page.goto('/verify/abc')
    await page.getByRole('button', { name: 'Confirm' }).waitFor()
    expect(calls).not.toContain('POST /api/auth/verify')
  })
})

describe('signing in', () => {
  it('lands where the layout says', async () => {
    const test = await open('/login', { answers: login(fixtureLayout({ landing: '/agents/landingpage' })) })
    await signIn(test)
    await test.page.waitForURL('**/agents/landingpage')
  })

  it('goes back to the address first asked for', async () => {
    const test = await open('/sales/leads?search=ada', { answers: login() })
    expect(test.page.url()).toContain('/login?redirectFrom=')
    await signIn(test)
    await test.page.waitForURL('**/sales/leads?search=ada')
  })

  it.each(['//evil.example', 'https://evil.example/x', '/\\evil.example'])('never leaves for %s', async (evil) => {
    const test = await open(`/login?redirectFrom=${encodeURIComponent(evil)}`, { answers: login() })
    await signIn(test)
    await test.page.locator('.o-layout').waitFor()
    expect(test.page.url()).toBe(`${site.url}/`)
  })

  it('says what was wrong, without a word on which part', async () => {
    const test = await open('/login', {
      answers: { 'POST /api/auth/login': (route) => refuse(route, 401, 'INVALID_CREDENTIALS', 'Invalid credentials') },
    })
    await signIn(test)
    await test.page.getByRole('alert').getByText('Invalid credentials').waitFor()
    expect(await findViolations(test.page)).toEqual([])
  })

  it('keeps no token where a script could find it', async () => {
    const test = await open('/login', { answers: login() })
    await signIn(test)
    await test.page.locator('.o-layout').waitFor()
    const kept = await test.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
    expect(kept).not.toContain('.x"')
    expect(kept).not.toContain('eyJ')
  })
})

describe('the guard', () => {
  it.each([
    ['/login', '/'],
    ['/token', '/'],
    ['/forgot-password', '/profile'],
    ['/update-password', '/profile/change-password'],
    ['/admin/roles/list', '/not-authorized?redirectFrom=%2Fadmin%2Froles%2Flist'],
  ])('sends a signed-in user from %s to %s', async (path, expected) => {
    const { page } = await open(path, signedIn())
    await page.waitForURL(`${site.url}${expected}`)
  })

  it('shows not-found inside and outside', async () => {
    const inside = await open('/sales/nothing', signedIn())
    await inside.page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
    // The menu stays, and there is a way on.
    await inside.page.locator('.o-layout').getByRole('button', { name: 'Go back' }).waitFor()
    const outside = await open('/nonsense')
    await outside.page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
  })

  it('ends at sign-in with the way back when the session is over', async () => {
    let isOver = false
    const ended = {
      'POST /api/auth/refresh': (route: Parameters<typeof refuse>[0]) =>
        isOver ? refuse(route, 401, 'SESSION_EXPIRED') : { token: fixtureToken() },
      'GET /api/auth/sessions': (route: Parameters<typeof refuse>[0]) =>
        isOver ? refuse(route, 401, 'SESSION_EXPIRED') : { sessions: [] },
    }
    const { page } = await open('/sales/leads', { ...signedIn(), answers: ended })
    isOver = true
    await page.getByRole('button', { name: /profile menu/ }).click()
    await page.getByRole('link', { name: 'Profile' }).click()
    await page.waitForURL('**/login?redirectFrom=**')
    await page.getByText('Your session has ended.').waitFor()
  })
})

describe('the layout', () => {
  for (const scheme of ['light', 'dark'] as const) {
    it(`has no accessibility violation with everything that opens, ${scheme}`, async () => {
      const { page } = await open('/profile', { ...signedIn(), scheme })
      const check = async (what: string): Promise<void> =>
        expect({ what, found: await findViolations(page, rulesIn(scheme)) }).toEqual({ what, found: [] })
      await check('layout')
      for (const name of [/^Notifications/, /^Tenant/, /profile menu$/]) {
        await page.getByRole('button', { name }).click()
        await page.locator('.o-panel').waitFor()
        await page.locator('.o-panel-wait').waitFor({ state: 'detached' })
        await check(String(name))
        await page.keyboard.press('Escape')
        await expectFocus(page, name)
      }
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await check('palette')
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await check('keyboard help')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Application is/ }).click()
      await page.mouse.move(600, 600)
      await page.getByRole('dialog').waitFor()
      await check('sync')
    })
  }

  it('fits each width of window, whether it begins with it or is brought there', async () => {
    const { page } = await open('/profile', { ...signedIn(), width: 1280, height: 740 })
    for (const width of [320, 360, 768, 991, 992, 1920]) {
      await page.setViewportSize({ width, height: 740 })
      if (isNightly || width === 320) await page.reload()
      await expect.poll(() => page.locator('.o-layout > .o-side').count()).toBe(width >= 992 ? 1 : 0)
      await calm(page)
      expect({ width, tooWide: await tooWide(page) }).toEqual({ width, tooWide: [] })
    }
  })

  it('collapses the menu from 992 px, opens it over the page below, and closes it after a choice', async () => {
    const wide = await open('/profile', signedIn())
    await wide.page.getByRole('button', { name: 'Menu', exact: true }).click()
    await wide.page.locator('.o-layout[data-collapsed]').waitFor()
    await wide.page.getByRole('button', { name: 'Sales' }).click()
    await wide.page.getByRole('link', { name: 'Leads' }).waitFor()
    const narrow = await open('/profile', { ...signedIn(), width: 480 })
    await narrow.page.getByRole('button', { name: 'Menu', exact: true }).click()
    await narrow.page.getByRole('button', { name: 'Sales' }).click()
    await narrow.page.getByRole('link', { name: 'Leads' }).click()
    await narrow.page.waitForURL('**/sales/leads')
    await narrow.page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  it('is worked by keyboard: skip link, palette, focus on the new heading', async () => {
    const { page } = await open('/profile', signedIn())
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    await page.keyboard.press('/')
    await page.getByPlaceholder('Search...').fill('lead')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sales/leads')
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
    expect(await page.title()).toBe('Leads · Outpost')
  })

  it('finds records in the palette and asks once the user stops typing', async () => {
    const found = [{ resource: 'leads', Id: '7', title: 'Ada Kamau', subtitle: '0712 000 000', screen: '/sales/leads/edit/7' }]
    const { page, calls } = await open('/profile', { ...signedIn(), answers: { 'GET /api/search': () => ({ results: found }) } })
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search...').waitFor()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    const asked = () => calls.filter((call) => call === 'GET /api/search').length
    for (const letter of 'ada ka') {
      await page.keyboard.type(letter)
      await page.clock.runFor(20)
    }
    expect(asked()).toBe(0)
    await page.clock.resume()
    await page.getByRole('option', { name: /Ada Kamau/ }).click()
    await page.waitForURL('**/sales/leads/edit/7')
    expect(asked()).toBe(1)
  })

  it('opens the view of a record, says its kind and branch, and asks 50 ms after the typing rests', async () => {
    const found = [
      { resource: 'lead', Id: '7', title: 'Ada Kamau', subtitle: '0712 000 000', place: 'Nairobi Branch', screen: '/sales/leads' },
    ]
    const { page, calls } = await open('/profile', { ...signedIn(), answers: { 'GET /api/search': () => ({ results: found }) } })
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search...').waitFor()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByPlaceholder('Search...').fill('new')
    const asked = () => calls.filter((call) => call === 'GET /api/search').length
    expect(await page.getByRole('option').first().innerText()).toMatch(/New lead\s+New · Sales/)
    await page.clock.runFor(40)
    expect(asked()).toBe(0)
    // Another 60 ms: less in all than the 150 ms that it once waited.
    await page.clock.runFor(60)
    await expect.poll(asked).toBe(1)
    await page.clock.resume()
    await page.getByRole('option', { name: /Ada Kamau/ }).waitFor()
    expect(asked()).toBe(1)
    expect(await page.getByRole('option', { name: /Ada Kamau/ }).innerText()).toMatch(/Lead · Nairobi Branch/)
    expect(await page.getByRole('option').first().innerText()).toContain('New lead')
  })

  it('replaces labels, hides what is not for these users, shows version and build', async () => {
    const { page } = await open('/sales/leads', signedIn())
    await page.getByRole('link', { name: 'Visits' }).waitFor()
    await page.getByText('Version 0.9.9 · Build test').waitFor()
    await page.getByText(`© ${new Date().getFullYear()} Outpost`).waitFor()
    expect(await page.getByRole('button', { name: 'Dashboard widgets' }).count()).toBe(0)
    const officer = await open('/', signedIn(fixtureLayout({ maySwitchTenant: false })))
    expect(await officer.page.getByRole('button', { name: /^Tenant/ }).count()).toBe(0)
    await officer.page.getByRole('button', { name: 'Dashboard widgets' }).click()
    await officer.page.waitForURL('**/?widgets=open')
  })

  it('shows notifications with badge, header and time, and marks them as read', async () => {
    let rows = [
      { Id: '1', itemType: 'Activity', message: 'Visit at ten', dateCreated: new Date(Date.now() - 300_000).toISOString() },
      { Id: '2', message: 'Hello', dateCreated: new Date().toISOString() },
    ]
    const answers = {
      'GET /api/notification/unreadnotifications': () => ({ notifications: rows, count: rows.length }),
      'POST /api/notification/markallread': () => {
        rows = []
        return {}
      },
    }
    const { page, calls } = await open('/profile', { ...signedIn(), answers })
    await page.getByRole('button', { name: 'Notifications, 2 unread' }).click()
    await page.locator('.o-notification').first().waitFor()
    expect((await page.locator('.o-notification').allInnerTexts()).map((text) => text.split('\n').slice(0, 3))).toEqual([
      ['AC', 'Activity', 'Visit at ten'],
      ['BC', 'Message', 'Hello'],
    ])
    await page.getByText('5 minutes ago').waitFor()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByText('Nothing new.').waitFor()
    await expect.poll(() => calls).toContain('POST /api/notification/markallread')
  })

  it('opens what a notification is about, which reads it', async () => {
    const rows = [
      {
        Id: '1',
        itemType: 'Message',
        message: 'A case was given to you',
        link: '/sales/leads/edit/7?tab=files',
        dateCreated: new Date().toISOString(),
      },
    ]
    const read: object[] = []
    const answers = {
      'GET /api/notification/unreadnotifications': () =>
        read.length === 0 ? { notifications: rows, count: rows.length } : { notifications: [], count: 0 },
      'POST /api/notification/markread': (route: Parameters<typeof refuse>[0]) => {
        read.push(route.request().postDataJSON() as object)
        return {}
      },
    }
    const { page } = await open('/profile', { ...signedIn(), answers })
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
    await page.getByRole('link', { name: 'A case was given to you' }).click()
    await page.waitForURL('**/sales/leads/edit/7?tab=files')
    await expect.poll(() => read).toEqual([{ ids: ['1'] }])
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  })

  it('opens from My Work what is unread, which reads it', async () => {
    const [message, link] = ['A case was given to you', '/sales/leads/edit/7?tab=files']
    const rows = [{ Id: '1', itemType: 'Message', message, link, dateCreated: new Date().toISOString() }]
    const read: object[] = []
    const answers = {
      'GET /api/console/screens/*': () => ({ view: { kind: 'custom', screen: 'my-work', title: 'My Work', data: {} } }),
      'GET /api/notification/unreadnotifications': () =>
        read.length === 0 ? { notifications: rows, count: rows.length } : { notifications: [], count: 0 },
      'POST /api/notification/markread': (route: Parameters<typeof refuse>[0]) => {
        read.push(route.request().postDataJSON() as object)
        return {}
      },
    }
    const { page } = await open('/sales/leads', { ...signedIn(), answers })
    await page.locator('.mw-news').getByRole('link', { name: message }).click()
    await page.waitForURL('**/sales/leads/edit/7?tab=files')
    await expect.poll(() => read).toEqual([{ ids: ['1'] }])
  })

  it('shows the one event of the fleet that a notification tells of, and all of them when asked', async () => {
    const event = (id: string, device: string) => ({
      ...{
        id,
        device,
        seq: 1,
        type: 'alarm',
        alarm: 'sos',
        severity: 'critical',
        deviceId: 'd1',
        geofence: null,
        eventIo: null,
        attributes: {},
      },
      ...{ eventTime: new Date().toISOString(), latitude: null, longitude: null, acknowledgedAt: null, note: null },
    })
    const answers = {
      'GET /api/console/screens/*': () => ({ view: { kind: 'custom', screen: 'fleet-events', title: 'Notifications', data: {} } }),
    }
    const { page } = await open('/profile', { ...signedIn(), answers })
    await page.route('**/geo/events**', (route) => {
      const isOne = new URL(route.request().url()).pathname.endsWith('/e1')
      const data = isOne ? { event: event('e1', 'KDA 123A') } : { events: [event('e2', 'KDB 777B'), event('e1', 'KDA 123A')] }
      return route.fulfill({ json: { success: true, data } })
    })
    await page.goto('/sales/leads?event=e1')
    await page.locator('.fleet-rows').getByText('KDA 123A').waitFor()
    expect(await page.locator('.fleet-rows > li').count()).toBe(1)
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.locator('.fleet-rows').getByText('KDB 777B').waitFor()
  })

  it('shows in the profile where one is signed in, ends one of these sessions, and all others', async () => {
    const session = (Id: string, deviceName: string, isCurrent = false) => ({
      Id,
      deviceName,
      isCurrent,
      userAgent: null,
      ip: '10.0.0.7',
      dateCreated: new Date(Date.now() - 3_600_000).toISOString(),
      lastSeenAt: new Date().toISOString(),
    })
    let sessions = [session('s1', 'Office laptop', true), session('s2', 'Phone of Grace'), session('s3', 'Lost tablet')]
    const answers = {
      'GET /api/auth/sessions': () => ({ sessions }),
      'POST /api/auth/sessions/end': (route: Parameters<typeof refuse>[0]) => {
        const { sessionId } = route.request().postDataJSON() as { sessionId?: string }
        sessions = sessions.filter(({ Id, isCurrent }) => (sessionId ? Id !== sessionId : isCurrent))
        return {}
      },
    }
    const { page } = await open('/profile', { ...signedIn(), answers })
    const card = page.getByRole('region', { name: 'Where you are signed in' })
    const shown = () => card.locator('li strong').allInnerTexts()
    await expect.poll(shown).toEqual(['Office laptop', 'Phone of Grace', 'Lost tablet'])
    expect(await findViolations(page)).toEqual([])
    await card.getByRole('button', { name: /^End the session of Lost tablet/ }).click()
    await expect.poll(shown).toEqual(['Office laptop', 'Phone of Grace'])
    await card.getByRole('button', { name: 'End all others' }).click()
    await expect.poll(shown).toEqual(['Office laptop'])
    expect(await card.getByRole('button').count()).toBe(0)
  })

  it('changes the tenant by the filtered tree and resets it', async () => {
    const layout = fixtureLayout()
    const [first, , third] = layout.user.tenants
    let selected = first!
    const answers = {
      'GET /api/console': () => ({ ...layout, user: { ...layout.user, selectedTenant: selected } }),
      'POST /api/auth/select-tenant': (route: Parameters<typeof refuse>[0]) => {
        const { tenantId } = route.request().postDataJSON() as { tenantId: string }
        selected = layout.user.tenants.find(({ Id }) => Id === tenantId) ?? selected
        return { selectedTenant: selected }
      },
    }
    const { page, requests } = await open('/profile', { ...signedIn(layout), answers })
    await page.getByRole('button', { name: 'Tenant: Sunrise Credit' }).click()
    await page.getByLabel('Search tenants').fill('westl')
    expect(await page.locator('.o-tenant-row').allInnerTexts()).toEqual(
      ['Sunrise Credit\nCompany', 'Nairobi Branch\nBranch', 'Westlands Team\nTeam'].map((text) =>
        expect.stringContaining(text.split('\n')[0]!),
      ),
    )
    await page.getByRole('button', { name: /Westlands Team/ }).click()
    await page.getByRole('button', { name: 'Tenant: Westlands Team' }).click()
    expect(
      requests
        .filter((request) => request.url().endsWith('/api/console'))
        .at(-1)
        ?.headers()['x-tenant-id'],
    ).toBe(third?.Id)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('button', { name: 'Tenant: Sunrise Credit' }).waitFor()
  })

  it('shows an impersonation at all times and hides what it must not do', async () => {
    const layout = fixtureLayout({
      realUser: { Id: '9', firstName: 'Amina', lastName: 'Otieno' },
      impersonation: { reason: 'Ticket 77', endsAt: new Date(Date.now() + 25 * 60_000).toISOString() },
    })
    const { page } = await open('/profile', signedIn(layout))
    const banner = page.getByRole('region', { name: 'Impersonation' })
    expect(await banner.innerText()).toMatch(/Amina Otieno, you work as Grace Wanjiku · Ticket 77 · 25 minutes left/)
    await banner.getByRole('link', { name: 'End User Impersonation' }).waitFor()
    await page.getByRole('button', { name: /profile menu/ }).click()
    expect(await page.locator('.o-profile-list').innerText()).not.toMatch(/Change password|Log out/)
    expect(await findViolations(page)).toEqual([])
  })
})

describe('without a connection', () => {
  it('says so in the specified words, hides administration, keeps to screens that allow it', async () => {
    const { page, setOffline } = await open('/profile', signedIn())
    await page.getByRole('button', { name: 'Application is currently online.' }).hover()
    await page.getByRole('tooltip', { name: 'Application is currently online.' }).waitFor()
    // What hovers is read too: it belongs to a landmark like everything else.
    expect(await findViolations(page)).toEqual([])
    // What it opens has the first Escape, though the pointer still rests on the button: its words would come above.
    for (const opening of ['with its code still to load', 'at once']) {
      await page.mouse.move(0, 0)
      await page.getByRole('tooltip', { name: 'Application is currently online.' }).waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Application is currently online.' }).click()
      await page.waitForFunction(() => document.activeElement?.closest('.ant-drawer'))
      await calm(page)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      expect(await page.getByRole('dialog').count(), opening).toBe(0)
    }
    await page.getByRole('button', { name: 'Administration' }).waitFor()
    await setOffline(true)
    await page.getByRole('button', { name: 'Application is currently offline.' }).waitFor()
    expect(await page.getByRole('button', { name: 'Administration' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Sales' }).click()
    await page.getByRole('link', { name: 'Leads' }).click()
    await page.waitForURL('**/offline?redirectFrom=%2Fsales%2Fleads')
    await page.getByRole('heading', { name: 'You are offline' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await setOffline(false)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.waitForURL('**/sales/leads')
  })

  it('lets a field user in again by password, from the sealed copy on the device', async () => {
    const layout = fixtureLayout({ isFieldRole: true, landing: '/agents/landingpage' })
    const test = await open('/login', { answers: login(layout) })
    await signIn(test)
    await test.page.waitForURL('**/agents/landingpage')
    await waitForKeys(test.page, [
      { database: 'outpost-views', store: 'views', key: ':frame' },
      { database: 'outpost-device', store: 'unlock', key: 'live' },
    ])
    const second = await test.context.newPage()
    await second.addInitScript(() => Object.defineProperty(navigator, 'onLine', { value: false }))
    await test.setOffline(true)
    await second.goto('/agents/landingpage')
    await second.waitForURL('**/login?redirectFrom=**')
    await second.getByText('You are offline').waitFor()
    await signIn({ ...test, page: second }, 'not the password')
    await second.getByText('Invalid credentials').waitFor()
    await signIn({ ...test, page: second })
    await second.waitForURL('**/agents/landingpage')
    await second.getByRole('button', { name: /Application is currently offline/ }).waitFor()
  })
})

async function expectFocus(page: TestPage['page'], name: RegExp): Promise<void> {
  await page.waitForFunction(
    (source) => new RegExp(source).test(document.activeElement?.textContent ?? ''),
    name.source.replace('^', '').replace('$', ''),
  )
}
