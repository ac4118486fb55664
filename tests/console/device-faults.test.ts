import type { BrowserContext, Page, Route } from 'playwright'
import { expect, it } from 'vitest'
import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import { goTo, refuse, sentBy } from './support/browser.ts'
import { fieldAnswers, officerLayout } from './support/field.ts'
import { fixtureToken } from './support/fixture.ts'
import { newLead, signInOfficer, typeIn, waitForStores } from './support/officer.ts'
import { useSite } from './support/site.ts'

const site = useSite()
const day = 86_400_000
const poll = <T>(read: () => T) => expect.poll(read)

/** The clock of the device is set wrong by so much, now and after each reload. */
async function setClock({ page, context }: { page: Page; context: BrowserContext }, skew: number): Promise<void> {
  const shift = (by: number) => {
    const root = globalThis as unknown as { Date: DateConstructor; TrueDate?: DateConstructor }
    root.TrueDate ??= Date
    const { TrueDate } = root
    root.Date = class extends TrueDate {
      constructor(...given: [] | [string]) {
        if (given.length > 0) super(...(given as [string]))
        else super(TrueDate.now() + by)
      }
      static override now() {
        return TrueDate.now() + by
      }
    } as DateConstructor
  }
  await context.addInitScript(shift, skew)
  await page.evaluate(shift, skew)
}

it('a clock that is off by a day, and jumps by two in the middle of the work, in another time zone then, locks nobody out and loses nothing (sync fault 7)', async () => {
  const test = await signInOfficer(site)
  const { page, context, office, setOffline } = test
  const told: ChangeRecord[][] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/sync/push')) told.push(sentBy<{ changes: ChangeRecord[] }>(request).changes)
  })
  await page.getByText('Wanjiru Kamau').first().waitFor()
  await setClock(test, day)
  await page.reload()
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  await waitForStores(page)
  await setOffline(true)
  await newLead(page, '0711000021', 'Early')
  await page.getByText('Early Achieng').first().waitFor()
  await setClock({ page, context }, -day)
  // And the phone is in another zone meanwhile: another day's date, another hour.
  await (await context.newCDPSession(page)).send('Emulation.setTimezoneOverride', { timezoneId: 'Pacific/Kiritimati' })
  await newLead(page, '0711000022', 'Late')
  await page.getByText('Late Achieng').first().waitFor()
  // Signed out and in without a connection: the last contact lies two days ahead of what the clock says now.
  await goTo(page, '/logout')
  await page.getByRole('button', { name: 'Keep on this device and sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await typeIn(page)
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  await setOffline(false)
  await poll(() => office.rows().map((row) => row.firstName)).toEqual(expect.arrayContaining(['Early', 'Late']))
  expect([...office.effects.values()]).toEqual([1, 1])
  // In the order in which they were made, although the second says that it is two days older.
  expect(told.flat().map(({ snapshot }) => snapshot?.['firstName'])).toEqual(['Early', 'Late'])
  // What the clock said, two days apart, and not what another zone makes of it.
  const [early = 0, late = 0] = told.flat().map(({ dateModified }) => Date.parse(dateModified))
  expect(Math.round((early - late) / day)).toBe(2)
})

