import type { BrowserContext, Page, Route } from 'playwright'
import { expect, it } from 'vitest'
import type { ChangeRecord } from '@outpost/contract/sync'
import { goTo } from './support/browser.ts'
import { newLead, signInOfficer, typeIn, waitForStores } from './support/officer.ts'
import { useSite } from './support/site.ts'

const site = useSite()
const day = 86_400_000
const poll = <T>(read: () => T) => expect.poll(read)

/** The clock of the device is set wrong by so much, now and after each reload. */
async function setClock({ page, context }: { page: Page; context: BrowserContext }, skew: number): Promise<void> {
  const shift = (by: number) => {
    const root = globalThis as unknown as { trueNow?: () => number }
    root.trueNow ??= Date.now.bind(Date)
    const { trueNow } = root
    Date.now = () => trueNow() + by
  }
  await context.addInitScript(shift, skew)
  await page.evaluate(shift, skew)
}

it('a clock that is off by a day, and jumps by two in the middle of the work, locks nobody out and loses nothing (sync fault 7)', async () => {
  const test = await signInOfficer(site)
  const { page, context, office, setOffline } = test
  const told: ChangeRecord[][] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/sync/push')) told.push((request.postDataJSON() as { changes: ChangeRecord[] }).changes)
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
  await newLead(page, '0711000022', 'Late')
  await page.getByText('Late Achieng').first().waitFor()
  // Signed out and in without a connection: the last contact lies two days ahead of what the clock says now.
  await goTo(page, '/logout')
  await page.getByRole('button', { name: 'Keep on this device and sign out' }).click()
  await typeIn(page)
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  await setOffline(false)
  await poll(() => office.rows().map((row) => row.firstName)).toEqual(expect.arrayContaining(['Early', 'Late']))
  expect([...office.effects.values()]).toEqual([1, 1])
  // In the order in which they were made, although the second says that it is two days older.
  expect(told.flat().map(({ snapshot }) => snapshot?.['firstName'])).toEqual(['Early', 'Late'])
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
    const { changes } = route.request().postDataJSON() as { changes: unknown[] }
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
