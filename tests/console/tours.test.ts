import { describe, expect, it } from 'vitest'
import type { ConsoleLayout } from '@outpost/contract/console'
import { calm, findViolations } from './support/browser.ts'
import type { TestPage } from './support/browser.ts'
import { fixtureLayout } from './support/fixture.ts'
import { useSite } from './support/site.ts'

const site = useSite()
const view = { kind: 'report', title: 'Dashboard', report: 'x', description: '', parameters: [], formats: ['xlsx'] }

/** A person at a browser, not a program: tours start for people only. `tours` is what the server keeps of them. */
async function visit(tours: ConsoleLayout['user']['tours'] = {}, scheme: 'light' | 'dark' = 'light') {
  const plain = fixtureLayout()
  const kept = { ...tours }
  const test = await site.open({
    scheme,
    layout: { ...plain, user: { ...plain.user, tours: kept } },
    answers: {
      'GET /api/console/screens/*': () => ({ view }),
      'GET /api/reports/*': () => ({ runs: [], reportRuns: [] }),
      'POST /api/users/tour': (route) => {
        const { name, ...state } = route.request().postDataJSON() as { name: string }
        kept[name] = state
        return { tours: kept }
      },
    },
  })
  await test.context.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }))
  return { ...test, kept }
}

/** A key that comes before a step is drawn to its end goes to nobody: the tour takes the next one then. */
const goOn = async (page: TestPage['page']): Promise<void> => {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await page.keyboard.press('ArrowRight')
}

const tourOf = ({ page }: Pick<TestPage, 'page'>) => page.getByRole('dialog', { name: /menu|Search|You and your work/ })

describe('the tour of a screen', () => {
  it.each(['light', 'dark'] as const)('starts at the first visit, is worked by keyboard and sound to all, %s', async (scheme) => {
    const test = await visit({}, scheme)
    const { page, kept } = test
    await page.goto('/')
    await tourOf(test).getByText('Everything your role may open.').waitFor()
    await calm(page)
    expect(await findViolations(page)).toEqual([])
    await goOn(page)
    await tourOf(test).getByText('Screens, records and actions in one box.').waitFor()
    await goOn(page)
    await tourOf(test).getByText('Where you work').waitFor()
    expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true)
    await page.getByRole('button', { name: 'Done' }).click()
    await tourOf(test).waitFor({ state: 'detached' })
    await expect.poll(() => kept.home).toMatchObject({ status: 'done', version: 1 })
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('button', { name: /profile menu/ }).click()
    await page.getByRole('button', { name: 'Tour of this page' }).click()
    await tourOf(test).getByText('Everything your role may open.').waitFor()
    await page.keyboard.press('Escape')
    await tourOf(test).waitFor({ state: 'detached' })
  })

  it('is skipped for good, until it has a new version', async () => {
    const test = await visit({ home: { status: 'done', version: 0 } })
    await test.page.goto('/')
    await test.page.getByRole('button', { name: 'Skip this tour' }).click()
    await expect.poll(() => test.kept.home).toMatchObject({ status: 'skipped', version: 1 })
    await test.page.reload()
    await test.page.getByRole('link', { name: 'Dashboard' }).waitFor()
    expect(await tourOf(test).count()).toBe(0)
  })

  it('and all others are wanted no more, until one wants them again', async () => {
    const test = await visit()
    const { page, kept } = test
    await page.goto('/')
    await page.getByRole('button', { name: 'Show no tours' }).click()
    await expect.poll(() => kept.all).toMatchObject({ status: 'skipped' })
    await page.goto('/profile')
    await page.getByRole('heading', { name: 'Tours' }).waitFor()
    await page.getByRole('switch', { name: 'Show the tour of a page at my first visit' }).click()
    await expect.poll(() => kept.all).toMatchObject({ status: 'started' })
    await page.getByRole('button', { name: 'Show the tour: Your dashboard' }).click()
    await tourOf(test).getByText('Everything your role may open.').waitFor()
  })
})