it('a tab that froze while it sent is passed over by another one, and what both sent counts once (sync fault 10)', async () => {
  const { page, context, office, setOffline } = await signInOfficer(site)
  await page.getByText('Wanjiru Kamau').first().waitFor()
  await waitForStores(page)
  const other = await context.newPage()
  await other.goto('/sales/leads')
  await other.getByText('Otieno Ouma').first().waitFor()
  await setOffline(true)
  await newLead(page, '0711000031')
  await other.getByText('Neema Achieng').first().waitFor()
  // The first push leaves the tab and hangs; the tab is frozen while it has the lock.
  const hanging = Promise.withResolvers<Route>()
  let isFirst = true
  await context.route('**/api/sync/push', (route) => {
    const { changes } = sentBy<{ changes: unknown[] }>(route.request())
    if (!isFirst || changes.length === 0) return route.fallback()
    isFirst = false
    hanging.resolve(route)
  })
  await setOffline(false)
  const held = await hanging.promise
  const cdp = await context.newCDPSession(page)
  await cdp.send('Page.setWebLifecycleState', { state: 'frozen' })
  await other.bringToFront()
  expect(office.rows()).toHaveLength(3)
  await other.evaluate(() => {
    // Its last sign of life is as old as a tab that is seen takes for dead.
    for (const key of Object.keys(localStorage)) if (key.startsWith('outpost.beat:')) localStorage.setItem(key, String(Date.now() - 90_001))
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await poll(() => office.rows()).toHaveLength(4)
  await held.fallback()
  await cdp.send('Page.setWebLifecycleState', { state: 'active' })
  await page.bringToFront()
  for (const tab of [page, other]) await tab.getByRole('button', { name: /waiting/ }).waitFor({ state: 'detached' })
  expect([...office.effects.values()]).toEqual([1])
  expect(office.rows()).toHaveLength(4)
  await other.close()
})

it('asks the browser to keep its storage for good, says what it promised, and warns while little room is left', async () => {
  const { answers } = fieldAnswers()
  const { page, context } = await site.open({ answers })
  await context.addInitScript(() => {
    const room = { quota: 100 * 1024 * 1024, usage: 60 * 1024 * 1024 }
    let isKept = false
    Object.assign(globalThis, { room })
    Object.assign(StorageManager.prototype, {
      persisted: async () => isKept,
      persist: async () => (isKept = true),
      estimate: async () => ({ ...room }),
    })
  })
  await typeIn(page)
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  await waitForStores(page)
  await page.getByRole('button', { name: /^Application is currently online/ }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('kept for good').waitFor()
  await drawer.getByText('Only 40 MB are left on this device. Sync and free some space.').waitFor()
  // Looked at again with every sync. What is left of little room is for unsent work.
  const use = (megabytes: number) =>
    page.evaluate((usage) => Object.assign((globalThis as unknown as { room: object }).room, { usage }), megabytes * 1024 * 1024)
  const stopped = drawer.getByText('Until then nothing new is loaded. What you make is kept and sent.')
  expect(await stopped.count()).toBe(0)
  await use(85)
  await drawer.getByRole('button', { name: 'Sync now' }).click()
  await stopped.waitFor()
  await use(0)
  await drawer.getByRole('button', { name: 'Sync now' }).click()
  await drawer.getByText(/MB are left/).waitFor({ state: 'detached' })
})

it('keeps the data of two people who use one device apart, and sends what each left in their own name', async () => {
  const amina = '11111111-1111-4111-8111-111111111111'
  const brian = '22222222-2222-4222-8222-222222222222'
  const { office, answers } = fieldAnswers()
  let signedIn = amina
  const layout = () => {
    const base = officerLayout()
    return signedIn === amina
      ? base
      : {
          ...base,
          user: { ...base.user, Id: brian, firstName: 'Brian', lastName: 'Kip', userName: 'brian', emailAddress: 'brian@sunrise.test' },
        }
  }
  const session = () => ({ token: fixtureToken({ sub: signedIn }), serverNow: new Date().toISOString() })
  const sent: string[] = []
  const { page, setOffline } = await site.open({
    answers: {
      ...answers,
      'POST /api/auth/login': (route) => {
        signedIn = (route.request().postDataJSON() as { email: string }).email.startsWith('brian') ? brian : amina
        return session()
      },
      'POST /api/auth/refresh': session,
      'GET /api/console': layout,
      'POST /api/sync/push': (route) => {
        for (const { userId } of sentBy<{ changes: ChangeRecord[] }>(route.request()).changes) sent.push(`${signedIn === userId}`)
        return answers['POST /api/sync/push']?.(route)
      },
    },
  })
  const leave = async () => {
    await goTo(page, '/logout')
    await page.getByRole('button', { name: 'Keep on this device and sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }
  await typeIn(page)
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  await waitForStores(page)
  await setOffline(true)
  await newLead(page, '0711000051', 'Neema')
  await page.getByText('Neema Achieng').first().waitFor()
  await leave()
  await setOffline(false)
  await page.getByText('You are offline').waitFor({ state: 'detached' })

  await typeIn(page, { name: 'brian@sunrise.test', password: 'their own long password' })
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  await goTo(page, '/sales/leads')
  await page.getByText('Otieno Ouma').first().waitFor()
  await poll(async () =>
    page.evaluate(async () => (await indexedDB.databases()).filter(({ name }) => name?.startsWith('outpost:')).length),
  ).toBe(2)
  expect(await page.getByText('Neema Achieng').count()).toBe(0)
  await page.getByRole('button', { name: /^Application is currently online/ }).click()
  await page.getByRole('button', { name: 'Sync now' }).click()
  await page.getByText(/Last sync/).waitFor()
  expect(office.rows()).toHaveLength(3)
  await page.keyboard.press('Escape')
  await goTo(page, '/logout')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  await typeIn(page)
  await poll(() => office.rows().map((row) => row.firstName)).toContain('Neema')
  expect([...office.effects.values()]).toEqual([1])
  expect(new Set(sent)).toEqual(new Set(['true']))
})

it.each([
  {
    code: 'DEVICE_SIGNED_OUT',
    why: 'the office signed it out',
    words: 'Your office has signed this device out. It keeps no records any more',
  },
  { code: 'USER_DISABLED', why: 'its person was deactivated', words: 'This user is deactivated. Ask an administrator.' },
])('forgets the office’s records when $why, says so, and sends what was left once its person is back', async ({ code, words }) => {
  let isSignedOut = false
  const gone = (route: Route) => refuse(route, 401, code, 'Sign in again.')
  const { answers, office } = fieldAnswers()
  const { page, setOffline } = await site.open({
    answers: {
      ...answers,
      'POST /api/auth/login': (route) => {
        isSignedOut = false
        return answers['POST /api/auth/login']?.(route)
      },
      'POST /api/auth/refresh': (route) => (isSignedOut ? gone(route) : answers['POST /api/auth/refresh']?.(route)),
      'GET /api/sync/pull': (route) => (isSignedOut ? gone(route) : answers['GET /api/sync/pull']?.(route)),
      'POST /api/sync/push': (route) => (isSignedOut ? gone(route) : answers['POST /api/sync/push']?.(route)),
    },
  })
  await typeIn(page)
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  await waitForStores(page)
  await setOffline(true)
  await newLead(page, '0711000061')
  await page.getByText('Neema Achieng').first().waitFor()
  isSignedOut = true
  await setOffline(false)
  await page.getByText(words).waitFor()
  await poll(() => heldOn(page)).toEqual({ entities: ['pending'], log: 1, views: 0 })
  // Nobody opens the rest without the office.
  await setOffline(true)
  await typeIn(page)
  await page.getByText('Connect to the network and sign in to unlock it.').waitFor()
  await setOffline(false)
  await page.getByText('You are offline').waitFor({ state: 'detached' })
  await typeIn(page)
  await poll(() => office.rows().map((row) => row.firstName)).toContain('Neema')
  expect([...office.effects.values()]).toEqual([1])
})

/** What lies on the device, without its key: states of records, changes that wait, screens and lists. */
const heldOn = (page: Page) =>
  page.evaluate(async () => {
    const heard = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((done, failed) => {
        request.onsuccess = () => done(request.result)
        request.onerror = () => failed(request.error)
      })
    const all = async (name: string, store: string) => {
      const database = await heard(indexedDB.open(name))
      const rows = await heard(database.transaction(store).objectStore(store).getAll())
      database.close()
      return rows as { state: string }[]
    }
    const names = (await indexedDB.databases()).map(({ name = '' }) => name).filter((name) => name.startsWith('outpost:'))
    const [name = ''] = names
    return {
      entities: (await all(name, 'entities')).map(({ state }) => state),
      log: (await all(name, 'log')).length,
      views: (await all('outpost-views', 'views')).length,
    }
  })
