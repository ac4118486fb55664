import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { goTo } from '../console/support/browser.ts'
import { signIn } from '../support/browser.ts'
import { settle } from './support/look.ts'
import { usePeople } from './support/people.ts'
import { takeShifts, watchShifts } from './support/shifts.ts'

const { meet } = usePeople()

const headingOf = (page: Page) =>
  page.locator('main h1').evaluate((heading) => {
    const { left, top } = heading.getBoundingClientRect()
    return { text: heading.textContent, left: Math.round(left), top: Math.round(top) }
  })

/** Holds the description of a screen back until it is let go. */
async function hold(page: Page, id: string): Promise<() => void> {
  let release: () => void = () => undefined
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route(`**/api/console/screens/${id}`, async (route) => {
    await held
    await route.continue()
  })
  return release
}

const screens = [
  { path: '/sales/leads', id: 'sales-leads', title: 'Leads', shape: 'list' },
  { path: '/sales/leads/create', id: 'sales-leads-create', title: 'New lead', shape: 'form' },
  { path: '/sales/dashboard', id: 'sales-dashboard', title: 'Sales dashboard', shape: 'board' },
  { path: '/admin/settings', id: 'admin-settings', title: 'Settings', shape: 'form' },
  { path: '/sales/leadsdashboard', id: 'sales-leadsdashboard', title: 'Leads dashboard', shape: 'board' },
]

describe('a screen whose description is still on its way', () => {
  it.each([1440, 360])('has its heading and the outline of what comes at once, and nothing moves when it comes (%i px)', async (width) => {
    const person = await meet({ width, height: 900 })
    const { page } = person
    await watchShifts(person.context)
    await signIn(person, 'admin@sunrise.test')
    for (const { path, id, title, shape } of screens) {
      await goTo(page, '/notifications')
      await settle(person)
      await takeShifts(page)
      const release = await hold(page, id)
      await goTo(page, path)
      await page.locator(`.outline[data-shape=${shape}]`).waitFor()
      const before = await headingOf(page)
      expect(before.text).toBe(title)
      release()
      await settle(person)
      expect(await headingOf(page)).toEqual(before)
      expect({ path, shifts: await takeShifts(page) }).toEqual({ path, shifts: null })
    }
  })
})

describe('My Work on a slow line', () => {
  it.each([1440, 360])(
    'shows its cards in their order: what somebody reads already does not move when more comes (%i px)',
    async (width) => {
      const person = await meet({ width, height: 900 })
      const { page } = person
      await watchShifts(person.context)
      // A card gives its place up after 3 s: not here, where a slow machine may need them.
      await person.context.addInitScript(() => {
        const own = window.setTimeout
        window.setTimeout = ((run: TimerHandler, ms?: number, ...rest: unknown[]) =>
          own(run, ms === 3_000 ? 60_000 : ms, ...rest)) as typeof window.setTimeout
      })
      await signIn(person, 'officer@sunrise.test')
      await page.goto('/profile/sign-ins')
      await settle(person)
      // Later calls are answered before earlier ones, and the other way round; all of them long before a place is given up.
      let calls = 0
      await page.route('**/api/**', async (route) => {
        await new Promise((done) => {
          setTimeout(done, ((calls += 1) * 200) % 500)
        })
        await route.continue()
      })
      await takeShifts(page)
      await goTo(page, '/agents/landingpage')
      await settle(person)
      await page.getByRole('heading', { name: /New leads/ }).waitFor()
      expect(await takeShifts(page)).toBeNull()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    },
  )

  it('has a dash for a figure that is not known yet', async () => {
    const person = await meet({ width: 390, height: 844 })
    const { page } = person
    await signIn(person, 'officer@sunrise.test')
    await page.goto('/profile/sign-ins')
    await settle(person)
    const known = Promise.withResolvers<void>()
    await page.route(/\/api\/(leads|activities\/agent-my-work-activities)\?/, async (route) => {
      await known.promise
      await route.continue()
    })
    await goTo(page, '/agents/landingpage')
    const progress = page.getByRole('region', { name: 'Progress' })
    await progress.getByText('Done today').waitFor()
    expect(await progress.innerText()).toMatch(/Done today\s*–\s*Overdue\s*–\s*Waiting\s*–\s*Captured today\s*–$/)
    known.resolve()
    await expect.poll(() => progress.innerText()).toMatch(/Done today\s*\d+ \/ \d+\s*Overdue\s*\d+\s*Waiting\s*\d+\s*Captured today\s*\d+$/)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})
