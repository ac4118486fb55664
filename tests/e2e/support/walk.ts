import type { Browser } from 'playwright'
import { calm, goTo, tooWide } from '../../console/support/browser.ts'
import { openPerson, signIn, type Person } from '../../support/browser.ts'
import { isNightly, type Way } from '../../support/size.ts'
import { until } from '../../support/until.ts'
import { readLate } from './late.ts'
import { look, settle, type Look } from './look.ts'
import { takeShifts, watchShifts } from './shifts.ts'

/** A screen with next to nothing on it. */
export const nowhere = '/no/such/page'

/** Who walks, and how they look at each screen. */
export interface Walker {
  browser: Browser
  url: string
  email: string
  paths: readonly string[]
  looks: readonly Way[]
  /** Rules of axe, none of them when empty; without them all. */ rules?: string[] | undefined
  /** More widths of the window, at which a screen has to fit. */ widths?: readonly number[]
  /** Answers come late, each after a time of its own. */ isLate?: boolean
}

type Found = Record<'looks' | 'wide' | 'unsteady' | 'faults', unknown[]>

/** What is wrong with these screens as somebody sees them. Three walk, each a part of the way: one alone mostly waits for what its page asks. */
export const findWrong = (walker: Walker): Promise<Found[]> =>
  Promise.all([0, 1, 2].map((part) => walkAs({ ...walker, paths: walker.paths.filter((_, place) => place % 3 === part) }, part)))

export const nothingWrong: Found = { looks: [], wide: [], unsteady: [], faults: [] }

/** What looks found, what sticks out, what moves by itself, and faults. */
async function walkAs({ browser, url, email, paths, looks, rules, widths = [], isLate = false }: Walker, part: number): Promise<Found> {
  const person = await openPerson(browser, { url })
  person.allow(
    /status of 503.*\/(api\/tracking|geo)\//,
    'no geo service runs beside this house: its screens say so; with one they are in tests/geo/devices-screen.test.ts',
  )
  await watchShifts(person.context)
  await showFewRows(person)
  await signIn(person, email)
  const isQuiet = isLate ? await readLate(person, `late answers ${part}`) : () => true
  const wide: string[] = []
  const unsteady: string[] = []
  const go = async (path: string) => {
    await takeShifts(person.page)
    // Who touches nothing for half an hour is signed out.
    await person.page.keyboard.press('Shift')
    await goTo(person.page, path)
  }
  const arrived = async (path: string) => {
    while (!isQuiet()) {
      await until(isQuiet, 60_000)
      await settle(person)
    }
    const shift = await takeShifts(person.page)
    if (shift) unsteady.push(`${path} ${shift}`)
  }
  const also = async (path: string) => {
    wide.push(...(await tooWideAt(person, widths)).map((what) => `${path} at ${what}`))
  }
  const found = await walk(person, paths, { go, away: () => goTo(person.page, nowhere), arrived, also, looks, rules })
  await person.context.unrouteAll({ behavior: 'ignoreErrors' })
  await person.context.close()
  return { looks: bad(found), wide, unsteady, faults: person.faults }
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
export async function walk(
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
export function bad(looks: readonly Look[]): object[] {
  return looks.flatMap(({ what, title, heading, ...found }) => {
    const isNamed = / · \S/.test(title) && heading !== '' && !heading.includes('|')
    return isNamed && found.violations.length === 0 && found.tooWide.length === 0 && found.faults.length === 0
      ? []
      : [{ what, title, heading, ...found }]
  })
}
